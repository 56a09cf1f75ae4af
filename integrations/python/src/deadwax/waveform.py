"""Peaks and levels over time."""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .arrays import np, scaled, view
from .database import DeadwaxError

if TYPE_CHECKING:
    from .arrays import Array


@dataclass(frozen=True, eq=False)
class Waveform:
    """The minimum and maximum of the samples of each point, as audiowaveform computes them."""

    sample_rate_hz: int
    frames_per_point: int
    """The last point may have fewer."""
    peaks: Array
    """(points, channels, 2): minimum, then maximum; int8 in -128...127, or int16 in -32768...32767."""

    @property
    def bits(self) -> int:
        """8, as in a library, or 16."""
        return 8 * self.peaks.itemsize

    @property
    def channels(self) -> int:
        """1 for the mono mix."""
        return self.peaks.shape[1] if len(self.peaks.shape) == 3 else 1

    @property
    def seconds_per_point(self) -> float:
        """The time from one point to the next."""
        return self.frames_per_point / self.sample_rate_hz

    @classmethod
    def from_bytes(cls, data: bytes) -> Waveform:
        """Reads audiowaveform's `.dat`, version 1 or 2."""
        if len(data) < 20:
            raise DeadwaxError("a waveform has at least 20 bytes")
        version, flags, rate, zoom, count = struct.unpack_from("<iIiiI", data)
        if version not in (1, 2) or rate < 1 or zoom < 1 or (version == 2 and len(data) < 24):
            raise DeadwaxError("not a waveform in audiowaveform's .dat format")
        channels = struct.unpack_from("<i", data, 20)[0] if version == 2 else 1
        offset, code = (24 if version == 2 else 20), ("b" if flags & 1 else "h")
        if channels < 1 or len(data) < offset + count * channels * 2 * array(code).itemsize:
            raise DeadwaxError("a waveform is shorter than its header announces")
        return cls(rate, zoom, view(data, code, (count, channels, 2), offset))

    def to_bytes(self) -> bytes:
        """The bytes of audiowaveform's `.dat`; of a stored waveform, those of the library."""
        count = self.peaks.shape[0]
        header = (
            1 if self.channels == 1 else 2,
            int(self.bits == 8),
            self.sample_rate_hz,
            self.frames_per_point,
            count,
        )
        extra = struct.pack("<i", self.channels) if self.channels > 1 else b""
        return struct.pack("<iIiiI", *header) + extra + self.peaks.tobytes()

    def rescaled(self, frames_per_point: int, frame_count: int | None = None) -> Waveform:
        """The same at a coarser zoom, without decoding.

        At a multiple of the present zoom it equals peaks that are computed from the samples; at others a point may be
        off by up to one of the present points. `frame_count`, the length
        of the recording, makes a last point take what remains, so that there are as many as in computed peaks.
        """
        old, new = self.frames_per_point, frames_per_point
        if new < old:
            raise DeadwaxError(f"peaks at {old} frames per point cannot become finer ({new}): ask the library for them")
        count = self.peaks.shape[0]
        if new == old or count == 0:
            return Waveform(self.sample_rate_hz, new, self.peaks)
        last = (frame_count - 1) // new if frame_count else count
        starts = [0]
        while len(starts) <= last and (start := len(starts) * new // old) < count:
            starts.append(start)
        return Waveform(self.sample_rate_hz, new, _reduced(self.peaks, starts))


def _reduced(peaks: Array, starts: list[int]) -> Array:
    """The extremes of the points from each start to the next one, and from the last one to the end."""
    if np is not None:
        low = np.minimum.reduceat(peaks[:, :, 0], starts, axis=0)
        high = np.maximum.reduceat(peaks[:, :, 1], starts, axis=0)
        return np.stack([low, high], axis=2)
    memory: Any = peaks
    count, channels, _ = memory.shape
    flat = memory.cast("B").cast(memory.format).tolist()
    result = array(memory.format)
    for start, end in zip(starts, [*starts[1:], count], strict=True):
        points = flat[start * channels * 2 : end * channels * 2]
        for channel in range(channels):
            result.append(min(points[2 * channel :: 2 * channels]))
            result.append(max(points[2 * channel + 1 :: 2 * channels]))
    return view(result, memory.format, (len(starts), channels, 2))


@dataclass(frozen=True, eq=False)
class BandLevels:
    """RMS of the mono mix over time, of the whole band and of three bands whose powers add up to it."""

    sample_rate_hz: int
    frames_per_point: int
    levels_db: Array
    """(points, 4), float32 in dBFS, -120 (or below) to 7.5: whole; below 600 Hz; 600 Hz to 4 kHz; above 4 kHz."""

    @classmethod
    def from_bytes(cls, data: bytes) -> BandLevels:
        """Reads the product `waveform-energy`."""
        if len(data) < 12:
            raise DeadwaxError("levels have at least 12 bytes")
        rate, zoom, count = struct.unpack_from("<III", data)
        if len(data) < 12 + 4 * count:
            raise DeadwaxError("levels are shorter than their header announces")
        return cls(rate, zoom, levels(data, (count, 4), 12))


def levels(data: bytes, shape: tuple[int, ...], offset: int) -> Array:
    """Levels that are stored in one byte, in dB."""
    return scaled(view(data, "B", shape, offset), 0.5, -120)
