"""What a library knows in numbers and words: a row of a table each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Measures:
    """Single numbers about a recording, named as in ``deadwax show --json``; None is what could not be measured."""

    version: int
    parameters: str
    sample_peak_dbfs: float | None
    rms_dbfs: float | None
    crest_db: float | None
    dc_offset: float | None
    clipped_samples: int | None
    silence_start_seconds: float | None
    silence_end_seconds: float | None
    nonfinite_samples: int | None
    loudness_lufs: float | None
    """Integrated, ITU-R BS.1770-4."""
    loudness_range_lu: float | None
    """EBU Tech 3342."""
    momentary_max_lufs: float | None
    short_term_max_lufs: float | None
    true_peak_dbtp: float | None
    centroid_hz: float | None
    rolloff_hz: float | None
    """Below it lie 85 % of the power."""
    rolloff95_hz: float | None
    flatness: float | None
    """0 (a tone) to 1 (noise)."""
    cutoff_hz: float | None
    """Above it nothing is left."""
    cutoff_confidence: float | None
    """0 to 1."""


@dataclass(frozen=True, slots=True)
class Track:
    """A file with the recording that it holds, as a line of ``deadwax ls``; several files may hold one recording."""

    id: int | None
    """Of the recording, as the command's TRACK; None if the file could not be identified."""
    hash: str | None
    """Of the recording: 32 hexadecimal digits, the same in every library."""
    file_id: int
    path: Path
    """Absolute; bytes that are not UTF-8 are surrogates, as in `os.fsdecode`."""
    size_bytes: int
    mtime_ns: int
    state: str
    """ok, damaged, empty, unsupported, unreadable, timeout, crashed, oversize, pending or missing."""
    problem_code: str | None
    problem_reason: str | None
    added_at: datetime
    """In UTC."""
    title: str | None
    artist: str | None
    album: str | None
    albumartist: str | None
    genre: str | None
    composer: str | None
    comment: str | None
    year: int | None
    date: str | None
    """YYYY, YYYY-MM or YYYY-MM-DD."""
    track: int | None
    track_total: int | None
    disc: int | None
    disc_total: int | None
    container: str | None
    codec: str | None
    bits: int | None
    bitrate_bps: int | None
    sample_rate_hz: int | None
    channels: int | None
    declared_frames: int | None
    """By the headers, after trimming."""
    decoded_frames: int | None
    """Counted, as this file trims."""
    duration_seconds: float | None
    measures: Measures | None


@dataclass(frozen=True, slots=True)
class Product:
    """A stored analysis of a recording as bytes, whose layout docs/formats.md gives for each kind and version."""

    kind: str
    version: int
    parameters: str
    bytes: bytes


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter of a file, or a track of its CUE sheet; ``deadwax`` calls it TRACK#number."""

    number: int
    source: str
    start_frame: int
    end_frame: int
    """The first frame that is no longer part of it."""
    start_seconds: float | None
    end_seconds: float | None
    title: str | None
    artist: str | None
    songwriter: str | None
    genre: str | None
    date: str | None
    isrc: str | None


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings of sound with a name."""

    name: str
    document: dict[str, Any]
    """As ``deadwax preset export --format json`` writes it; docs/formats.md has the keys."""
