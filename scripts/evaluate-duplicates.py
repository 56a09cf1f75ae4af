#!/usr/bin/env python3
"""Measures how well `duplicates` finds copies that were encoded again, trimmed and normalized.

    scripts/evaluate-duplicates.py --deadwax bin/deadwax --work FOLDER MUSIC…

Of every nth file of MUSIC (--every), up to --seconds, five copies are made: MP3 at 128 kbit/s, Opus at 64 kbit/s and AAC at
96 kbit/s; one without its first four and last three seconds; one that is 6 dB softer, as FLAC. All are scanned into a library
in FOLDER. Two files of one source in one group, whatever its kind, are a pair that was found. A group of two that have only a
part in common names the kept file of each, so it counts for their copies, too. Two files of different sources are a false pair,
unless sources share music: each pair of such sources is printed, to be listened to. ffmpeg is needed.
"""

import argparse
import collections
import hashlib
import itertools
import json
import math
import pathlib
import subprocess
import time

COPIES = {
    "mp3": (".mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]),
    "opus": (".opus", ["-c:a", "libopus", "-b:a", "64k"]),
    "aac": (".m4a", ["-c:a", "aac", "-b:a", "96k"]),
    "trimmed": (".ogg", ["-c:a", "libvorbis", "-q:a", "4"]),
    "softer": (".flac", ["-af", "volume=-6dB", "-c:a", "flac"]),
}


def duration(path):
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(path)],
        capture_output=True, text=True, check=True).stdout
    return float(text.strip() or 0)


def copy(path, folder, seconds):
    """Makes the file itself and its copies below `folder`; the names of the copies."""
    folder.mkdir(exist_ok=True)
    done = folder / "done"
    if not done.exists():
        for name, (ending, options) in {"source": (".wav", []), **COPIES}.items():
            start, length = (4, seconds - 7) if name == "trimmed" else (0, seconds)
            subprocess.run(
                ["ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", str(start), "-t", str(length), "-i", str(path),
                 "-map", "0:a:0", "-map_metadata", "-1", *options, str(folder / (name + ending))], check=True)
        done.touch()


def wilson(count, total):
    """The interval that holds the true rate with 95 % probability."""
    if total == 0:
        return 0.0, 1.0
    p, z = count / total, 1.96
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def percent(name, count, total):
    low, high = wilson(count, total)
    print(f"| {name} | {count} of {total} | {100 * count / max(1, total):.2f} % | {100 * low:.2f} to {100 * high:.2f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deadwax", required=True, help="the command")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for the copies and the library")
    parser.add_argument("--every", type=int, default=1, help="use every nth file")
    parser.add_argument("--seconds", type=float, default=180, help="the longest that is used of a file")
    parser.add_argument("music", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    files = sorted(file for path in options.music for file in path.rglob("*") if file.is_file())[::options.every]
    copies = options.work / "copies"
    copies.mkdir(parents=True, exist_ok=True)
    sources = {}
    for file in files:
        seconds = min(duration(file), options.seconds)
        if seconds < 20:
            continue
        name = hashlib.sha256(str(file).encode()).hexdigest()[:12]
        copy(file, copies / name, seconds)
        sources[name] = file

    library = ["--library", str(options.work / "library.sqlite")]
    subprocess.run([options.deadwax, "scan", "--quiet", *library, str(copies)], check=True)
    start = time.process_time(), time.monotonic()
    answer = subprocess.run([options.deadwax, "duplicates", "--json", *library], capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        raise SystemExit(answer.stderr)
    elapsed = time.monotonic() - start[1]

    found, kinds, copies_of = set(), collections.Counter(), {}
    for group in json.loads(answer.stdout)["groups"]:
        paths = [pathlib.Path(file["path"]) for file in group["files"]]
        kinds[group["kind"]] += 1
        members = [(path.parent.name, path.stem) for path in paths]
        if group["kind"] == "same-recording":
            pairs = itertools.combinations(members, 2)
            copies_of.update((member, members) for member in members)
        else:
            # Groups of one recording come first.
            pairs = itertools.product(*(copies_of.get(member, [member]) for member in members))
        found.update(tuple(sorted(pair)) for pair in pairs)

    names = sorted(["source", *COPIES])
    wanted = {((source, one), (source, other)) for source in sources for one, other in itertools.combinations(names, 2)}
    right = found & wanted
    print(f"{len(sources)} sources, {len(names) * len(sources)} files, answered in {elapsed:.1f} s;",
          ", ".join(f"{count} groups {kind}" for kind, count in sorted(kinds.items())), "\n")
    print("| pairs | | | interval of 95 % |\n|---|---|---|---|")
    percent("found (recall)", len(right), len(wanted))
    for name in COPIES:
        some = {pair for pair in wanted if name in (pair[0][1], pair[1][1])}
        percent(f"of these with {name}", len(some & found), len(some))
    percent("right (precision)", len(right), len(found))
    false = collections.Counter(tuple(sorted((one[0], other[0]))) for one, other in found - wanted)
    print()
    for (one, other), count in sorted(false.items()):
        print(f"{count} pairs of {sources[one]} and {sources[other]}")
    missed = collections.Counter(one[0] for one, _ in wanted - found)
    for source, count in sorted(missed.items()):
        print(f"{count} pairs missed of {sources[source]}")


if __name__ == "__main__":
    main()
