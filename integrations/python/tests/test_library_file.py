"""Opening: nothing is changed, nothing stays beside the file, and what cannot be read is explained."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tracemalloc

import pytest
from program import COMMAND, deadwax, write_tone

from deadwax import DeadwaxError, Library, database


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_reading_leaves_the_folder_as_it_was(copied):
    before = digest(copied)
    with Library(copied) as library:
        assert len(list(library.tracks())) == len(library)
    assert [path.name for path in copied.parent.iterdir()] == ["library.sqlite"]
    assert digest(copied) == before


def test_a_folder_that_cannot_be_written_to_is_enough(copied, monkeypatch):
    monkeypatch.setattr(database.os, "access", lambda path, mode: False)
    with Library(copied) as library:
        assert len(list(library.tracks())) == len(library)
        assert [path.name for path in copied.parent.iterdir()] == ["library.sqlite"]


def test_nothing_can_be_written(copied):
    with Library(copied) as library, pytest.raises(DeadwaxError):
        list(library.rows("DELETE FROM file"))


def test_what_another_process_writes_is_seen_but_not_in_a_snapshot(copied, tmp_path):
    (tmp_path / "new").mkdir()
    write_tone(tmp_path / "new" / "tone.wav", step=11)
    with Library(copied) as library:
        count = len(library)
        with library.snapshot():
            deadwax("scan", "-q", "-L", copied, tmp_path / "new")
            assert len(library) == count
        assert len(library) == count + 1


def test_a_log_of_another_process_is_read_and_left(copied):
    writer = sqlite3.connect(copied)
    writer.execute("UPDATE file SET title = 'Only in the log' WHERE id = 1")
    writer.commit()
    before = digest(copied)
    with Library(copied) as library:
        assert next(library.tracks()).title == "Only in the log"
    assert digest(copied) == before
    writer.close()
    assert [path.name for path in copied.parent.iterdir()] == ["library.sqlite"]


def test_a_backup_is_a_library(made, tmp_path):
    deadwax("backup", "-q", "-L", made, tmp_path / "copy.sqlite")
    with Library(tmp_path / "copy.sqlite") as copy, Library(made) as library:
        assert list(copy.tracks()) == list(library.tracks())


def test_a_lock_that_stays_is_named(made, tmp_path):
    deadwax("backup", "-q", "-L", made, tmp_path / "copy.sqlite")
    writer = sqlite3.connect(tmp_path / "copy.sqlite", isolation_level=None)
    writer.execute("PRAGMA journal_mode = DELETE")
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DeadwaxError, match="locked"):
        Library(tmp_path / "copy.sqlite", timeout=0.05)
    writer.execute("ROLLBACK")
    writer.close()
    with Library(tmp_path / "copy.sqlite", timeout=0.05) as library:
        assert len(library)


@pytest.mark.parametrize(("version", "advice"), [(5, "deadwax scan"), (99, "update the package"), (0, "deadwax scan")])
def test_another_schema_is_refused(copied, version, advice):
    with sqlite3.connect(copied) as rows:
        rows.execute(f"PRAGMA user_version = {version}")
    rows.close()
    with pytest.raises(DeadwaxError, match=rf"schema {version}.*{advice}"):
        Library(copied)


def test_what_is_no_library_is_refused(tmp_path):
    with pytest.raises(DeadwaxError, match=r"nothing\.sqlite: No such file"):
        Library(tmp_path / "nothing.sqlite")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "text").write_text("no database")
    with pytest.raises(DeadwaxError, match="not an SQLite database"):
        Library(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(DeadwaxError, match="of another program"):
        Library(tmp_path / "other.sqlite")


def test_damaged_bytes_are_refused(copied):
    with sqlite3.connect(copied) as rows:
        product, data = rows.execute(
            "SELECT product_id, bytes FROM product_blob JOIN product ON product.id = product_id WHERE kind = 'spectrum'"
        ).fetchone()
        rows.execute("UPDATE product_blob SET bytes = ? WHERE product_id = ?", (data[:-1] + b"\x99", product))
        (track,) = rows.execute("SELECT audio_id FROM product WHERE id = ?", (product,)).fetchone()
    rows.close()
    with Library(copied) as library:
        with pytest.raises(DeadwaxError, match="reanalyze"):
            library.spectrum(track)
        with pytest.raises(DeadwaxError, match="--missing"):
            library.product(track, "nosuchkind")


def test_thirty_thousand_tracks_stream_in_little_memory(copied):
    with sqlite3.connect(copied) as rows:
        triggers = rows.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            rows.execute(f"DROP TRIGGER {name}")
        columns = [row[1] for row in rows.execute("PRAGMA table_info(file)")]
        unique = {"id": "1000 + n", "path": "CAST('made-up/' || n AS BLOB)", "key": "randomblob(16)"}
        values = ", ".join(unique.get(column, column) for column in columns)
        rows.execute(
            f"""WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 30000)
                INSERT INTO file ({", ".join(columns)}) SELECT {values} FROM count, file WHERE file.id = 1"""
        )
    rows.close()
    with Library(copied) as library:
        tracemalloc.start()
        assert sum(1 for _ in library.tracks()) > 30_000
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # A page of a thousand rows has 4 to 6 MB, by the file that came into the library first; all of them had 110 MB.
    assert peak < 16 << 20


WITHOUT_NUMPY = """
import json, sys
if sys.argv[3] == "without":
    sys.modules["numpy"] = None
from deadwax import Library, arrays
assert arrays.HAS_NUMPY == (sys.argv[3] == "with")
with Library(sys.argv[1], command=sys.argv[2]) as library:
    for track in library.query("state:ok"):
        wave, split = library.waveform(track, 1024), library.waveform(track, split_channels=True)
        spectrum, levels = library.spectrum(track), library.band_levels(track)
        values = [
            wave.peaks, split.peaks, levels.levels_db, spectrum.mean_db, spectrum.bin_max_db, spectrum.channel_max_db,
            spectrum.edges_hz, library.spectrogram(track).levels_db, library.loudness(track).counts,
            library.fingerprint(track).words, library.segment(track, 0, 0.01).samples]
        print(json.dumps([value.tolist() for value in values]))
        print(wave.to_bytes().hex(), split.to_bytes().hex(), wave.channels, split.channels, wave.bits)
"""


def test_without_numpy_the_numbers_are_the_same(made):
    def numbers(how):
        words = [sys.executable, "-c", WITHOUT_NUMPY, str(made), COMMAND, how]
        lines = subprocess.run(words, check=True, capture_output=True, env=os.environ).stdout.splitlines()
        return [json.loads(line) for line in lines[::2]], lines[1::2]

    (with_arrays, with_bytes), (without_arrays, without_bytes) = numbers("with"), numbers("without")
    assert len(with_arrays) >= 24
    assert with_bytes == without_bytes
    assert with_arrays == without_arrays
