#!/bin/sh
# Measures what the page costs, in a browser without a screen. Usage: scripts/bench-page.sh COMMAND MUSIC [BENCH [SECTION…]]
# MUSIC is a folder of music or a library made of one. BENCH, the program deadwax-bench, makes the library of a million tracks
# (kept as build/million.sqlite); without it, or `-`, those measurements are left out. Needs what scripts/test-page.sh needs, and wrk.
set -eu
cd "$(dirname "$0")/.."
command=$(realpath "$1")
music=${2:-fixtures/audio}
# Make and dash do not expand a tilde.
# shellcheck disable=SC2088 # it is the text that is compared
case $music in "~" | "~/"*) music=$HOME${music#"~"} ;; esac
music=$(realpath "$music")
bench=${3:--}
shift "$(($# < 3 ? $# : 3))"
python=${DEADWAX_PYTHON:-python3}
has_modules() { "$python" -c 'import playwright' 2> /dev/null; }
has_modules || python=$PWD/build/test-venv/bin/python
has_modules || {
  echo "Playwright is missing: scripts/test-page.sh installs it" >&2
  exit 1
}
million=-
if [ "$bench" != - ]; then
  mkdir -p build
  million=$PWD/build/million.sqlite
  [ -e "$million" ] || "$bench" library -o "$million"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$python" Tests/Page/bench.py "$command" "$music" "$million" "$@"
