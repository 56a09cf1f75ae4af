#!/usr/bin/env bash
# Runs `swift test` with these arguments. What failed is said again at the end: among the thousands of lines of the
# tests that passed it is hard to find, and a build server may show the last lines only.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log" && exit
status=$?
printf '\nWhat failed:\n'
# A message may have several lines; the first that begins with another symbol ends it.
awk '/^(◇|✔|\[)/ { failed = 0 } /^✘|error:/ { failed = 1 } failed' "$log"
exit "$status"
