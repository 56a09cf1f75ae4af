# shellcheck shell=bash
# Makes build/test-venv, the one environment of all tests in Python: the package of integrations/python with its extra `test`, and
# Tests/requirements.txt. Source it from the root of the project. Sets `package` and `venv`. It is made when it is not there or one of
# the lists is newer; if that is impossible, as without a network, the script that sources this ends with a message, with status 0, or
# with 1 if CI is set.
package=$PWD/integrations/python
venv=$PWD/build/test-venv
mkdir -p build
# Scripts that run side by side make it once.
exec 9> build/test-venv.lock
flock 9
if [ ! -e "$venv/installed" ] || [ "$package/pyproject.toml" -nt "$venv/installed" ] ||
  [ Tests/requirements.txt -nt "$venv/installed" ]; then
  rm -f "$venv/installed"
  # pip keeps its build files out of the package's folder.
  { python3 -m venv "$venv" &&
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --editable "${package}[test]" -r Tests/requirements.txt &&
    touch "$venv/installed"; } || true
fi
exec 9>&-
if [ ! -e "$venv/installed" ]; then
  echo "$(basename "$0"): skipped: build/test-venv could not be made (pip install '${package}[test]' -r Tests/requirements.txt)" >&2
  [ -z "${CI:-}" ]
  exit
fi
export PYTHONDONTWRITEBYTECODE=1
