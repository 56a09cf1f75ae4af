"""Files that ended every attempt at them: ``quarantine.tsv`` names them, and plans leave them out until they change."""

from __future__ import annotations

import json

from .listing import Entry
from .storage import Storage

NAME = "quarantine.tsv"
HEADER = "path\tsize\tmtime_ns\treason\n"


def read(store: Storage) -> set[tuple[bytes, int, int]]:
    """The path, size and time of each file."""
    return {(path, size, mtime) for path, size, mtime, _ in rows(store)}


def rows(store: Storage) -> list[tuple[bytes, int, int, str]]:
    """Path, size, time and reason of each file, sorted by path."""
    lines = (store.read(NAME) or b"").decode().splitlines()[1:]
    found = []
    for line in lines:
        path, size, mtime, reason = line.split("\t", 3)
        found.append((_path(path), int(size), int(mtime), json.loads(reason)))
    return found


def add(store: Storage, entry: Entry, reason: str) -> None:
    """Adds a file, or replaces what is said of it. Only the driver does that."""
    others = [row for row in rows(store) if row[0] != entry.path]
    kept = sorted([*others, (entry.path, entry.size, entry.mtime_ns, reason)])
    lines = [f"{_text(path)}\t{size}\t{mtime}\t{json.dumps(why)}\n" for path, size, mtime, why in kept]
    store.write(NAME, (HEADER + "".join(lines)).encode())


def _text(path: bytes) -> str:
    """A path as JSON, in which bytes that are not UTF-8 are `\\udcXX`."""
    return json.dumps(path.decode(errors="surrogateescape"))


def _path(text: str) -> bytes:
    value: str = json.loads(text)
    return value.encode(errors="surrogateescape")
