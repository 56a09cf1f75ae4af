"""A library of the project's fixtures, made by the command: what the tests stand on."""

import os
import shutil

import pytest
from program import COMMAND, FIXTURES, ODD_NAME, deadwax, write_tone

from deadwax import Library

SHEET = """FILE "01 Kick.wav" WAVE
  TRACK 01 AUDIO
    TITLE "First"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Second"
    PERFORMER "Somebody"
    INDEX 01 00:01:37
"""


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
