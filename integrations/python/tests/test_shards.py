"""What a catalogue was merged without comes from its shards, or not at all."""

import shutil

import numpy as np
import pytest
from cluster_support import make_album
from program import COMMAND, deadwax

from deadwax import DeadwaxError, Library


@pytest.fixture
def catalogue(tmp_path):
    """A catalogue of two libraries, without waveforms and spectrograms."""
    for number in range(2):
        make_album(tmp_path / "albums", f"Album {number}", step=97 + number)
        deadwax("scan", "-q", "-L", tmp_path / f"{number}.sqlite", tmp_path / "albums" / f"Album {number}")
    left = ["waveform", "waveform-energy", "spectrogram"]
    parts = [tmp_path / "0.sqlite", tmp_path / "1.sqlite"]
    deadwax("merge", "-q", "-o", tmp_path / "all.sqlite", *parts, "--without-products", *left)
    return tmp_path / "all.sqlite"


def tracks(library):
    with Library(library, command=COMMAND) as opened:
        return {
            track.hash: (opened.products(track), opened.waveform(track).peaks, opened.band_levels(track))
            for track in opened.tracks()
        }


def test_products_of_shards_are_those_of_the_shards(catalogue, tmp_path):
    expected = tracks(tmp_path / "0.sqlite") | tracks(tmp_path / "1.sqlite")
    found = tracks(catalogue)
    assert len(found) == 4 and found.keys() == expected.keys()
    for audio_hash, (kinds, peaks, _) in found.items():
        assert kinds == expected[audio_hash][0] and "spectrogram" in kinds
        assert np.array_equal(peaks, expected[audio_hash][1])


def test_a_shard_that_is_away_is_named(catalogue, tmp_path):
    shutil.move(tmp_path / "1.sqlite", tmp_path / "away.sqlite")
    with Library(catalogue, command=COMMAND) as library:
        kept, lost = sorted(library.tracks(), key=lambda track: "Album 1" in str(track.path))[::3]
        assert library.product(kept, "waveform").bytes
        with pytest.raises(DeadwaxError, match=r"1\.sqlite.*shards relocate"):
            library.product(lost, "waveform")
    deadwax("shards", "relocate", "-q", "-L", catalogue, tmp_path / "1.sqlite", tmp_path / "away.sqlite")
    with Library(catalogue, command=COMMAND) as library:
        assert library.product(lost, "waveform").bytes


def test_a_shard_that_was_written_to_is_not_believed(catalogue, tmp_path):
    make_album(tmp_path / "albums", "Album 0/more", step=301)
    deadwax("scan", "-q", "-L", tmp_path / "0.sqlite")
    with Library(catalogue, command=COMMAND) as library:
        track = next(track for track in library.tracks() if "Album 0" in str(track.path))
        with pytest.raises(DeadwaxError, match="has changed since"):
            library.product(track, "waveform")
