#!/usr/bin/env bash
# What a commit must not hold, and what shellcheck says of the scripts.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

stray=$(git ls-files | grep -E '(^|/)(Package\.resolved$|\.build|\.swiftpm/|library\.sqlite)' || true)
if [ -n "$stray" ]; then
  printf 'hygiene: these do not belong in the repository:\n%s\n' "$stray" >&2
  status=1
fi

# The sounds, which would grow without end; dumps, findings of the fuzzer and texts are small.
size=$(git ls-files -z fixtures/audio fixtures/damaged | xargs -0 -r stat -c %s | awk '{ sum += $1 } END { print sum + 0 }')
if [ "$size" -gt 3000000 ]; then
  echo "hygiene: fixtures/audio and fixtures/damaged hold $size bytes; 3,000,000 is the limit" >&2
  status=1
fi

git ls-files -z '*.sh' .ci/run | xargs -0 -r shellcheck || status=1
exit $status
