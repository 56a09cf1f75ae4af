"""The loudness of several recordings together begins with the histogram of each."""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import floats, view
from .database import DeadwaxError

if TYPE_CHECKING:
    from .arrays import Array


@dataclass(frozen=True, eq=False)
class LoudnessHistogram:
    """How many gating blocks (400 ms, one every 100 ms) have which loudness, by ITU-R BS.1770-4."""

    energy: float
    """Of all the blocks together; the loudness of an energy is -0.691 + 10 · log10(energy) LUFS."""
    lufs: Array
    """(bins), float32: where each bin begins; it is 0.1 LU wide."""
    counts: Array
    """(bins), uint32: blocks in each bin. Those at -70 LUFS or below are left out, those above 30 are in bin 999."""

    @classmethod
    def from_bytes(cls, data: bytes) -> LoudnessHistogram:
        """Reads the product `loudness`."""
        if len(data) < 12:
            raise DeadwaxError("a histogram of loudness has at least 12 bytes")
        energy, first, bins = struct.unpack_from("<dHH", data)
        counts = array("I")
        value = shift = 0
        for byte in data[12:]:
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                if value >> 32:
                    raise DeadwaxError("a count in a histogram of loudness is above 32 bits")
                counts.append(value)
                value = shift = 0
        if len(counts) != bins or shift:
            raise DeadwaxError(f"a histogram of loudness has {len(counts)} bins instead of {bins}")
        return cls(energy, floats((-70 + (first + b) / 10 for b in range(bins)), (bins,)), view(counts, "I", (bins,)))
