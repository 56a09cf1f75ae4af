#!/usr/bin/env bash
# Tests the Python package of integrations/python. Usage: scripts/test-python.sh COMMAND [pytest's arguments]
# What the tests need is installed below build/ when it is not there (scripts/test-venv.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/test-venv.sh
cd "$package"
"$venv/bin/ruff" check --no-cache --quiet src tests tests_ray examples
"$venv/bin/ruff" format --no-cache --check --diff --quiet src tests tests_ray examples
"$venv/bin/mypy" --cache-dir "$venv/mypy" --no-error-summary
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
