"""Writes a library as Parquet, for DuckDB, Spark and other engines: ``python -m deadwax.parquet LIBRARY OUT``.

Four tables, each in partitions as engines know them (`name=value` folders):

- ``recording/generation=G/first_byte=B``: what was measured, a row for each recording, sorted by hash
- ``file/generation=G/bucket=N``: a row for each file with its tags, sorted by path
- ``fingerprint/first_byte=B``: Chromaprint's words
- ``product/kind=K/first_byte=B``: the stored bytes, sorted by hash, row groups of at most 1,000

B is the first byte of the hash, 0 to 255. What users decide (ratings, lists, presets) is not among them.
``_manifest.json`` has the rows and bytes of each table and is written last.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .buckets import bucket_count, bucket_of
from .database import SCHEMA_VERSION, DeadwaxError
from .library import Library
from .tables import TABLES, Table, batches

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
except ImportError as error:
    raise DeadwaxError("Parquet needs pyarrow: pip install 'deadwax[parquet]'") from error

FILES_PER_BUCKET = 100_000
GROUP_BYTES = 32 << 20


def write(library: Library, out: Path, *, generation: str | None = None, overwrite: bool = False) -> dict[str, Any]:
    """Writes one state of a library and returns the manifest; `out` has its name only once it is complete.

    `generation` is by default the mark of that state, so the same library always gives the same files. Memory is
    bounded by some row groups of 32 MiB, whatever the library has.
    """
    if out.exists() and not overwrite:
        raise DeadwaxError(f"{out}: already exists; --overwrite replaces it", 1)
    if out.exists() and not (out / "_manifest.json").exists():
        raise DeadwaxError(f"{out}: was not written by this command, and is kept", 1)
    pending = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    pending.mkdir(parents=True)
    try:
        with library.snapshot():
            manifest = _write_tables(library, pending, generation)
        (pending / "_manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
        if out.exists():
            old = out.with_name(f".{out.name}.{os.getpid()}.old")
            out.rename(old)
            pending.rename(out)
            shutil.rmtree(old)
        else:
            pending.rename(out)
    except OSError as error:
        raise DeadwaxError(f"{out}: {error}", 1) from error
    finally:
        shutil.rmtree(pending, ignore_errors=True)
    return manifest


def _write_tables(library: Library, folder: Path, generation: str | None) -> dict[str, Any]:
    generation = generation or next(library.rows("SELECT hex(current) FROM log_mark"))[0][:16].lower()
    tables: dict[str, dict[str, int]] = {}
    recordings = folder / "recording" / f"generation={generation}"
    tables["recording"] = _by_hash(library, "recording", recordings, group_rows=65_536)
    tables["file"] = _files(library, folder / "file" / f"generation={generation}")
    tables["fingerprint"] = _by_hash(library, "fingerprint", folder / "fingerprint", group_rows=10_000)
    tables["product"] = {"rows": 0, "bytes": 0, "files": 0}
    for (kind,) in list(library.rows("SELECT DISTINCT kind FROM product ORDER BY kind")):
        written = _by_hash(library, "product", folder / "product" / f"kind={kind}", group_rows=1_000, kind=kind)
        tables["product"] = {key: count + written[key] for key, count in tables["product"].items()}
    program = {"package": version("deadwax"), "library_schema": SCHEMA_VERSION}
    return {"schema": 1, "generation": generation, **program, "tables": tables}


def _by_hash(library: Library, name: str, folder: Path, *, group_rows: int, kind: str | None = None) -> dict[str, int]:
    """A file for each first byte of the hash that occurs."""
    table = TABLES[name]
    if kind is not None:
        # The kind is in the name of the folder.
        table = Table(table.columns[:-1], table.source, "audio.hash")
    total = {"rows": 0, "bytes": 0, "files": 0}
    for byte in range(256):
        bounds = {"first": bytes([byte]), "end": bytes([byte + 1] if byte < 255 else 17 * [255]), "kind": kind}
        where = "audio.hash >= :first AND audio.hash < :end" + (" AND product.kind = :kind" if kind else "")
        with _PartitionWriter(folder / f"first_byte={byte}", table, group_rows, GROUP_BYTES) as writer:
            for batch in batches(library, table, where, bounds):
                writer.add(batch)
        total = {key: count + writer.written[key] for key, count in total.items()}
    return total


def _files(library: Library, folder: Path) -> dict[str, int]:
    """All buckets at once, because rows come in the order of paths."""
    table = TABLES["file"]
    count = bucket_count(len(library), FILES_PER_BUCKET)
    writers = [_PartitionWriter(folder / f"bucket={b}", table, 16_384, GROUP_BYTES // count) for b in range(count)]
    try:
        for batch in batches(library, table):
            buckets = [bucket_of(path, count) for path in batch.column("path_bytes").to_pylist()]
            for bucket in sorted(set(buckets)):
                writers[bucket].add(batch.filter(pa.array([b == bucket for b in buckets])))
    finally:
        for writer in writers:
            writer.close()
    return {key: sum(writer.written[key] for writer in writers) for key in ("rows", "bytes", "files")}


class _PartitionWriter:
    """One Parquet file, made when the first row comes; rows are kept until they are a row group."""

    def __init__(self, folder: Path, table: Table, group_rows: int, group_bytes: int):
        self.written = {"rows": 0, "bytes": 0, "files": 0}
        self._folder, self._table = folder, table
        self._group_rows, self._group_bytes = group_rows, group_bytes
        self._held: list[pa.RecordBatch] = []
        self._file: pq.ParquetWriter | None = None

    def __enter__(self) -> _PartitionWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, batch: pa.RecordBatch) -> None:
        """Writes a row group if there is enough for one."""
        self._held.append(batch)
        self.written["rows"] += batch.num_rows
        if "bytes" in batch.schema.names:
            self.written["bytes"] += pc.sum(pc.binary_length(batch.column("bytes"))).as_py()
        rows = sum(held.num_rows for held in self._held)
        if rows >= self._group_rows or sum(held.nbytes for held in self._held) >= self._group_bytes:
            self._flush()

    def close(self) -> None:
        """Writes what is left."""
        self._flush()
        if self._file:
            self._file.close()

    def _flush(self) -> None:
        if not self._held:
            return
        if self._file is None:
            self._folder.mkdir(parents=True)
            # What occurs once, or nearly so, gains nothing by a dictionary.
            plain = {"hash", "stream_hash", "bytes", "words", "path", "path_bytes", "checksum"}
            repeated = [name for name in self._table.schema.names if name not in plain | {"tags"}]
            self._file = pq.ParquetWriter(
                self._folder / "part-0.parquet", self._table.schema, compression="zstd", use_dictionary=repeated
            )
            self.written["files"] = 1
        self._file.write_table(pa.Table.from_batches(self._held), row_group_size=self._group_rows)
        self._held = []


def main(words: Iterable[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m deadwax.parquet", description="Write a library as Parquet.")
    parser.add_argument("library", help="the library file")
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--generation", help="the name of this state (default: the library's own mark)")
    parser.add_argument("--overwrite", action="store_true", help="replace an earlier export")
    options = parser.parse_args(None if words is None else list(words))
    try:
        with Library(options.library) as library:
            manifest = write(library, options.out, generation=options.generation, overwrite=options.overwrite)
    except DeadwaxError as error:
        print(f"deadwax.parquet: {error}", file=sys.stderr)
        return 1
    for name, counts in manifest["tables"].items():
        print(f"{name}: {counts['rows']} rows in {counts['files']} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
