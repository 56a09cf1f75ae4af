"""Everything that a library says about its files, without what depends on the machine and the moment."""

import sqlite3

# Numbers of rows, random keys, times, and what a file is called on its disk.
OWN = {"id", "key", "root_id", "audio_id", "stream_id", "sheet_id", "file_id", "product_id", "added_at", "extracted_at"}
OWN |= {"album_id", "album_shelf", "album_folder", "folder"}
# A missing file keeps its place on an album; in a library that it came to by a merge it has none.
OF_MISSING = {"album_edition", "album_disc"}
OF_DISK = {"made_at", "missing_since", "inode", "device", "ctime_ns"}


def contents(path):
    """For each path below its root: the file, its tags and parts, its recording with measures and all products."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        recordings = {row["id"]: _recording(connection, row) for row in connection.execute("SELECT * FROM audio")}
        files = list(connection.execute("SELECT * FROM file"))
        found = {
            bytes(row["path"]): {
                "file": _values(row, OF_MISSING if row["missing_since"] else frozenset()),
                "tags": _rows(connection, "SELECT name, position, value FROM file_tag WHERE file_id = ?", row["id"]),
                "parts": _rows(connection, "SELECT * FROM part WHERE file_id = ?", row["id"]),
                "recording": recordings.get(row["audio_id"]),
            }
            for row in files
        }
        assert len(found) == len(files), "a path is there twice"
    connection.close()
    return found


def _recording(connection, row):
    return {
        "audio": _values(row),
        "streams": _rows(connection, "SELECT * FROM stream WHERE audio_id = ?", row["id"]),
        "measures": _rows(connection, "SELECT * FROM measures WHERE audio_id = ?", row["id"]),
        "products": _rows(
            connection,
            """
            SELECT kind, version, parameters, checksum, bytes
              FROM product JOIN product_blob ON product_id = product.id WHERE audio_id = ?
            """,
            row["id"],
        ),
    }


def _rows(connection, sql, row_id):
    return sorted((_values(row) for row in connection.execute(sql, [row_id])), key=repr)


def _values(row, others=frozenset()):
    hidden = OWN | OF_DISK | others
    return {name: value for name, value in zip(row.keys(), row, strict=True) if name not in hidden}
