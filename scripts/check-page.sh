#!/usr/bin/env bash
# Checks the types that the page's modules declare in JSDoc; without TypeScript it is skipped with a message, but fails if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v tsc > /dev/null; then
  echo "types of the page are not checked: missing tsc (apt-get install --no-install-recommends node-typescript)" >&2
  [ -z "${CI:-}" ]
  exit
fi
# What runs beside the page is loaded by its address, which the compiler does not follow.
tsc --allowJs --checkJs --strict --noUnusedLocals --noEmit --target es2022 --module es2022 --moduleResolution node \
  --lib es2022,dom,dom.iterable Tests/Page/worklet.d.ts web/app.js web/audio/{*-worklet,reader}.js
