#!/usr/bin/env python3
"""Gives the excerpts that `deadwax-bench sound` looked for to audfprint and Olaf, and compares what they find.

    bin/deadwax-bench sound --every 6 --seconds 300 --keep KEPT MUSIC
    scripts/evaluate-excerpts.py --work FOLDER --audfprint PATH/audfprint.py --olaf PATH/olaf_core KEPT

audfprint (github.com/dpwe/audfprint) needs numpy, scipy, docopt, joblib and psutil; Olaf (github.com/JorenSix/Olaf) is made by
`make compile_core`. Both run as they come, without options; a program that is not given is left out. They index the same
seconds of the same tracks, from mono sound at 16 kHz, which is the rate of Olaf and above the 11,025 Hz of audfprint. ffmpeg
converts them; deadwax decodes the tracks, of which ffmpeg refuses some.

The table is Markdown: in how many percent of the excerpts the best answer is their track, at a place within 0.1 s (0.15 s for
audfprint, which prints tenths), in how many it is their track anywhere, and in how many it is another track.
"""

import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

from evaluation import Evaluation

LENGTHS = (5.0, 10.0, 15.0)
AUDFPRINT_MATCH = re.compile(r"^Matched (\S+) .* raw hashes as (\S+) at +(-?[\d.]+) s with")


def convert(sound, output, *options):
    """Makes one channel at 16 kHz of a sound file, given as its bytes."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", "-", "-map", "0:a:0", "-ac", "1", "-ar", "16000", *options, str(output)],
        check=True, input=sound)
    return output


def decode(deadwax, path, seconds, output):
    """Makes a sound file of the first seconds of a track, unless it is there already."""
    if not output.exists():
        sound = subprocess.run(
            [deadwax, "segment", path, "-s", "0", "-e", seconds, "-o", "-", "--format", "wav"], check=True,
            capture_output=True).stdout
        convert(sound, output)
    return output


def parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))


def audfprint(program, work, tracks, excerpts):
    """For each excerpt, the number of a track and a place in it; None if nothing is found."""
    def run(*arguments):
        return subprocess.run(
            [sys.executable, program, *arguments, "-H", str(os.cpu_count())], check=True, capture_output=True,
            text=True).stdout

    lists = {name: work / f"{name}.txt" for name in ("tracks", "excerpts")}
    lists["tracks"].write_text("".join(f"{track}\n" for track in tracks))
    lists["excerpts"].write_text("".join(f"{excerpt}\n" for excerpt in excerpts))
    database = work / "audfprint.pklz"
    run("new", "-d", str(database), "-l", str(lists["tracks"]))
    numbers = {str(track): number for number, track in enumerate(tracks)}
    answers = dict.fromkeys(map(str, excerpts))
    for line in run("match", "-d", str(database), "-l", str(lists["excerpts"])).splitlines():
        if match := AUDFPRINT_MATCH.match(line):
            answers[match[1]] = (numbers[match[2]], float(match[3]))
    return list(answers.values())


def olaf(program, work, tracks, excerpts):
    """The same of Olaf, which reads 32-bit floats without a header and keeps its index in the home directory."""
    home = work / "olaf"
    shutil.rmtree(home, ignore_errors=True)
    (home / ".olaf" / "db").mkdir(parents=True)

    def run(command, sound, name):
        raw = convert(sound.read_bytes(), home / f"{name}.raw", "-f", "f32le")
        output = subprocess.run(
            [program, command, str(raw), name], check=True, capture_output=True, text=True,
            env={**os.environ, "HOME": str(home)}).stdout
        raw.unlink()
        return output

    for number, track in enumerate(tracks):
        run("store", track, f"track-{number}")

    def query(excerpt):
        best = None
        for line in run("query", excerpt, f"excerpt-{excerpt.stem}").splitlines():
            cells = [cell.strip() for cell in line.split(",")]
            if len(cells) == 7 and cells[3].startswith("track-") and (best is None or int(cells[0]) > best[0]):
                best = (int(cells[0]), int(cells[3].removeprefix("track-")), float(cells[5]) - float(cells[1]))
        return best and best[1:]

    return parallel(query, excerpts)


def main():
    evaluation = Evaluation(
        __doc__, "kept", audfprint=("", "the program audfprint.py"), olaf=("", "the program olaf_core"))
    options, work, sounds = evaluation.options, evaluation.work.resolve(), evaluation.sounds.resolve()
    kept = pathlib.Path(evaluation.inputs[0]).resolve()

    with open(kept / "tracks.csv", encoding="utf-8") as file:
        indexed = list(csv.DictReader(file))
    with open(kept / "excerpts.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if float(row["seconds"]) in LENGTHS]
    numbers = {row["path"]: number for number, row in enumerate(indexed)}
    tracks = parallel(
        lambda item: decode(options.deadwax, item[1]["path"], item[1]["seconds"], sounds / f"{item[0]}.wav"),
        enumerate(indexed))
    excerpts = [kept / row["file"] for row in rows]

    found = {
        "deadwax": ([(numbers[row["found_track"]], float(row["found_s"])) if row["found_track"] else None
                     for row in rows], 0.1)
    }
    if options.audfprint:
        found["audfprint"] = audfprint(options.audfprint, work, tracks, excerpts), 0.15
    if options.olaf:
        found["Olaf"] = olaf(options.olaf, work, tracks, excerpts), 0.1

    groups = collections.defaultdict(list)
    for number, row in enumerate(rows):
        for name in (row["degradation"], "all"):
            groups[name, float(row["seconds"])].append(number)
    names = list(dict.fromkeys([row["degradation"] for row in rows])) + ["all"]
    print("| | s | n | " + " | ".join(found) + " |")
    print("|---|---:|---:|" + "---:|" * len(found))
    for name in names:
        for length in LENGTHS:
            chosen = groups[name, length]
            cells = []
            for answers, tolerance in found.values():
                there = here = other = 0
                for number in chosen:
                    row, answer = rows[number], answers[number]
                    if answer is None:
                        continue
                    if answer[0] != numbers[row["track"]]:
                        other += 1
                        continue
                    here += 1
                    there += abs(answer[1] - float(row["start_s"])) <= tolerance
                cells.append(" / ".join(f"{100 * count / len(chosen):.1f}" for count in (there, here, other)))
            if chosen:
                print(f"| {name} | {length:.0f} | {len(chosen)} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
