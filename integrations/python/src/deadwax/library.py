"""A library, opened for reading."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from . import statements
from .arrays import view
from .command import Command, PathLike
from .database import DeadwaxError, connect, default_path, explained
from .fingerprint import Fingerprint
from .loudness import LoudnessHistogram
from .music import Chroma, Landmarks, Rhythm, Similarity
from .records import Measures, Part, Preset, Product, Track
from .segment import Segment
from .shards import Shards
from .spectrum import Spectrogram, Spectrum
from .waveform import BandLevels, Waveform

TrackLike = Track | int
Self = TypeVar("Self", bound="Library")


class Library:
    """A library that is only read: scans and other commands may go on meanwhile.

    What is stored comes from the file itself; queries and what must be decoded come from the command. Every method
    raises `DeadwaxError`. A library belongs to the thread that opened it; others open their own.

    `path` is by default that of the command; `timeout` is how many seconds to wait while another process
    locks the file.
    """

    def __init__(self, path: PathLike | None = None, *, command: PathLike | None = None, timeout: float = 30):
        self.path = Path(path) if path is not None else default_path()
        self.command = Command(command)
        self._connection = connect(self.path, timeout)
        self._shards = Shards(self.path, timeout)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of files, those that are missing included."""
        return int(self._one("SELECT coalesce(sum(file_count), 0) FROM file_tally")[0])

    def __repr__(self) -> str:
        return f"Library({os.fspath(self.path)!r})"

    def close(self) -> None:
        """Closes the file; nothing else works afterwards."""
        self._connection.close()
        self._shards.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, everything is read from one state of the library, whatever is written meanwhile."""
        self._one("BEGIN")
        try:
            self._one("SELECT 1 FROM log_mark")
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    # Tracks

    def tracks(self, page: int = 1_000) -> Iterator[Track]:
        """All files, in the order in which they came into the library, in bounded memory.

        Each page of rows is a transaction of its own, so that nobody has to wait for a slow reader.
        """
        after = 0
        while rows := list(self.rows(statements.TRACKS_PAGE, {"after": after, "limit": page})):
            yield from map(_track, rows)
            after = rows[-1][2]

    def track(self, which: int | PathLike) -> Track:
        """A file by its path, or the first file of a recording by its id, preferably one that is not missing."""
        if isinstance(which, int):
            row = self._first(statements.TRACK_BY_ID, {"id": which})
        else:
            row = self._row_at(os.fsencode(os.path.abspath(which)))
        if row is None:
            raise DeadwaxError(f"{which}: not in {self.path}; `deadwax scan` adds new files")
        return _track(row)

    def query(self, *query: str, sort: str | None = None, limit: int | None = None) -> Iterator[Track]:
        """The files that a query finds, in its order; ``deadwax help query`` explains queries.

        `sort` and `limit` are those of ``deadwax ls``. Files that leave the library meanwhile are left out.
        """
        for path in self.command.paths(self.path, query, sort, limit):
            if row := self._row_at(path):
                yield _track(row)

    def select(
        self, *query: str, fields: Iterable[str], sort: str | None = None, limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """Fields of the files that a query finds, also computed ones such as ``band(1000)``, as in ``ls --json``."""
        return self.command.rows(self.path, query, fields, sort, limit)

    def tags(self, track: Track) -> dict[str, list[str]]:
        """Every tag of a file with all its values, by TagLib's property names (``ALBUMARTIST``), sorted."""
        result: dict[str, list[str]] = {}
        for name, value in self.rows(statements.TAGS, {"id": track.file_id}):
            result.setdefault(name, []).append(value)
        return result

    def attributes(self, track: TrackLike) -> dict[str, str]:
        """What the owner says about a recording: ``rating`` (0 to 100) and attributes of their own."""
        return dict(self.rows(statements.ATTRIBUTES, {"id": self._id(track)}))

    def parts(self, track: Track) -> list[Part]:
        """The chapters of a file, or the tracks of its CUE sheet."""
        rate = track.sample_rate_hz

        def seconds(frame: int) -> float | None:
            return frame / rate if rate else None

        return [
            Part(number, source, start, end, seconds(start), seconds(end), *texts)
            for number, source, start, end, *texts in self.rows(statements.PARTS, {"id": track.file_id})
        ]

    def presets(self) -> list[Preset]:
        """The presets of the library by name; those that come with the program are not among them."""
        return [
            Preset(name, {"schema": 1, "name": name} | json.loads(document))
            for name, document in self.rows("SELECT name, document FROM preset ORDER BY name_key")
        ]

    # Products

    def products(self, track: TrackLike) -> list[str]:
        """The kinds of analyses that are stored of a recording, in this library or in a shard of it."""
        own = {kind for (kind,) in self.rows(statements.KINDS, {"id": self._id(track)})}
        return sorted(own | {kind for (kind,) in self._in_shards(self._id(track), statements.KINDS)})

    def product(self, track: TrackLike, kind: str) -> Product:
        """A stored analysis as bytes, whose length and checksum are right."""
        row = self._first(statements.PRODUCT, {"id": self._id(track), "kind": kind})
        if row is None:
            row = next(iter(self._in_shards(self._id(track), statements.PRODUCT, kind)), None)
        if row is None:
            raise DeadwaxError(f"track {self._id(track)} has no {kind}: `deadwax reanalyze --missing` computes it")
        version, parameters, byte_count, checksum, data = row
        if len(data) != byte_count or zlib.crc32(data) != checksum & 0xFFFFFFFF:
            raise DeadwaxError(f"the {kind} of track {self._id(track)} is damaged: `deadwax reanalyze` replaces it")
        return Product(kind, version, parameters, data)

    def waveform(
        self, track: TrackLike, zoom: int | None = None, *, split_channels: bool = False, bits: int = 8
    ) -> Waveform:
        """The peaks of a recording at `zoom` frames per point, by default as stored (256, of channels 512).

        Multiples of the stored zoom are computed from what is stored; the file is decoded for other zooms, 16 bits, and
        channels beyond the eighth.
        """
        reference = track if isinstance(track, Track) else self.track(track)
        mono = not split_channels or reference.channels == 1
        count = 1 if mono else reference.channels or 0
        kind = "waveform" if mono else "waveform-channels"
        if bits == 8 and kind in self.products(reference):
            stored = Waveform.from_bytes(self.product(reference, kind).bytes)
            zoom = zoom or stored.frames_per_point
            if zoom % stored.frames_per_point == 0 and stored.channels == count:
                return stored.rescaled(zoom, self._decoded_frames(reference))
        return Waveform.from_bytes(
            self.command.waveform(self.path, self._id(reference), zoom or (256 if mono else 512), bits, split_channels)
        )

    def band_levels(self, track: TrackLike) -> BandLevels:
        """RMS over time, whole and in three bands, at 1,024 frames per point."""
        return BandLevels.from_bytes(self.product(track, "waveform-energy").bytes)

    def spectrum(self, track: TrackLike) -> Spectrum:
        """Mean and maximum over the whole recording, in 80 bands and 1,025 bins."""
        return Spectrum.from_bytes(self.product(track, "spectrum").bytes)

    def spectrogram(self, track: TrackLike) -> Spectrogram:
        """80 bands at four columns a second."""
        return Spectrogram.from_bytes(self.product(track, "spectrogram").bytes)

    def loudness(self, track: TrackLike) -> LoudnessHistogram:
        """The histogram of gating blocks; the loudness itself is among the measures."""
        return LoudnessHistogram.from_bytes(self.product(track, "loudness").bytes)

    def fingerprint(self, track: TrackLike) -> Fingerprint:
        """Chromaprint's fingerprint of the first 120 s."""
        return Fingerprint.from_bytes(self.product(track, "fingerprint").bytes)

    def landmarks(self, track: TrackLike) -> Landmarks:
        """The peaks by which excerpts and copies are found."""
        return Landmarks.from_bytes(self.product(track, "landmarks").bytes)

    def rhythm(self, track: TrackLike) -> Rhythm:
        """Onsets 43 times a second, and the tempi that fit."""
        return Rhythm.from_bytes(self.product(track, "rhythm").bytes)

    def chroma(self, track: TrackLike) -> Chroma:
        """Which pitches sound, by tenths of a semitone."""
        return Chroma.from_bytes(self.product(track, "chroma").bytes)

    def similarity(self, track: TrackLike) -> Similarity:
        """What ``deadwax similar`` compares."""
        return Similarity.from_bytes(self.product(track, "similarity").bytes)

    def segment(self, track: TrackLike, start_seconds: float = 0, end_seconds: float | None = None) -> Segment:
        """Decoded frames, from `start x rate` to before `end x rate`, both rounded down; the file must be there."""
        reference = track if isinstance(track, Track) else self.track(track)
        rate, channels = reference.sample_rate_hz, reference.channels
        if not rate or not channels:
            raise DeadwaxError(f"{reference.path}: has no decoded audio: {reference.problem_reason or reference.state}")
        length = self._decoded_frames(reference) or 0
        first = int(Fraction(start_seconds) * rate)
        end = length if end_seconds is None else min(int(Fraction(end_seconds) * rate), length)
        if not 0 <= first < end:
            raise DeadwaxError(f"{reference.path}: nothing from {start_seconds} s on: it lasts {length / rate} s")
        # The middle of a frame's time, so that no rounding of decimals leads to its neighbour.
        data = self.command.segment(self.path, self._id(reference), (first + 0.5) / rate, (end + 0.5) / rate)
        if len(data) != 4 * channels * (end - first):
            raise DeadwaxError(f"{reference.path}: sent {len(data)} bytes instead of {4 * channels * (end - first)}")
        return Segment(rate, first, view(data, "f", (end - first, channels)))

    # SQL

    def rows(self, statement: str, arguments: Mapping[str, Any] | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement in SQL, for what has no method: schema.sql explains the tables."""
        try:
            yield from self._connection.execute(statement, arguments or {})
        except sqlite3.Error as error:
            raise explained(self.path, error) from error

    def _in_shards(self, recording: int, statement: str, kind: str | None = None) -> list[tuple[Any, ...]]:
        """What a shard says of a recording of this library."""
        names = list(self.rows(statements.HASHES, {"id": recording}))
        return self._shards.rows([name for name, _ in names], names[0][1], statement, kind) if names else []

    def _first(self, statement: str, arguments: Mapping[str, Any]) -> tuple[Any, ...] | None:
        return next(self.rows(statement, arguments), None)

    def _one(self, statement: str) -> tuple[Any, ...]:
        return next(self.rows(statement), ())

    def _row_at(self, path: bytes) -> tuple[Any, ...] | None:
        """The row of the file at an absolute path, which may lie below several roots."""
        for root_id, root in self.rows("SELECT id, path FROM root ORDER BY length(path) DESC"):
            prefix = root if root.endswith(b"/") else root + b"/"
            if path.startswith(prefix):
                row = self._first(statements.TRACK_AT, {"root": root_id, "path": path[len(prefix) :]})
                if row:
                    return row
        return None

    def _decoded_frames(self, track: Track) -> int | None:
        """Of the recording, which another file may trim differently."""
        row = self._first("SELECT decoded_frames FROM audio WHERE id = :id", {"id": track.id})
        return row[0] if row else None

    def _id(self, track: TrackLike) -> int:
        if isinstance(track, int):
            return track
        if track.id is None:
            raise DeadwaxError(f"{track.path}: contains no recording: {track.problem_reason or track.state}")
        return track.id


def _track(row: tuple[Any, ...]) -> Track:
    recording, audio_hash, file_id, root, path, size, mtime, state, code, reason, added, *rest = row
    described, measures = rest[: -statements.MEASURE_COUNT], rest[-statements.MEASURE_COUNT :]
    fields = [
        recording,
        audio_hash.hex() if audio_hash is not None else None,
        file_id,
        Path(os.fsdecode(os.path.join(root, path))),
        size,
        mtime,
        state,
        code,
        reason,
        datetime.fromtimestamp(added, timezone.utc),
        *described,
        Measures(*measures) if measures[0] is not None else None,
    ]
    return Track(*fields)
