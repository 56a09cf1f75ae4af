"""The built command, the project's fixtures, and sounds that tests make up."""

import json
import os
import subprocess
import wave
from pathlib import Path

COMMAND = os.environ["DEADWAX"]
FIXTURES = Path(__file__).parents[3] / "fixtures" / "audio"
# Not UTF-8, and with what a shell or a terminal would take for something else.
ODD_NAME = b"odd \xff\n$(x) -rf.wav"


def deadwax(*arguments, **options):
    """What the command prints."""
    return subprocess.run([COMMAND, *map(os.fspath, arguments)], check=True, capture_output=True, **options).stdout


def documents(*arguments):
    """The lines of JSON that the command prints."""
    return [json.loads(line) for line in deadwax(*arguments).splitlines()]


def write_tone(path, frames=4_410, rate=44_100, step=97):
    """A small sound that no other file of the tests has, if `step` is its own."""
    with wave.open(os.fsdecode(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(
            b"".join(((n * step) % 20_001 - 10_000).to_bytes(2, "little", signed=True) for n in range(frames))
        )
