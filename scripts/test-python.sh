#!/usr/bin/env bash
# Tests the Python package of integrations/python. Usage: scripts/test-python.sh COMMAND [--lint | pytest's arguments]
# Without arguments the package is checked (ruff, mypy) and all of its tests run; --lint only checks it.
# What the tests need is installed below build/ when it is not there (scripts/test-venv.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/test-venv.sh
cd "$package"
if [ $# = 0 ] || [ "$1" = --lint ]; then
  "$venv/bin/ruff" check --no-cache --quiet src tests tests_ray examples
  "$venv/bin/ruff" format --no-cache --check --diff --quiet src tests tests_ray examples
  "$venv/bin/mypy" --cache-dir "$venv/mypy" --no-error-summary
  [ $# = 0 ] || exit 0
fi
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
