# shellcheck shell=bash
# Makes a virtual environment below build/ with the Python package of integrations/python. Source it from the root of the project:
#   . scripts/python-venv.sh NAME EXTRAS [other packages]
# Sets `package` and `venv`. It is made when it is not there or pyproject.toml is newer; if that is impossible, as without a network,
# the script that sources this ends with a message, with status 0, or with 1 if CI is set.
package=$PWD/integrations/python
venv=$PWD/build/$1
if [ ! -e "$venv/installed" ] || [ "$package/pyproject.toml" -nt "$venv/installed" ]; then
  rm -f "$venv/installed"
  # pip keeps its build files out of the package's folder.
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --editable "${package}[$2]" "${@:3}" &&
    touch "$venv/installed"; } || true
fi
if [ ! -e "$venv/installed" ]; then
  echo "$(basename "$0"): skipped: its tools could not be installed (pip install '${package}[$2]')" >&2
  [ -z "${CI:-}" ]
  exit
fi
export PYTHONDONTWRITEBYTECODE=1
