#!/usr/bin/env bash
# Indexes the folder $MUSIC into the user's library and shows the result. If MUSIC is not set, indexes the demonstration
# folder into a separate library.
#
#   scripts/index.sh          indexes and shows
#   scripts/index.sh --check  tells whether the folder is there, before minutes of compiling
set -euo pipefail
cd "$(dirname "$0")/.."
deadwax=bin/deadwax

music=("${MUSIC-}")
if [ -z "${music[0]}" ]; then
  music=(fixtures/audio fixtures/formats)
  if [ "${1-}" != --check ]; then
    mkdir -p demo
    export DEADWAX_LIBRARY=$PWD/demo/library.sqlite
    echo "No MUSIC=DIR was given: indexing ${music[*]} into demo/library.sqlite. Your own library is not changed."
  fi
fi
# Make and dash do not expand a tilde.
# shellcheck disable=SC2088 # it is the text that is compared
case ${music[0]} in "~" | "~/"*) music=("$HOME${music[0]#"~"}") ;; esac

if [ "${1-}" = --check ]; then
  for folder in "${music[@]}"; do
    if [ ! -d "$folder" ]; then
      echo "MUSIC=$folder: there is no such folder" >&2
      exit 64
    fi
  done
  exit 0
fi

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

status=0
"$deadwax" scan -- "${music[@]}" || status=$?
# After 4 a folder of the library is not there, and all others were scanned.
[ "$status" = 0 ] || [ "$status" = 4 ] || exit "$status"
show "$deadwax" status
show "$deadwax" ls --limit 20
first=$("$deadwax" ls --limit 1 --fields id --format jsonl state:ok | sed 's/[^0-9]//g')
[ -z "$first" ] || show "$deadwax" waveform "$first"

printf '\nSee and hear it in the browser: '
if [ -n "${DEADWAX_LIBRARY-}" ]; then printf '%s serve -L %q --open\n' "$deadwax" "$DEADWAX_LIBRARY"; else echo "$deadwax serve --open"; fi
exit "$status"
