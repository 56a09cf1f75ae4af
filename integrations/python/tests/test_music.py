"""Landmarks, rhythm, chroma and similarity: documented bytes, and what the command says that follows from them."""

import json
import math
import struct

import numpy as np
import pytest
from program import deadwax

from deadwax import Chroma, DeadwaxError, Landmarks, Rhythm, Similarity


@pytest.fixture
def tracks(library):
    return [track for track in library.query("state:ok") if "landmarks" in library.products(track)]


def shown(library, track):
    return json.loads(deadwax("show", "-L", library.path, "--json", str(track.id)))


def test_landmarks_lie_within_the_recording(library, tracks):
    assert tracks
    for track in tracks:
        landmarks = library.landmarks(track)
        assert landmarks.columns / (11_025 / 256) == pytest.approx(track.duration_seconds, abs=0.2)
        assert (np.diff(landmarks.column.astype(int)) >= 0).all()
        if len(landmarks.column):
            assert landmarks.column[-1] < landmarks.columns
            assert landmarks.frequency_hz.min() > 250 and landmarks.frequency_hz.max() < 4_300


def test_the_documented_bytes_of_landmarks():
    # A peak in column 3, a pause of 20, one 2 columns later, of the highest unit.
    data = b"LMK1" + struct.pack("<II", 100, 2) + bytes([0, 0x23, 255, 20, 171, 0xF2])
    landmarks = Landmarks.from_bytes(data)
    assert landmarks.column.tolist() == [3, 25]
    assert landmarks.strength_db.tolist() == [6, 45]
    assert landmarks.frequency_hz.tolist() == pytest.approx(
        [24 * 11_025 / 1_024, 92.5 * 1.014**102.5 * 11_025 / 1_024], rel=1e-6
    )


def test_the_tempo_of_the_command_is_among_the_candidates(library, tracks):
    known = 0
    for track in tracks:
        rhythm = library.rhythm(track)
        assert len(rhythm.onset_db) == len(rhythm.low_onset_db) == library.landmarks(track).columns
        tempo = shown(library, track)["tempo"]
        if tempo is None or tempo["measured_bpm"] is None:
            continue
        known += 1
        assert min(abs(c.beats_per_minute - tempo["measured_bpm"]) for c in rhythm.candidates) < 0.01
        assert tempo["stability"] == pytest.approx(rhythm.stability, abs=1e-6)
    assert known


def test_the_documented_bytes_of_a_rhythm():
    data = struct.pack("<dfB6fI", 43.066, 0.75, 2, 120, 1, 0.5, 60, 0.25, 0, 3) + bytes([0, 16, 255, 8, 0, 32])
    rhythm = Rhythm.from_bytes(data)
    assert [c.beats_per_minute for c in rhythm.candidates] == [120, 60]
    assert rhythm.onset_db.tolist() == [0, 1, 15.9375]
    assert rhythm.low_onset_db.tolist() == [0.5, 0, 2]


def test_the_shares_of_a_chroma_are_parts_of_a_whole(library, tracks):
    for track in tracks:
        chroma = library.chroma(track)
        assert 0 <= chroma.change <= 1
        assert chroma.shares.shape == (3, 120)
        assert chroma.shares.min() >= 0 and chroma.shares.max() <= 1


def test_a_similarity_has_its_groups(library, tracks):
    for track in tracks:
        similarity = library.similarity(track)
        assert sum(len(values) for values in similarity.groups.values()) == 378
        assert all(math.isfinite(value) for value in similarity.values.tolist())


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Landmarks, b"LMK2" + bytes(8)),
        (Landmarks, b"LMK1" + struct.pack("<II", 10, 1)),
        (Landmarks, b"LMK1" + struct.pack("<II", 10, 1) + bytes([0, 15])),
        (Rhythm, bytes(16)),
        (Rhythm, struct.pack("<dfBI", 43, 0, 0, 5)),
        (Chroma, bytes(727)),
        (Similarity, struct.pack("<H", 377) + bytes(756)),
    ],
)
def test_damaged_bytes_are_refused(kind, data):
    with pytest.raises(DeadwaxError):
        kind.from_bytes(data)
