"""The shards of a catalogue: libraries that keep the products which it was merged without."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import statements
from .database import DeadwaxError, connect, explained

APPLICATION_ID = 0x44575348


class Shards:
    """Reads products from the shards that ``music.shards`` beside ``music.sqlite`` registers, if there is such a file.

    A shard is only believed in the state that was registered, which its mark names; any other raises `DeadwaxError`.
    """

    def __init__(self, library: Path, timeout: float):
        self._register = library.resolve().with_suffix(".shards")
        self._timeout = timeout
        self._open: dict[Path, sqlite3.Connection] = {}

    def rows(
        self, hashes: Sequence[bytes], frames: int | None, statement: str, kind: str | None = None
    ) -> list[tuple[Any, ...]]:
        """What a statement about a recording says in the first shard that has it, by one of its hashes."""
        for path, mark in self._shards(hashes):
            connection = self._connection(path)
            try:
                connection.execute("BEGIN")
                if connection.execute("SELECT current FROM log_mark").fetchone()[0] != mark:
                    raise DeadwaxError(
                        f"{path}: has changed since it was registered: `deadwax shards add` does that again"
                    )
                for audio_hash in hashes:
                    found = connection.execute(
                        statements.RECORDING_OF_HASH, {"hash": audio_hash, "frames": frames}
                    ).fetchone()
                    if found and (rows := connection.execute(statement, {"id": found[0], "kind": kind}).fetchall()):
                        return rows
            except sqlite3.Error as error:
                raise explained(path, error) from error
            finally:
                if connection.in_transaction:
                    connection.execute("COMMIT")
        return []

    def close(self) -> None:
        """Closes the shards that were opened."""
        for connection in self._open.values():
            connection.close()
        self._open.clear()

    def _shards(self, hashes: Sequence[bytes]) -> list[tuple[Path, bytes]]:
        if not self._register.exists():
            return []
        try:
            register = sqlite3.connect(f"{self._register.as_uri()}?mode=ro", uri=True, timeout=self._timeout)
            try:
                if register.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                    raise DeadwaxError(
                        f"{self._register}: is no register of shards: delete it, and `deadwax shards add` them"
                    )
                rows = [
                    row for audio_hash in hashes for row in register.execute(statements.SHARDS, {"hash": audio_hash})
                ]
            finally:
                register.close()
        except sqlite3.Error as error:
            raise DeadwaxError(f"{self._register}: {error}: delete it, and run `deadwax shards add` again") from error
        return [(Path(path.decode(errors="surrogateescape")), mark) for path, mark in rows]

    def _connection(self, path: Path) -> sqlite3.Connection:
        if path not in self._open:
            try:
                self._open[path] = connect(path, self._timeout)
            except DeadwaxError as error:
                raise DeadwaxError(f"{error} (a shard: `deadwax shards relocate` updates its path)") from error
        return self._open[path]
