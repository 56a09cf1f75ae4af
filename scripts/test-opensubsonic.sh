#!/usr/bin/env bash
# Drives `deadwax serve` as players do, through OpenSubsonic. Usage: scripts/test-opensubsonic.sh COMMAND [unittest's arguments]
# Clients of others for Python are installed below build/ if they are not there (scripts/test-venv.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
DEADWAX=$(realpath "$1")
export DEADWAX
shift
. scripts/test-venv.sh
# Mopidy needs GStreamer for the system's Python, so it is a package of the system; its extension is not.
mopidy=$PWD/build/mopidy-venv
exec 9> build/mopidy-venv.lock
flock 9
if [ -x /usr/bin/mopidy ] && [ ! -e "$mopidy/installed" ]; then
  { /usr/bin/python3 -m venv --system-site-packages "$mopidy" &&
    "$mopidy/bin/python" -m pip install -q --disable-pip-version-check Mopidy-Subidy==1.1.0 &&
    touch "$mopidy/installed"; } || true
fi
exec 9>&-
if [ -e "$mopidy/installed" ]; then export MOPIDY="$mopidy/bin/python"; fi
cd Tests/OpenSubsonic
exec "$venv/bin/python" -m unittest "${@:-discover}"
