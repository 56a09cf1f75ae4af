"""The library file, and how SQLite opens it without changing it or leaving files beside it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

APPLICATION_ID = 0x44574158
SCHEMA_VERSION = 14
OLDEST_SQLITE = (3, 37)


class DeadwaxError(Exception):
    """What this package raises: the message has the file, the reason and what to do.

    ``exit_status`` is that of the command if it was the command that failed, else None.
    """

    def __init__(self, message: str, exit_status: int | None = None):
        super().__init__(message)
        self.exit_status = exit_status


def default_path() -> Path:
    """Where the command looks for the library: ``$DEADWAX_LIBRARY``, else in the user's data folder."""
    if named := os.environ.get("DEADWAX_LIBRARY"):
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(data, "deadwax", "library.sqlite")


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Opens a library for reading; `timeout` is how many seconds to wait while another process locks it."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise DeadwaxError(f"SQLite {sqlite3.sqlite_version} is too old for libraries: 3.37 or newer is needed")
    uses_log = _check_header(path)
    uri = f"{path.absolute().as_uri()}?{_mode(path, uses_log)}"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None)
    except sqlite3.Error as error:
        raise DeadwaxError(f"{path}: cannot be opened: {error}") from error
    try:
        connection.execute("PRAGMA query_only = 1")
        connection.execute("SELECT 1 FROM root").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise explained(path, error) from error
    return connection


def explained(path: Path, error: sqlite3.Error) -> DeadwaxError:
    """What an error of SQLite means for the user of a library."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return DeadwaxError(f"{path}: another process has locked it for too long; try again, or with a longer timeout")
    if "unable to open" in text or "readonly" in text:
        return DeadwaxError(
            f"{path}: {text}; its last writer may have been killed: `deadwax status -L` in a writable folder repairs it"
        )
    return DeadwaxError(f"{path}: {text}; `deadwax doctor -L` shows what is damaged")


def _check_header(path: Path) -> bool:
    """Refuses what is no library of a known schema; tells whether it has a write-ahead log when it is in use."""
    try:
        with open(path, "rb") as file:
            header = file.read(100)
    except OSError as error:
        raise DeadwaxError(f"{path}: {error.strerror}; `deadwax scan -L` creates a library") from error
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise DeadwaxError(f"{path}: not a Deadwax library: not an SQLite database")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise DeadwaxError(f"{path}: not a Deadwax library: an SQLite database of another program")
    schema = int.from_bytes(header[60:64], "big")
    if schema > SCHEMA_VERSION:
        raise DeadwaxError(f"{path}: has schema {schema}, this package reads {SCHEMA_VERSION}: update the package")
    if schema < SCHEMA_VERSION:
        raise DeadwaxError(
            f"{path}: has schema {schema}, this package reads {SCHEMA_VERSION}: `deadwax scan` brings it up to date"
        )
    return header[18] == 2


def _mode(path: Path, uses_log: bool) -> str:
    """How to open the file, so that nothing is written to it and nothing stays beside it.

    SQLite needs a `-wal` and a `-shm` even to read a library in WAL mode, and removes them only for a connection that
    may write. If they are there already, they are another process's, or what a killed one left: then they stay.
    """
    if not uses_log or os.path.exists(f"{path}-wal"):
        return "mode=ro"
    if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK):
        return "mode=rw"  # together with query_only
    return "mode=ro&immutable=1"
