"""Parquet: read back by pyarrow and DuckDB, it has the rows, sums and bytes of the library."""

import json
import re
import resource
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from program import COMMAND, documents

from deadwax import DeadwaxError, Library, parquet
from deadwax.buckets import bucket_count, bucket_of
from deadwax.tables import TABLES, reader

QUESTIONS = Path(__file__).parents[1] / "examples" / "questions.sql"


@pytest.fixture(scope="session")
def exported(made, tmp_path_factory):
    out = tmp_path_factory.mktemp("parquet") / "out"
    with Library(made, command=COMMAND) as library:
        manifest = parquet.write(library, out)
    assert json.loads((out / "_manifest.json").read_text()) == manifest
    return out, manifest


def count(library, table):
    return next(library.rows(f"SELECT count(*) FROM {table}"))[0]


def test_pyarrow_reads_the_rows_and_bytes_of_the_library(library, exported):
    out, manifest = exported
    recordings = ds.dataset(out / "recording", partitioning="hive").to_table()
    files = ds.dataset(out / "file", partitioning="hive").to_table()
    fingerprints = ds.dataset(out / "fingerprint", partitioning="hive").to_table()
    products = ds.dataset(out / "product", partitioning="hive").to_table()
    counts = {name: part["rows"] for name, part in manifest["tables"].items()}
    assert counts["recording"] == recordings.num_rows == count(library, "audio") > 20
    assert counts["file"] == files.num_rows == len(library)
    assert counts["fingerprint"] == fingerprints.num_rows
    assert counts["product"] == products.num_rows == count(library, "product")

    stored = {
        (audio_hash, kind): row
        for audio_hash, kind, *row in library.rows(
            "SELECT audio.hash, kind, version, parameters, checksum, bytes FROM product"
            " JOIN product_blob ON product_id = product.id JOIN audio ON audio.id = audio_id"
        )
    }
    read = products.select(["hash", "kind", "version", "parameters", "checksum", "bytes"]).to_pylist()
    assert {(row["hash"], row["kind"]): list(row.values())[2:] for row in read} == stored
    assert manifest["tables"]["product"]["bytes"] == sum(len(row[-1]) for row in stored.values())
    assert all(row["first_byte"] == row["hash"][0] for table in (recordings, products) for row in table.to_pylist())

    words = {row["hash"].hex(): row["words"] for row in fingerprints.to_pylist()}
    for track in library.query("state:ok"):
        assert words[track.hash] == library.fingerprint(track).words.tolist()


def test_pyarrow_reads_the_tracks_and_tags_of_the_library(library, exported):
    table = ds.dataset(exported[0] / "file", partitioning="hive").to_table()
    files = table.append_column("mtime_ns", table["mtime"].cast("int64")).drop(["mtime"]).to_pylist()
    recordings = {
        row["hash"]: row for row in ds.dataset(exported[0] / "recording", partitioning="hive").to_table().to_pylist()
    }
    rows = {row["root"].encode() + b"/" + row["path_bytes"]: row for row in files}
    for track in library.tracks():
        row = rows[str(track.path).encode(errors="surrogateescape")]
        assert dict(row["tags"]) == library.tags(track)
        for name in (
            "size_bytes",
            "state",
            "title",
            "year",
            "track_total",
            "codec",
            "bits",
            "duration_seconds",
            "added_at",
        ):
            assert row[name] == getattr(track, name), name
        assert row["mtime_ns"] == track.mtime_ns
        if track.measures:
            measured = recordings[bytes.fromhex(track.hash)]
            for name in ("loudness_lufs", "silence_end_seconds", "rolloff_hz", "cutoff_confidence", "clipped_samples"):
                assert measured[name] == getattr(track.measures, name), name


def test_duckdb_has_the_same_sums(library, exported, monkeypatch):
    monkeypatch.chdir(exported[0])
    sums = duckdb.sql(
        "SELECT count(*), sum(octet_length(bytes)) FROM read_parquet('product/*/*/*.parquet')"
    ).fetchall()[0]
    assert sums == next(library.rows("SELECT count(*), sum(byte_count) FROM product"))
    kinds = "SELECT kind, count(*), sum(checksum) FROM read_parquet('product/*/*/*.parquet', hive_partitioning = true)"
    stored = "SELECT kind, count(*), sum(checksum) FROM product JOIN product_blob ON product_id = id"
    assert duckdb.sql(f"{kinds} GROUP BY kind ORDER BY kind").fetchall() == list(
        library.rows(f"{stored} GROUP BY kind ORDER BY kind")
    )
    frames = duckdb.sql("SELECT count(*), sum(decoded_frames) FROM read_parquet('recording/*/*/*.parquet')").fetchall()[
        0
    ]
    assert frames == next(library.rows("SELECT count(*), sum(decoded_frames) FROM audio"))


def test_duckdb_answers_five_questions_as_the_command_does(made, exported, monkeypatch):
    monkeypatch.chdir(exported[0])
    view, *questions = re.split(r";\n", QUESTIONS.read_text().strip().removesuffix(";") + "\n")
    session = duckdb.connect()
    session.execute(view)
    assert len(questions) == 5
    for question in questions:
        command = re.search(r"^-- deadwax (.*)", question, re.MULTILINE)[1]
        words = shlex.split(command)
        answer = session.execute(question)
        names = [column[0] for column in answer.description]
        rows = [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
        expected = documents(words[0], "-L", made, *words[1:])
        assert len(rows) >= 2, question

        def ordered(rows):
            return sorted(
                ({k: v or None for k, v in row.items()} for row in rows), key=lambda row: json.dumps(row, default=str)
            )

        for ours, theirs in zip(ordered(rows), ordered(expected), strict=True):
            assert ours.keys() == theirs.keys()
            for name, value in theirs.items():
                assert ours[name] == (pytest.approx(value, abs=1e-5) if isinstance(value, float) else value), question


def test_rows_are_sorted_and_row_groups_are_small(exported):
    for path in exported[0].glob("recording/*/*/*.parquet"):
        hashes = pq.ParquetFile(path).read()["hash"].to_pylist()
        assert hashes == sorted(hashes)
    (path,) = exported[0].glob("file/*/*/*.parquet")
    paths = pq.ParquetFile(path).read()["path_bytes"].to_pylist()
    assert paths == sorted(paths)
    for path in exported[0].glob("product/*/*/*.parquet"):
        groups = pq.ParquetFile(path).metadata
        assert all(groups.row_group(index).num_rows <= 1_000 for index in range(groups.num_row_groups))


def test_the_same_library_gives_the_same_files(made, exported, tmp_path):
    words = [sys.executable, "-m", "deadwax.parquet", str(made), str(tmp_path / "again")]
    subprocess.run(words, check=True, capture_output=True)
    first = {path.relative_to(exported[0]): path.read_bytes() for path in exported[0].rglob("*") if path.is_file()}
    again = {p.relative_to(tmp_path / "again"): p.read_bytes() for p in (tmp_path / "again").rglob("*") if p.is_file()}
    assert first == again
    refused = subprocess.run(words, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "--overwrite" in refused.stderr
    subprocess.run([*words, "--overwrite"], check=True, capture_output=True)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def test_a_folder_of_others_is_kept(made, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("kept")
    with Library(made) as library, pytest.raises(DeadwaxError, match="is kept"):
        parquet.write(library, tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "precious").read_text() == "kept"


def test_the_first_and_the_last_hash_are_there(copied, tmp_path):
    with sqlite3.connect(copied) as rows:
        for hash_, order in ((b"\xff" * 16, "ASC"), (bytes(16), "DESC")):
            rows.execute(f"UPDATE audio SET hash = ? WHERE id = (SELECT id FROM audio ORDER BY id {order})", (hash_,))
    rows.close()
    with Library(copied) as library:
        tables = parquet.write(library, tmp_path / "out")["tables"]
        assert tables["recording"]["rows"] == count(library, "audio")
        assert tables["product"]["rows"] == count(library, "product")


def test_arrow_tables_are_the_tables_of_parquet(library):
    for name, table in TABLES.items():
        read = reader(library, name).read_all()
        assert read.schema == table.schema
        assert read.num_rows > 20


def test_buckets_split_and_nothing_else_moves():
    paths = [f"artist {n % 97}/album {n % 31}/{n}.flac".encode() for n in range(3_000)]
    for size in (1, 2, 16, 512):
        for path in paths:
            before, after = bucket_of(path, size), bucket_of(path, 2 * size)
            assert after in (before, before + size)
            assert before == bucket_of(path + b".other", size)
    assert len({bucket_of(path, 16) for path in paths}) == 16
    assert [bucket_count(files, 2_000) for files in (0, 2_000, 2_001, 1_000_000)] == [1, 1, 2, 512]


def test_memory_does_not_grow_with_the_library(copied, tmp_path):
    """A hundred waveforms of 4 MB each need no more than some row groups."""
    with sqlite3.connect(copied) as rows:
        rows.execute("DELETE FROM product WHERE kind <> 'waveform'")
        rows.execute(
            """WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 100)
               INSERT INTO audio (id, hash, state, added_at)
               SELECT 1000 + n, CAST(printf('%016d', n) AS BLOB), 'ok', 0 FROM count"""
        )
        rows.execute(
            "INSERT INTO product (id, audio_id, kind, version, parameters, byte_count, made_at)"
            " SELECT id, id, 'waveform', 1, '', 4000000, 0 FROM audio WHERE id > 1000"
        )
        rows.execute("INSERT INTO product_blob SELECT id, 0, randomblob(4000000) FROM audio WHERE id > 1000")
    rows.close()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    words = [sys.executable, "-m", "deadwax.parquet", str(copied), str(tmp_path / "out")]
    subprocess.run(words, check=True, capture_output=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak == before or peak < 400 << 10
