#!/usr/bin/env bash
# Compares a first scan with decoding alone, and a rescan with `find`, on $MUSIC (without it: the demonstration folder).
# Prints processor seconds and ratios of one run: the seconds depend on the machine, the ratios much less.
set -euo pipefail
cd "$(dirname "$0")/.."
deadwax=bin/deadwax
music=${MUSIC:-fixtures/audio}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# User seconds of a command and its children.
user_seconds() {
  local TIMEFORMAT=%U
  { time "$@" > /dev/null 2>&1; } 2>&1
}

row() { awk -v name="$1" -v a="$2" -v b="$3" 'BEGIN {printf "%-32s %9.2f s %9.2f s %8s\n", name, a, b, (b > 0 ? sprintf("%.2f", a / b) : "-")}'; }

printf '%-32s %11s %11s %8s\n' "user CPU, one worker" "Deadwax" "decoder" "ratio"
for kind in mp3 flac ogg opus; do
  mapfile -d '' files < <(find "$music" -type f -name "*.$kind" -print0)
  [ ${#files[@]} -gt 0 ] || continue
  folder=$work/$kind
  mkdir "$folder"
  number=0
  for file in "${files[@]}"; do
    number=$((number + 1))
    ln "$file" "$folder/$number.$kind" 2> /dev/null || cp "$file" "$folder/$number.$kind"
  done
  case $kind in
    mp3) decoder=(mpg123 -q -t) name="mpg123 -t" ;;
    flac) decoder=(flac -t -s) name="flac -t" ;;
    ogg) decoder=(oggdec -Q -R -o /dev/null) name="oggdec" ;;
    opus) decoder=() name="no decoder alone" ;;
  esac
  cat "$folder"/* > /dev/null
  scan=$(user_seconds "$deadwax" scan -q --jobs 1 --library "$work/$kind.sqlite" "$folder")
  alone=0
  [ ${#decoder[@]} = 0 ] || alone=$(user_seconds "${decoder[@]}" "$folder"/*)
  row "$kind (${#files[@]} files, $name)" "$scan" "$alone"
done

"$deadwax" scan -q --library "$work/all.sqlite" "$music"
TIMEFORMAT=%R
again=$({ time "$deadwax" scan -q --library "$work/all.sqlite" "$music" > /dev/null 2>&1; } 2>&1)
found=$({ time find "$music" -printf '%s %T@ %i\n' > /dev/null; } 2>&1)
row "rescan, wall time (find)" "$again" "$found"
