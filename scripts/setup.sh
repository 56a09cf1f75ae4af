#!/usr/bin/env bash
# Installs missing Debian packages that Deadwax needs, and says how to install Swift if it is missing.
#
#   setup.sh build    to build the command
#   setup.sh test     also the tools that the tests compare with
#   setup.sh slow     also the programs of others that `make test-slow` drives
#   setup.sh fuzz     also what formats the table of fuzzing
#   setup.sh bench    also what measuring needs: other decoders, and Valgrind to count instructions
#   setup.sh faults   also what lets calls, disks and clocks fail
#   setup.sh packages also what makes and tests packages
#   setup.sh golden   also the tests' tools, and the encoders that make fixtures/
set -euo pipefail

needed=(git make pkg-config g++ python3 libsqlite3-dev libsndfile1-dev libflac-dev libmpg123-dev libvorbis-dev
  libopus-dev libmp3lame-dev libtag1-dev libexpat1-dev libyaml-dev libxxhash-dev libcairo2-dev libpng-dev zlib1g-dev
  libchromaprint-dev libpangocairo-1.0-0 libsoxr-dev libavcodec-dev libavformat-dev libmpcdec-dev
  libspeex-dev libopenmpt-dev libasound2-dev libdbus-1-dev libcurl4 libcurl4-openssl-dev)
oracles=(alsa-utils chromium dbus espeak-ng ffmpeg fish flac id3v2 lame libasound2 libchromaprint-tools man-db mpg123 musepack-tools
  node-typescript nodejs openmpt123 openssl opus-tools parallel python3
  python3-mutagen python3-venv shellcheck sox speex sqlite3 strace vorbis-tools wavpack zsh)
clients=(dbus-x11 firefox-esr mopidy parallel pulseaudio strawberry xdotool xvfb)
fuzzers=(bsdextrautils)
bench_tools=(binutils ffmpeg flac mpg123 opus-tools valgrind vorbis-tools)
fault_tools=(coreutils faketime fuse3 locales mount python3-fusepy sqlite3 strace util-linux)
packagers=(apt-utils appstream binutils buildah curl desktop-file-utils dpkg-dev gpg lintian mmdebstrap python3 python3-venv runc sqlite3 systemd
  systemd-container xz-utils)
encoders=(libsox-fmt-all)
minimal_swift=6.2

case "${1-build}" in
  build) packages=("${needed[@]}") ;;
  test) packages=("${needed[@]}" "${oracles[@]}") ;;
  slow) packages=("${needed[@]}" "${oracles[@]}" "${clients[@]}") ;;
  fuzz) packages=("${needed[@]}" "${fuzzers[@]}") ;;
  bench) packages=("${needed[@]}" "${bench_tools[@]}") ;;
  faults) packages=("${needed[@]}" "${fault_tools[@]}") ;;
  packages) packages=("${needed[@]}" "${packagers[@]}") ;;
  golden) packages=("${needed[@]}" "${oracles[@]}" "${encoders[@]}") ;;
  *)
    echo "usage: setup.sh [build|test|slow|fuzz|bench|faults|packages|golden]" >&2
    exit 64
    ;;
esac

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# New machines update themselves in the background, so another program may hold apt's lock: waits for it, for at most five minutes.
apt_get() {
  local log status deadline=$((SECONDS + 300)) has_told=
  log=$(mktemp)
  while :; do
    status=0
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
    if [ "$status" = 0 ] || [ $SECONDS -ge $deadline ] || ! grep -qE 'Could not get lock|Unable to (acquire|lock)' "$log"; then break; fi
    [ -n "$has_told" ] || echo "setup: another program uses apt; waiting for it, for at most five minutes" >&2
    has_told=1
    sleep 5
  done
  rm -f "$log"
  return "$status"
}

install_packages() {
  if [ "$(id -u)" != 0 ] && ! command -v sudo > /dev/null; then
    echo "setup: packages are missing and there is no sudo. As root, run:" >&2
    echo "  apt-get install $*" >&2
    exit 1
  fi
  echo "setup: installing $*"
  # Package lists are fetched only if they do not have one of the packages.
  local package
  for package in "$@"; do
    if ! apt-cache policy "$package" | grep -q 'Candidate: [^(]'; then
      apt_get update
      break
    fi
  done
  # An old list names versions that no longer exist: fetch it and try once more.
  # Nothing is removed for them.
  local options=(-y --no-install-recommends --no-remove)
  apt_get install "${options[@]}" "$@" || { apt_get update && apt_get install "${options[@]}" "$@"; }
}

# A command may also exist without its package, for example if it was built by hand.
is_there() {
  case $1 in
    # Debian has one for each library of TLS, of which one can be installed; all have the same headers.
    libcurl4-openssl-dev) is_installed "$1" || is_installed libcurl4-gnutls-dev || is_installed libcurl4-nss-dev ;;
    lib*) is_installed "$1" ;;
    *) is_installed "$1" || command -v "$1" > /dev/null ;;
  esac
}

if command -v dpkg-query > /dev/null; then
  missing=()
  for package in "${packages[@]}"; do is_there "$package" || missing+=("$package"); done
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
else
  echo "setup: this is neither Debian nor Ubuntu; please install the equivalents of these packages:" >&2
  echo "  ${packages[*]}" >&2
fi

if ! command -v swift > /dev/null; then
  cat >&2 << END
setup: Swift $minimal_swift or newer is needed, but there is no 'swift' in PATH.
  Get the toolchain for your system from https://www.swift.org/install/linux/, put its usr/bin in PATH, and run this again.
END
  exit 1
fi
if ! said=$(swift --version 2>&1); then
  cat >&2 << END
setup: $(command -v swift) is there, but cannot start. It said:
  ${said//$'\n'/$'\n'  }
  https://www.swift.org/install/linux/ names the packages that a toolchain needs. On Debian 12:
  apt-get install binutils-gold libc6-dev libcurl4-openssl-dev libedit2 libgcc-12-dev libncurses6 libpython3-dev \\
    libsqlite3-0 libstdc++-12-dev libxml2-dev libz3-dev tzdata zlib1g-dev
END
  exit 1
fi
version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<< "$said" | head -n 1)
if [ "$(printf '%s\n' "$minimal_swift" "${version:-0}" | sort -V | head -n 1)" != "$minimal_swift" ]; then
  cat >&2 << END
setup: Swift $minimal_swift or newer is needed; $(command -v swift) is ${version:-of unknown version}.
  Get a newer toolchain from https://www.swift.org/install/linux/, put its usr/bin first in PATH, and run this again.
END
  exit 1
fi
