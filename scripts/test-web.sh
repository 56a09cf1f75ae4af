#!/usr/bin/env bash
# Tests what the page computes in Node, without a browser. Usage: scripts/test-web.sh [files of Tests/Web]
# Needs Node 18.19 or newer, of which Debian 12 has one. Without it the tests are skipped with a message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
# The first one that tells it how to load the page's modules (module.register).
if ! node -e 'process.exit(require("node:module").register ? 0 : 1)' 2> /dev/null; then
  echo "tests of the page's computations skipped: missing Node 18.19 or newer (apt-get install --no-install-recommends nodejs)" >&2
  [ -z "${CI:-}" ]
  exit
fi
if [ $# = 0 ]; then
  mapfile -t files < <(find Tests/Web -name '*.test.mjs' | sort)
  set -- "${files[@]}"
fi
exec node --import ./Tests/Web/served.mjs --test --test-reporter=spec "$@"
