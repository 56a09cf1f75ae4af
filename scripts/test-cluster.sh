#!/usr/bin/env bash
# Tests deadwax-cluster with a head and two nodes of Ray, all on this machine.
# Usage: scripts/test-cluster.sh COMMAND [pytest's arguments instead of `tests_ray`]
# They run in a network namespace that has nothing but the loopback, so nothing can leave the machine, and in a process namespace,
# so nothing stays. Without a network to install Ray from they are skipped with a message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/python-venv.sh cluster-venv ray,s3 pytest 'moto[server]>=5'
as_root=()
[ "$(id -u)" = 0 ] || as_root=(--user --map-root-user)
export RAY_USAGE_STATS_ENABLED=0 RAY_raylet_start_wait_time_s=180 PATH="$venv/bin:$PATH"
cd "$package"
[ $# -gt 0 ] || set -- tests_ray
# shellcheck disable=SC2016 # $@ is that of the inner shell
exec unshare "${as_root[@]}" --net --mount --pid --fork --mount-proc --kill-child \
  bash -c 'ip link set lo up && exec python -m pytest -q -p no:cacheprovider -c /dev/null --rootdir . "$@"' bash "$@"
