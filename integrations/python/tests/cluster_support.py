"""What the tests of clusters have in common: a collection, ``deadwax-cluster`` as a process, and commands that fail."""

import json
import os
import subprocess
import sys
from pathlib import Path

from contents import contents
from program import COMMAND, deadwax, write_tone

POISON = b"poison.wav"


def cluster(*arguments, status=0, **options):
    """Runs ``deadwax-cluster`` and returns what it printed."""
    words = [sys.executable, "-m", "deadwax.cluster", *map(os.fspath, arguments)]
    outcome = subprocess.run(words, capture_output=True, text=True, **options)
    assert outcome.returncode == status, f"{words}: {outcome.returncode}: {outcome.stdout}{outcome.stderr}"
    return outcome.stdout + outcome.stderr


def report(store):
    """What ``deadwax-cluster report`` says."""
    return json.loads(cluster("report", store, "--json"))


def shards(store):
    """The names of the committed shards."""
    return sorted(path.name for path in Path(store, "shards").glob("*.sqlite"))


def make_album(folder, name, tracks=2, step=97):
    """An album of short sounds, each with its own samples."""
    album = Path(folder, name)
    album.mkdir(parents=True)
    for number in range(tracks):
        write_tone(album / f"{number}.wav", frames=2_000 + 100 * number, step=step)
    return album


def scanned(folder, library, *options):
    """What one scan says of a folder."""
    deadwax("scan", "-q", "-L", library, folder, *options)
    return contents(library)


def merged(store, out):
    """What the shards say together."""
    cluster("merge", store, "-o", out)
    return contents(out)


def wrapped(folder, script):
    """A command that does something before it is ``deadwax``: lines of bash, for which `$1` is the subcommand."""
    path = Path(folder, "deadwax-wrapped")
    path.write_text(f'#!/bin/bash\n{script}\nexec {COMMAND} "$@"\n')
    path.chmod(0o755)
    return path


def command_killed_by_poison(folder):
    """A command that takes the process of its task along as soon as a list has the poison file."""
    return wrapped(
        folder,
        f"""
        for word; do [ "$previous" = --files-from ] && list=$word; previous=$word; done
        if [ "$1" = scan ] && grep -qaz {POISON.decode()} "$list"; then kill -9 $PPID; exit 1; fi
        """,
    )
