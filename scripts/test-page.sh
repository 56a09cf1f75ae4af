#!/bin/sh
# Drives the page of `deadwax serve` in a browser without a screen. Usage: scripts/test-page.sh COMMAND [unittest's arguments]
# Needs chromium, and Playwright and axe for Python, which are installed below build/ if they are not there; where one is missing
# the tests are skipped with a message, but fail if CI is set.
set -eu
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
python=${DEADWAX_PYTHON:-python3}
has_modules() { "$python" -c 'import playwright, axe_playwright_python' 2> /dev/null; }
if ! has_modules; then
  python=$PWD/build/page-venv/bin/python
  has_modules || {
    python3 -m venv build/page-venv &&
      "$python" -m pip install -q --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8
  } || true
fi
missing=
[ -x "${DEADWAX_BROWSER:=/usr/bin/chromium}" ] || missing="chromium (apt-get install --no-install-recommends chromium)"
has_modules ||
  missing="${missing:+$missing; }Playwright and axe (pip install playwright axe-playwright-python)"
if [ -n "$missing" ]; then
  echo "tests of the page skipped: missing $missing" >&2
  [ -z "${CI:-}" ]
  exit
fi
export DEADWAX_BROWSER
cd Tests/Page
PYTHONDONTWRITEBYTECODE=1 exec "$python" -m unittest "${@:-discover}"
