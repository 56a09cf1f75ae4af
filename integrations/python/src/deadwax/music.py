"""What the command compares recordings by: landmarks, rhythm, chroma and similarity."""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import floats, scaled, view
from .database import DeadwaxError

if TYPE_CHECKING:
    from .arrays import Array

COLUMNS_PER_SECOND = 11_025 / 256
"""Columns of landmarks and of rhythm."""


@dataclass(frozen=True, eq=False)
class Landmarks:
    """The peaks of the spectrum over time by which excerpts and copies are found, in ascending order of time."""

    columns: int
    """Of the recording: 43.07 a second; the middle of column `k` is at `k / COLUMNS_PER_SECOND` seconds."""
    column: Array
    """(peaks), uint32: when."""
    frequency_hz: Array
    """(peaks), float32: the middle of the unit of frequency."""
    strength_db: Array
    """(peaks), float32: above the decaying mean of the frequency, in steps of 3 dB."""

    @classmethod
    def from_bytes(cls, data: bytes) -> Landmarks:
        """Reads the product `landmarks`."""
        if len(data) < 12 or data[:4] != b"LMK1" or len(data) % 2:
            raise DeadwaxError("landmarks begin with LMK1 and two counts, and have an even length")
        columns, count = struct.unpack_from("<II", data, 4)
        times, units, strengths = array("I"), array("B"), array("B")
        now = 0
        for unit, value in zip(data[12::2], data[13::2], strict=True):
            if unit == 255:
                now += value
                continue
            now += value & 15
            if unit >= 172 or now >= columns:
                raise DeadwaxError(f"landmarks have a peak of unit {unit} in column {now} of {columns}")
            times.append(now)
            units.append(unit)
            strengths.append(value >> 4)
        if len(times) != count:
            raise DeadwaxError(f"landmarks have {len(times)} peaks instead of {count}")
        bin_hz = 11_025 / 1_024
        hertz = [bin_hz * (24 + unit if unit <= 68 else 92.5 * 1.014 ** (unit - 68.5)) for unit in units]
        shape = (count,)
        return cls(columns, view(times, "I", shape), floats(hertz, shape), scaled(view(strengths, "B", shape), 3))


@dataclass(frozen=True)
class TempoCandidate:
    """A tempo that the onsets fit."""

    beats_per_minute: float
    strength: float
    """0 to 1."""
    half_beat: float
    """How strong half a beat is."""


@dataclass(frozen=True, eq=False)
class Rhythm:
    """When something begins, and the tempi that fit."""

    columns_per_second: float
    stability: float
    """The share of windows of 12 s whose own tempo is the strongest candidate or a simple multiple of it."""
    candidates: tuple[TempoCandidate, ...]
    """The strongest first. Which one counts also depends on what people tap: see `tempo` of ``deadwax show``."""
    onset_db: Array
    """(columns), float32: how much the levels of 32 bands have risen."""
    low_onset_db: Array
    """(columns), float32: the same of the four bands below 200 Hz."""

    @classmethod
    def from_bytes(cls, data: bytes) -> Rhythm:
        """Reads the product `rhythm`."""
        if len(data) < 17:
            raise DeadwaxError("a rhythm has at least 17 bytes")
        rate, stability, candidate_count = struct.unpack_from("<dfB", data)
        start = 13 + 12 * candidate_count
        if len(data) < start + 4:
            raise DeadwaxError("a rhythm is shorter than its candidates")
        (count,) = struct.unpack_from("<I", data, start)
        if len(data) != start + 4 + 2 * count:
            raise DeadwaxError(f"a rhythm has {len(data)} bytes instead of {start + 4 + 2 * count}")
        candidates = tuple(TempoCandidate(*values) for values in struct.iter_unpack("<fff", data[13:start]))
        onsets = [scaled(view(data, "B", (count,), start + 4 + part * count), 1 / 16) for part in range(2)]
        return cls(rate, stability, candidates, onsets[0], onsets[1])


@dataclass(frozen=True, eq=False)
class Chroma:
    """Which pitches sound, whatever their octave."""

    columns: int
    """In which something sounds."""
    change: float
    """From column to column, 0 to 1."""
    shares: Array
    """(3, 120), float32: 55 to 220 Hz, 220 to 880 Hz, 880 Hz to 2 kHz by tenths of a semitone, from A at 440 Hz up."""

    @classmethod
    def from_bytes(cls, data: bytes) -> Chroma:
        """Reads the product `chroma`."""
        if len(data) != 728:
            raise DeadwaxError(f"a chroma has 728 bytes, not {len(data)}")
        columns, change = struct.unpack_from("<If", data)
        return cls(columns, change, scaled(view(data, "H", (3, 120), 8), 1 / 65_535))


_GROUPS = (
    ("timbre", 51), ("shape", 91), ("motion", 64), ("contrast", 4), ("rhythm", 72), ("fluctuation", 80), ("harmony", 9),
    ("dynamics", 7),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Similarity:
    """Statistics by which recordings are compared; ``deadwax similar`` projects them to 64 numbers first."""

    values: Array
    """(378), float32."""

    @property
    def groups(self) -> dict[str, Array]:
        """The values by what they describe; with NumPy views, without it copies."""
        result: dict[str, Array] = {}
        start = 0
        for name, count in _GROUPS:
            result[name] = self.values[start : start + count]
            start += count
        return result

    @classmethod
    def from_bytes(cls, data: bytes) -> Similarity:
        """Reads the product `similarity`."""
        count = sum(count for _, count in _GROUPS)
        if len(data) != 2 + 2 * count or int.from_bytes(data[:2], "little") != count:
            raise DeadwaxError(f"a similarity has {count} values")
        return cls(floats(struct.unpack_from(f"<{count}e", data, 2), (count,)))
