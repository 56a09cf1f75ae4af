"""A library as Arrow tables: recordings, files, fingerprints and products, in batches of bounded size.

>>> from deadwax import Library
>>> from deadwax.tables import reader
>>> with Library("library.sqlite") as library:          # doctest: +SKIP
...     files = reader(library, "file").read_all()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .database import DeadwaxError
from .fingerprint import Fingerprint
from .library import Library
from .statements import FILE_TAGS, MEASURES

try:
    import pyarrow as pa
except ImportError as error:
    raise DeadwaxError("Arrow tables need pyarrow: pip install 'deadwax[arrow]'") from error

BATCH_ROWS = 1_000


@dataclass(frozen=True)
class Column:
    """A column of a table; `read`, if any, makes its value of what the expression in SQL gives."""

    name: str
    type: pa.DataType
    sql: str
    read: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Table:
    """What a table of Arrow or Parquet has, and how it comes out of a library."""

    columns: tuple[Column, ...]
    source: str
    """After FROM."""
    order: str

    @property
    def schema(self) -> pa.Schema:
        """The names and types."""
        return pa.schema([(column.name, column.type) for column in self.columns])


def reader(library: Library, name: str) -> pa.RecordBatchReader:
    """A table of `TABLES`; pages are read as they are asked for."""
    return pa.RecordBatchReader.from_batches(TABLES[name].schema, batches(library, TABLES[name]))


def batches(
    library: Library, table: Table, where: str = "1", arguments: Mapping[str, Any] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a table that match a condition in SQL, in its order, by `BATCH_ROWS` or some 16 MiB."""
    expressions = ", ".join(column.sql for column in table.columns)
    statement = f"SELECT {expressions} FROM {table.source} WHERE {where} ORDER BY {table.order}"
    held: list[tuple[Any, ...]] = []
    byte_count = 0
    for row in library.rows(statement, arguments):
        held.append(row)
        byte_count += sum(len(value) for value in row if isinstance(value, (bytes, str)))
        if len(held) == BATCH_ROWS or byte_count > 16 << 20:
            yield _batch(table, held)
            held, byte_count = [], 0
    if held:
        yield _batch(table, held)


def _batch(table: Table, rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    arrays = []
    for column, values in zip(table.columns, zip(*rows, strict=True), strict=True):
        read = column.read
        arrays.append(pa.array(values if read is None else map(read, values), column.type, size=len(values)))
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)


def _tag_map(text: str) -> list[tuple[str, list[str]]]:
    values: dict[str, list[str]] = {}
    for name, value in json.loads(text):
        values.setdefault(name, []).append(value)
    return list(values.items())


def _words(data: bytes) -> list[int]:
    words: list[int] = Fingerprint.from_bytes(data).words.tolist()
    return words


_hash, _text, _int, _float = pa.binary(16), pa.string(), pa.int64(), pa.float64()
_seconds = pa.timestamp("s", "UTC")

# Columns of `measures` whose names in documents differ.
_NAMES = {
    "version": "measures_version",
    "parameters": "measures_parameters",
    "silence_start_s": "silence_start_seconds",
    "silence_end_s": "silence_end_seconds",
    "rolloff85_hz": "rolloff_hz",
}
_INTEGERS = {"version", "clipped_samples", "nonfinite_samples", "year", "track", "track_total", "disc", "disc_total"}


def _typed(name: str) -> pa.DataType:
    return _int if name in _INTEGERS else _text if name == "parameters" else _float


TABLES = {
    "recording": Table(
        (
            Column("hash", _hash, "audio.hash"),
            Column("sample_rate_hz", _int, "sample_rate_hz"),
            Column("channels", _int, "channels"),
            Column("decoded_frames", _int, "decoded_frames"),
            Column("duration_seconds", _float, "duration_s"),
            Column("state", _text, "state"),
            Column("problem_code", _text, "problem_code"),
            Column("problem_reason", _text, "problem_reason"),
            Column("problem_position_seconds", _float, "problem_position_s"),
            Column("basis", _text, "basis"),
            Column("file_count", _int, "file_count"),
            Column("added_at", _seconds, "added_at"),
            *(Column(_NAMES.get(name, name), _typed(name), f"measures.{name}") for name in MEASURES),
        ),
        "audio LEFT JOIN measures ON measures.audio_id = audio.id",
        "audio.hash",
    ),
    "file": Table(
        (
            Column("root", _text, "root.path_text"),
            Column("path", _text, "file.path_text"),
            Column("filename", _text, "file.name_text"),
            Column("path_bytes", pa.binary(), "file.path"),
            Column("hash", _hash, "audio.hash"),
            Column("stream_hash", _hash, "stream.hash"),
            Column("size_bytes", _int, "file.size_bytes"),
            Column("mtime", pa.timestamp("ns", "UTC"), "file.mtime_ns"),
            Column("added_at", _seconds, "file.added_at"),
            Column("state", _text, "file.state"),
            Column("problem_code", _text, "file.problem_code"),
            Column("problem_reason", _text, "file.problem_reason"),
            Column("container", _text, "file.container"),
            Column("codec", _text, "stream.codec"),
            Column("bits", _int, "stream.bits"),
            Column("bitrate_bps", _int, "stream.bitrate_bps"),
            Column("declared_frames", _int, "file.declared_frames"),
            Column("decoded_frames", _int, "file.decoded_frames"),
            Column("duration_seconds", _float, "file.duration_s"),
            *(Column(name, _int if name in _INTEGERS else _text, f"file.{name}") for name in FILE_TAGS),
            Column(
                "tags",
                pa.map_(_text, pa.list_(_text)),
                "(SELECT json_group_array(json_array(name, value)) FROM"
                " (SELECT name, value FROM file_tag WHERE file_id = file.id ORDER BY name, position))",
                _tag_map,
            ),
        ),
        "root CROSS JOIN file ON file.root_id = root.id LEFT JOIN audio ON audio.id = file.audio_id"
        " LEFT JOIN stream ON stream.id = file.stream_id",
        "root.path, file.path",
    ),
    "fingerprint": Table(
        (
            Column("hash", _hash, "audio.hash"),
            Column("version", _int, "product.version"),
            Column("duration_seconds", _float, "duration_s"),
            Column("words", pa.list_(pa.uint32()), "product_blob.bytes", _words),
        ),
        "audio JOIN product ON product.audio_id = audio.id AND product.kind = 'fingerprint'"
        " JOIN product_blob ON product_blob.product_id = product.id",
        "audio.hash",
    ),
    "product": Table(
        (
            Column("hash", _hash, "audio.hash"),
            Column("version", _int, "product.version"),
            Column("parameters", _text, "product.parameters"),
            Column("checksum", pa.int64(), "product_blob.checksum"),
            Column("bytes", pa.binary(), "product_blob.bytes"),
            Column("kind", _text, "product.kind"),
        ),
        "audio JOIN product ON product.audio_id = audio.id JOIN product_blob ON product_blob.product_id = product.id",
        "audio.hash, product.kind",
    ),
}
