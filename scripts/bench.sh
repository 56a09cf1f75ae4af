#!/usr/bin/env bash
# Runs a measurement, stages or scan, over the folder $MUSIC, or without it over the demonstration folder.
set -euo pipefail
cd "$(dirname "$0")/.."

music=${MUSIC-}
if [ -z "$music" ]; then
  music=fixtures/audio
  echo "No MUSIC=DIR was given: measuring $music, which is so short that starting programs is most of it." >&2
fi
# Make and dash leave a tilde as it is.
# shellcheck disable=SC2088 # it is the text that is compared
case $music in "~" | "~/"*) music=$HOME${music#"~"} ;; esac

exec bin/deadwax-bench "$1" -- "$music"
