#!/usr/bin/env bash
# Tests the Python package of integrations/python. Usage: scripts/test-python.sh COMMAND [pytest's arguments]
# What the tests need is installed below build/ when it is not there or pyproject.toml is newer; without a network they are
# skipped with a message, but fail if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
package=$PWD/integrations/python
venv=$PWD/build/python-venv
installed=$venv/installed
if [ ! -e "$installed" ] || [ "$package/pyproject.toml" -nt "$installed" ]; then
  rm -f "$installed"
  # pip keeps its build files out of the package's folder.
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --editable "${package}[test]" &&
    touch "$installed"; } || true
fi
if [ ! -e "$installed" ]; then
  echo "tests of the Python package skipped: its tools could not be installed (pip install '${package}[test]')" >&2
  [ -z "${CI:-}" ]
  exit
fi
export PYTHONDONTWRITEBYTECODE=1
cd "$package"
"$venv/bin/ruff" check --no-cache --quiet src tests tests_ray examples
"$venv/bin/ruff" format --no-cache --check --diff --quiet src tests tests_ray examples
"$venv/bin/mypy" --cache-dir "$venv/mypy" --no-error-summary
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
