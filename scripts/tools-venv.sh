# shellcheck shell=bash
# Makes a virtual environment below build/ with packages of PyPI that tests need. Source it from the root of the project:
#   . scripts/tools-venv.sh NAME PACKAGE==VERSION…
# Sets `venv`. It is made when it is not there or the script that sources this is newer; if that is impossible, as without a network,
# that script ends with a message, with status 0, or with 1 if CI is set.
venv=$PWD/build/$1
if [ ! -e "$venv/installed" ] || [ "$0" -nt "$venv/installed" ]; then
  rm -f "$venv/installed"
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install -q --disable-pip-version-check "${@:2}" &&
    touch "$venv/installed"; } || true
fi
if [ ! -e "$venv/installed" ]; then
  echo "$(basename "$0"): skipped: its tools could not be installed (pip install ${*:2})" >&2
  [ -z "${CI:-}" ]
  exit
fi
export PYTHONDONTWRITEBYTECODE=1
