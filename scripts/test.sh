#!/usr/bin/env bash
# Runs `swift test` with these arguments and repeats the failures at the end: they are hard to find among thousands of
# lines of passed tests, and a build server may show only the last lines.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log" && exit
status=$?
printf '\nFailed:\n'
# A message may have several lines; it ends at the first line that begins with another symbol.
awk '/^(◇|✔|\[)/ { failed = 0 } /^✘|error:/ { failed = 1 } failed' "$log"
exit "$status"
