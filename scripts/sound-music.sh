#!/usr/bin/env bash
# Fetches music from Debian's packages for `deadwax-bench sound`: a folder for each package, some 290 tracks, 1 GB.
#
#   sound-music.sh DIR
#
# Packages are downloaded and unpacked, not installed; what is there already is not fetched again.
set -euo pipefail

folder=${1:?usage: sound-music.sh DIR}
packages=(asc-music boswars-data flare-game freedroidrpg-data fretsonfire-songs-muldjord fretsonfire-songs-sectoid
  hedgewars-data hyperrogue-music naev-data singularity-music supertux-data unknown-horizons warzone2100-music
  wesnoth-1.16-music)

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in "${packages[@]}"; do
  [ -d "$folder/$package" ] && continue
  cd "$work"
  apt-get download -q "$package" > /dev/null || continue
  dpkg -x "$package"_*.deb "$work/files"
  mkdir "$folder/$package"
  # Shorter ones are effects.
  find "$work/files" -type f \( -name '*.ogg' -o -name '*.mp3' -o -name '*.flac' -o -name '*.opus' \) -size +400k \
    -exec mv -n {} "$folder/$package/" \;
  rm -rf "$work/files" "$work"/*.deb
  echo "$package: $(find "$folder/$package" -type f | wc -l) tracks"
done
