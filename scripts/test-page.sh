#!/usr/bin/env bash
# Drives the page of `deadwax serve` in a browser without a screen. Usage: scripts/test-page.sh COMMAND [unittest's arguments]
# Needs chromium, and Playwright and axe for Python, which are installed below build/ if they are not there (scripts/test-venv.sh);
# DEADWAX_PYTHON is a Python that has them. Without chromium the tests are skipped with a message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
export DEADWAX_BROWSER=${DEADWAX_BROWSER:-/usr/bin/chromium}
if [ ! -x "$DEADWAX_BROWSER" ]; then
  echo "tests of the page skipped: missing chromium (apt-get install --no-install-recommends chromium)" >&2
  [ -z "${CI:-}" ]
  exit
fi
python=${DEADWAX_PYTHON:-}
if [ -z "$python" ]; then
  . scripts/test-venv.sh
  python=$venv/bin/python
fi
cd Tests/Page
PYTHONDONTWRITEBYTECODE=1 exec "$python" -m unittest "${@:-discover}"
