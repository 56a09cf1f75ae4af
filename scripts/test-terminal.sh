#!/usr/bin/env bash
# Drives `deadwax play` on a pseudo-terminal. Usage: scripts/test-terminal.sh COMMAND [unittest's arguments]
# pyte, a terminal emulator for Python, is installed below build/ if it is not there; without a network the tests are skipped with a
# message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/tools-venv.sh terminal-venv pyte==0.8.2
cd Tests/Terminal
exec "$venv/bin/python" -m unittest "${@:-discover}"
