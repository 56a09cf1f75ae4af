#!/usr/bin/env bash
# Drives `deadwax play` on a pseudo-terminal. Usage: scripts/test-terminal.sh COMMAND [unittest's arguments]
# pyte, a terminal emulator for Python, is installed below build/ if it is not there; without a network the tests are skipped with a
# message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
venv=$PWD/build/terminal-venv
installed=$venv/installed
if [ ! -e "$installed" ] || [ "$0" -nt "$installed" ]; then
  rm -f "$installed"
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install -q --disable-pip-version-check pyte==0.8.2 &&
    touch "$installed"; } || true
fi
if [ ! -e "$installed" ]; then
  echo "tests of the terminal skipped: a terminal emulator could not be installed (pip install pyte)" >&2
  [ -z "${CI:-}" ]
  exit
fi
export PYTHONDONTWRITEBYTECODE=1
cd Tests/Terminal
exec "$venv/bin/python" -m unittest "${@:-discover}"
