"""Levels over frequency, for a whole recording and over time."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import floats, scaled, view
from .database import DeadwaxError
from .waveform import levels

if TYPE_CHECKING:
    from .arrays import Array


def band_edges(count: int) -> Array:
    """Where bands begin and end in Hz: (count + 1), float32, logarithmic from 100 to 18,000."""
    return floats((100 * 180 ** (band / count) for band in range(count + 1)), (count + 1,))


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Mean power and maximum over a whole recording, in float32 dB relative to a full-scale sine, -120 to 120."""

    sample_rate_hz: int
    edges_hz: Array
    """(bands + 1): band b reaches from edge b to edge b + 1. Bands above half the sample rate are at -120."""
    mean_db: Array
    """(bands), of the mono mix."""
    max_db: Array
    channel_mean_db: Array
    """(channels, bands): the first two channels; no rows if the recording is mono."""
    channel_max_db: Array
    bins_hz: Array
    """(bins): linear, from 0 to half the sample rate."""
    bin_mean_db: Array
    """(bins), of the mono mix."""
    bin_max_db: Array

    @classmethod
    def from_bytes(cls, data: bytes) -> Spectrum:
        """Reads the product `spectrum`."""
        if len(data) < 12:
            raise DeadwaxError("a spectrum has at least 12 bytes")
        rate, bands, channels, bins = struct.unpack_from("<IHHI", data)
        if len(data) < 12 + 4 * bands * (1 + channels) + 4 * bins:
            raise DeadwaxError("a spectrum is shorter than its header announces")

        def rows(kind: int) -> Array:
            """Those of all the channels; what is stored goes channel by channel, each with both kinds."""
            each = [data[12 + 4 * bands * (1 + c) + 2 * bands * kind :][: 2 * bands] for c in range(channels)]
            return scaled(view(b"".join(each), "h", (channels, bands)), 0.01)

        def row(count: int, offset: int) -> Array:
            return scaled(view(data, "h", (count,), offset), 0.01)

        end = 12 + 4 * bands * (1 + channels)
        return cls(
            sample_rate_hz=rate,
            edges_hz=band_edges(bands) if bands else floats((), (0,)),
            mean_db=row(bands, 12),
            max_db=row(bands, 12 + 2 * bands),
            channel_mean_db=rows(0),
            channel_max_db=rows(1),
            bins_hz=floats((k * rate / 2 / max(bins - 1, 1) for k in range(bins)), (bins,)),
            bin_mean_db=row(bins, end),
            bin_max_db=row(bins, end + 2 * bins),
        )


@dataclass(frozen=True, eq=False)
class Spectrogram:
    """The mean power of the mono mix in the bands of the spectrum, over time."""

    columns_per_second: float
    """4, less in very long recordings."""
    edges_hz: Array
    """(bands + 1)."""
    levels_db: Array
    """(columns, bands), float32 in dB relative to a full-scale sine, -120 (or below) to 7.5; lowest band first."""

    @classmethod
    def from_bytes(cls, data: bytes) -> Spectrogram:
        """Reads the product `spectrogram`."""
        if len(data) < 16:
            raise DeadwaxError("a spectrogram has at least 16 bytes")
        rate, bands, columns = struct.unpack_from("<dII", data)
        if len(data) < 16 + bands * columns:
            raise DeadwaxError("a spectrogram is shorter than its header announces")
        return cls(rate, band_edges(bands) if bands else floats((), (0,)), levels(data, (columns, bands), 16))
