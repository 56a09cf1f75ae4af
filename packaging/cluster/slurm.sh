#!/usr/bin/env bash
# Runs the buckets of a plan as an array of Slurm: docs/scale.md explains it.
#
#   STORE=/nfs/index sbatch --array=0-511%64 slurm.sh
#
# A bucket whose attempt failed with 75 goes back into the queue, at most four times; others leave their status to `sacct`.
#SBATCH --job-name=deadwax --cpus-per-task=1 --mem=2G --time=04:00:00 --requeue --open-mode=append --output=deadwax-%A-%a.log
set -uo pipefail

: "${STORE:?the folder or s3:// prefix that has the plan}"
deadwax-cluster task "$STORE" "${SLURM_ARRAY_TASK_ID:?is set by sbatch --array}" --index \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" --scratch "${TMPDIR:-/tmp}"
status=$?
if [ "$status" = 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 4 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$status"
