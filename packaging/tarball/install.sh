#!/bin/sh
# Copies Deadwax to a prefix (default: ~/.local), or removes what it has copied: install.sh [--remove] [PREFIX]
set -eu

case ${1-} in
  -h | --help)
    echo "usage: install.sh [--remove] [PREFIX]   (default: ~/.local; /usr/local as root)"
    exit 0
    ;;
  --remove) remove=1 && shift ;;
  *) remove= ;;
esac
if [ "$(id -u)" = 0 ]; then default=/usr/local; else default=$HOME/.local; fi
prefix=${1:-$default}
case $prefix in
  /*) ;;
  *) echo "install.sh: the prefix has to begin with /, not $prefix" >&2 && exit 64 ;;
esac
cd "$(dirname "$0")"

find bin share -type f | LC_ALL=C sort | while IFS= read -r file; do
  target=$prefix/$file
  if [ -n "$remove" ]; then
    rm -f "$target"
    continue
  fi
  mkdir -p "$(dirname "$target")"
  # A program that runs keeps the file that it began with.
  rm -f "$target"
  case $file in
    *.service | *.desktop) sed "s|@bindir@|$prefix/bin|g" "$file" > "$target" ;;
    *) cp "$file" "$target" ;;
  esac
done
[ -n "$remove" ] && exit 0

echo "Deadwax is in $prefix/bin. 'deadwax doctor' lists missing libraries."
if ! "$prefix/bin/deadwax" --version; then
  echo "install.sh: it does not start here; README names the libraries that it is linked to" >&2
  exit 1
fi
