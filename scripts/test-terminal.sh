#!/usr/bin/env bash
# Drives `deadwax play` on a pseudo-terminal. Usage: scripts/test-terminal.sh COMMAND [unittest's arguments]
# pyte, a terminal emulator for Python, is installed below build/ if it is not there (scripts/test-venv.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/test-venv.sh
cd Tests/Terminal
exec "$venv/bin/python" -m unittest "${@:-discover}"
