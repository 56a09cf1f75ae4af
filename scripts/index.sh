#!/usr/bin/env bash
# Indexes the folder $MUSIC into the user's library, or without it the demonstration folder into a library of its own,
# and shows what came of it.
set -euo pipefail
cd "$(dirname "$0")/.."
deadwax=bin/deadwax

music=${MUSIC-}
if [ -z "$music" ]; then
  music=fixtures/audio
  mkdir -p demo
  export DEADWAX_LIBRARY=$PWD/demo/library.sqlite
  echo "No MUSIC=DIR was given: indexing $music into demo/library.sqlite, apart from your own library."
fi
# Make and dash leave a tilde as it is.
# shellcheck disable=SC2088 # it is the text that is compared
case $music in "~" | "~/"*) music=$HOME${music#"~"} ;; esac

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

"$deadwax" scan -- "$music"
show "$deadwax" status
show "$deadwax" ls --limit 20
first=$("$deadwax" ls --limit 1 --fields id --format jsonl state:ok | sed 's/[^0-9]//g')
[ -z "$first" ] || show "$deadwax" waveform "$first"
