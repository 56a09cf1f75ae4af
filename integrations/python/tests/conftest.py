"""A library of the project's fixtures, made by the command: what the tests stand on."""

import json
import os
import shutil
import subprocess
import wave
from pathlib import Path

import pytest

from deadwax import Library

COMMAND = os.environ["DEADWAX"]
FIXTURES = Path(__file__).parents[3] / "fixtures" / "audio"
# Not UTF-8, and with what a shell or a terminal would take for something else.
ODD_NAME = b"odd \xff\n$(x) -rf.wav"

SHEET = """FILE "01 Kick.wav" WAVE
  TRACK 01 AUDIO
    TITLE "First"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Second"
    PERFORMER "Somebody"
    INDEX 01 00:01:37
"""


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


@pytest.fixture(scope="session")
def music(tmp_path_factory):
    """The fixtures, a CUE sheet, a copy, a damaged file and a name that is not text."""
    folder = tmp_path_factory.mktemp("music")
    shutil.copytree(FIXTURES, folder, dirs_exist_ok=True)
    album = folder / "The Locked Grooves" / "Thirty-Three and a Third"
    (album / "01 Kick.cue").write_text(SHEET)
    shutil.copy(album / "02 String.wav", folder / "copy of string.wav")
    (folder / "broken.flac").write_bytes(b"fLaC" + bytes(100))
    write_tone(os.path.join(os.fsencode(folder), ODD_NAME))
    return folder


@pytest.fixture(scope="session")
def made(music, tmp_path_factory):
    """The path of a library that a scan made, with a rating and a preset; tests that change one take a copy."""
    path = tmp_path_factory.mktemp("library") / "library.sqlite"
    deadwax("scan", "-q", "-L", path, music)
    deadwax("rate", "-q", "-L", path, "80", "title:=Lacquer")
    deadwax("preset", "create", "Warm", "-q", "-L", path, "--band", "pk 220 -2.4 q0.9")
    return path


@pytest.fixture
def library(made):
    with Library(made, command=COMMAND) as library:
        yield library


@pytest.fixture
def copied(made, tmp_path):
    """A library of one's own."""
    return shutil.copy(made, tmp_path / "library.sqlite")
