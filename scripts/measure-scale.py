#!/usr/bin/env python3
"""Measures what docs/scale.md says of merges and Parquet, with made-up tracks. `make bench-scale` runs it.

    scripts/measure-scale.py --deadwax COMMAND --bench DEADWAX-BENCH --work FOLDER [--tracks 1000000] [PART…]

The parts, all of them by default, in this order:

- merge: 64 libraries into a new one, without products and with the small ones: time and memory;
- live: eight of them into a library, while another command writes every fifth of a second: how long it waits;
- parquet: the merged library as Parquet;
- questions: five of them to DuckDB and to the command, which must agree.

FOLDER gets some 8 GB for a million tracks and keeps them, so that one part can be repeated.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

LIBRARIES = 64
BASES = 4
SMALL = ["loudness", "spectrum", "fingerprint", "landmarks", "rhythm", "chroma", "similarity"]
LARGE = ["waveform", "waveform-channels", "waveform-energy", "spectrogram"]
QUESTIONS = pathlib.Path(__file__).resolve().parents[1] / "integrations/python/examples/questions.sql"


def run(*words):
    """Runs a command; its seconds by the clock and of CPU, its largest memory in MiB."""
    began = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{shlex.join(map(str, words))}: status {status}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make_libraries(options):
    """64 libraries without common files and recordings: copies of four, whose hashes and paths are changed."""
    count = options.tracks // LIBRARIES
    for number in range(LIBRARIES):
        library = options.work / f"part-{number:02}.sqlite"
        if library.exists():
            continue
        base = options.work / f"base-{number % BASES + 1}.sqlite"
        if not base.exists():
            run(options.bench, "library", "--tracks", count, "--seed", number % BASES + 1, "-o", base)
        pending = library.with_suffix(".tmp")
        shutil.copyfile(base, pending)
        connection = sqlite3.connect(pending)
        mark = f"x'{number + 1:02x}'"
        # The triggers need functions of the program only for texts, which stay.
        connection.executescript(f"""
            PRAGMA synchronous = OFF;
            UPDATE audio SET hash = CAST({mark} || substr(hash, 2) AS BLOB);
            UPDATE stream SET hash = CAST({mark} || substr(hash, 2) AS BLOB);
            UPDATE former_hash SET hash = CAST({mark} || substr(hash, 2) AS BLOB),
              current = CAST({mark} || substr(current, 2) AS BLOB);
            UPDATE file SET key = randomblob(16), path = CAST('{number}/' || path AS BLOB), path_text = '{number}/' || path_text;
            """)
        connection.close()
        pending.rename(library)
    return sorted(options.work.glob("part-*.sqlite"))


def row(what, value, limit=""):
    print(f"| {what} | {value} | {limit} |", flush=True)


def merge(options):
    """Without any products, and with the small ones; the last library stays for the other parts."""
    parts = make_libraries(options)
    merged = options.work / "all.sqlite"
    for without, kept in ((SMALL + LARGE, "without products"), (LARGE, "with the small products")):
        for path in options.work.glob("all.*"):
            path.unlink()
        clock, processor, memory = run(options.deadwax, "merge", "-q", "-o", merged, *parts, "--without-products", *without)
        count = next(sqlite3.connect(f"file:{merged}?mode=ro", uri=True).execute("SELECT count(*) FROM file"))[0]
        row(f"{LIBRARIES} libraries, {count} files, into a new one, {kept}",
            f"{clock:.0f} s ({processor:.0f} s of CPU, {1e6 * processor / count:.0f} µs a file)", "200 s")
        row("its memory", f"{memory:.0f} MiB", "512 MiB")
        row("its size, and that of the register of shards",
            " and ".join(f"{(options.work / name).stat().st_size / 1e6:.0f} MB" for name in ("all.sqlite", "all.shards")))


def live(options):
    parts = make_libraries(options)
    own = options.work / "live.sqlite"
    for path in options.work.glob("live.*"):
        path.unlink()
    shutil.copyfile(parts[0], own)
    waits, ended = [], threading.Event()

    def write():
        number = 0
        while not ended.wait(0.2):
            number += 1
            waits.append(run(options.deadwax, "rate", "-q", "-L", own, number % 100, "1")[0])

    alone = sorted(run(options.deadwax, "rate", "-q", "-L", own, 50, "1")[0] for _ in range(5))[2]
    writer = threading.Thread(target=write)
    writer.start()
    clock, processor, memory = run(options.deadwax, "merge", "-q", "--no-backup", "-L", own, *parts[1:9])
    ended.set()
    writer.join()
    count = next(sqlite3.connect(f"file:{own}?mode=ro", uri=True).execute("SELECT count(*) FROM file"))[0]
    added = count * 8 // 9
    row(f"8 libraries, {added} files, into a live one",
        f"{clock:.0f} s ({1e6 * processor / added:.0f} µs of CPU a file), {memory:.0f} MiB", "2,000 files a second")
    waits.sort()
    row(f"{len(waits)} other commands that write meanwhile",
        f"{waits[len(waits) // 2]:.2f} s, at most {waits[-1]:.2f} s; alone {alone:.2f} s", "1 s of waiting")


def parquet(options):
    """The library that `merge` left."""
    clock, processor, memory = run(
        sys.executable, "-m", "deadwax.parquet", "--overwrite", options.work / "all.sqlite", options.work / "parquet")
    row("that library as Parquet", f"{clock:.0f} s ({processor:.0f} s of CPU), {memory:.0f} MiB")


def questions(options):
    """About what `parquet` left."""
    import duckdb

    library = options.work / "all.sqlite"
    os.chdir(options.work / "parquet")
    view, *questions = re.split(r";\n", QUESTIONS.read_text().strip().removesuffix(";") + "\n")
    session = duckdb.connect()
    session.execute(view)
    for question in questions:
        words = shlex.split(re.search(r"^-- deadwax (.*)", question, re.MULTILINE)[1])
        began = time.monotonic()
        answer = session.execute(question)
        names = [column[0] for column in answer.description]
        rows = [dict(zip(names, values, strict=True)) for values in answer.fetchall()]
        middle = time.monotonic()
        lines = subprocess.run(
            [options.deadwax, words[0], "-L", library, *words[1:]], check=True, capture_output=True).stdout.splitlines()
        ended = time.monotonic()
        verdict = "equal" if same(rows, [json.loads(line) for line in lines]) else "DIFFERENT"
        row(re.search(r"^-- (.*)", question, re.MULTILINE)[1],
            f"{len(rows)} rows, {verdict}; DuckDB {middle - began:.2f} s, the command {ended - middle:.2f} s", "equal")


def same(rows, others):
    """Whether two answers have the same rows; numbers may differ in the last digits."""
    if len(rows) != len(others):
        return False

    def key(answer):
        return [json.dumps(value, default=str) for value in answer.values() if not isinstance(value, float)]

    def equal(one, other):
        if isinstance(one, float) or isinstance(other, float):
            return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-5)
        return (one or None) == (other or None)

    for one, other in zip(sorted(rows, key=key), sorted(others, key=key), strict=True):
        if one.keys() != other.keys() or not all(equal(one[name], other[name]) for name in one):
            print(f"{one} is not {other}", file=sys.stderr)
            return False
    return True


def main():
    parts = {"merge": merge, "live": live, "parquet": parquet, "questions": questions}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deadwax", type=pathlib.Path, default="bin/deadwax")
    parser.add_argument("--bench", type=pathlib.Path, default="bin/deadwax-bench")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--tracks", type=int, default=1_000_000)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    options = parser.parse_args()
    for name in ("deadwax", "bench", "work"):
        setattr(options, name, getattr(options, name).resolve())
    options.work.mkdir(parents=True, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("| what | measured | wanted |\n|---|---|---|")
    for name in options.parts or parts:
        parts[name](options)


if __name__ == "__main__":
    main()
