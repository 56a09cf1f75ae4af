#!/usr/bin/env bash
# Finds files that must not be committed, runs shellcheck on the scripts, compares effects.wasm with its sources and lists of the
# page with its files, and checks the types, the lines and the layers of the page, links and names in documents and the size of the README.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

# What is not ignored counts, too: the next `git add` takes it.
stray=$(git ls-files --cached --others --exclude-standard | sort -u |
  grep -E '(^|/)(Package\.resolved$|\.build|\.swiftpm/|library\.sqlite)|\.(d|dia|o|swiftdeps|swiftmodule)$' || true)
if [ -n "$stray" ]; then
  printf 'hygiene: these files do not belong in the repository:\n%s\n' "$stray" >&2
  status=1
fi

# Only audio files are limited; dumps, findings of the fuzzer and texts are small.
size=$(git ls-files -z fixtures/audio fixtures/damaged fixtures/encoded fixtures/formats | xargs -0 -r stat -c %s | awk '{ sum += $1 } END { print sum + 0 }')
if [ "$size" -gt 8000000 ]; then
  echo "hygiene: the sounds in fixtures have $size bytes; the limit is 8,000,000" >&2
  status=1
fi

scripts/wasm.sh --check || status=1
scripts/page-files.py --check || status=1
scripts/page-graph.py --check || status=1
scripts/check-page.sh || status=1
long=$(git ls-files -z 'web/*.js' 'web/*.ts' | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{121,}$' | cut -d : -f 1,2 || true)
if [ -n "$long" ]; then
  printf 'hygiene: these lines of the page have more than 120 characters:\n%s\n' "$long" >&2
  status=1
fi
export PYTHONDONTWRITEBYTECODE=1
scripts/folder-graph.py --check || status=1
if ! scripts/folder-graph.py --document | diff -q - docs/modules.md > /dev/null; then
  echo "hygiene: docs/modules.md is not current: scripts/folder-graph.py --document > docs/modules.md" >&2
  status=1
fi
scripts/check-names.py || status=1
scripts/check-links.py || status=1
scripts/check-mentions.py || status=1
scripts/fault-cases.py --check || status=1
# It is read in one sitting; everything else is the manual's.
readme=$(stat -c %s README.md)
if [ "$readme" -gt 9216 ]; then
  echo "hygiene: README.md has $readme bytes; the limit is 9,216: move what a task needs to docs/manual" >&2
  status=1
fi
python3 -m unittest discover --quiet scripts || status=1

git ls-files -z '*.sh' .ci/run | xargs -0 -r shellcheck || status=1
exit $status
