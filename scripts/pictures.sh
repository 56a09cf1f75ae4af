#!/usr/bin/env bash
# Draws the pictures of README and manual into docs/pictures, from fixtures/audio and a temporary library; those of the page from the music in $MUSIC,
# such as that of Debian's wesnoth-music, if Playwright and Chromium are there.
set -euo pipefail
cd "$(dirname "$0")/.."
deadwax=bin/deadwax
folder=docs/pictures
limit=1000000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEADWAX_LIBRARY=$work/library.sqlite
"$deadwax" scan --quiet -- fixtures/audio
mkdir -p "$folder"

"$deadwax" waveform title:Lacquer -w 800 -h 200 --amplitude-scale auto --colors dark --style bands \
  -o "$folder/waveform-bands.png" --compression 9
"$deadwax" waveform title:Lacquer -w 800 -h 200 --amplitude-scale auto --colors light --split-channels \
  --waveform-style bars --bar-width 4 --bar-gap 2 --bar-style rounded --no-axis-labels -o "$folder/waveform-bars.svg"
"$deadwax" spectrum title:Lacquer -w 800 -h 300 --theme light -o "$folder/spectrum.svg"
"$deadwax" spectrum title:Lacquer --kind spectrogram --exact --range -80..-20 -w 800 -h 300 \
  -o "$folder/spectrogram.png" --compression 9

python=${DEADWAX_PYTHON:-build/test-venv/bin/python}
if [ -z "${MUSIC-}" ]; then
  echo "pictures: those of the page stay as they are: name a folder of music with MUSIC=DIR" >&2
elif ! "$python" -c 'import playwright' 2> /dev/null; then
  echo "pictures: those of the page stay as they are: Playwright is missing (scripts/test-page.sh bin/deadwax installs it)" >&2
else
  "$python" scripts/page-pictures.py "$deadwax" "$MUSIC" "$folder"
fi

size=$(cat "$folder"/* | wc -c)
echo "$folder: $size bytes"
if [ "$size" -gt "$limit" ]; then
  echo "pictures: $folder has more than $limit bytes" >&2
  exit 1
fi
