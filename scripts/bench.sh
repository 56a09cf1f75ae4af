#!/usr/bin/env bash
# Runs a measurement (stages or scan) of the folder $MUSIC, or of the demonstration folder if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."

music=${MUSIC-}
if [ -z "$music" ]; then
  music=fixtures/audio
  echo "No MUSIC=DIR was given: measuring $music. It is so short that most of the time is for starting programs." >&2
fi
# Make and dash do not expand a tilde.
# shellcheck disable=SC2088 # it is the text that is compared
case $music in "~" | "~/"*) music=$HOME${music#"~"} ;; esac

exec bin/deadwax-bench "$1" -- "$music"
