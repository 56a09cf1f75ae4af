"""Files that ended every attempt at them: ``quarantine.tsv`` names them.

They are not read until they change or are tried again on request; in libraries they are problems with the state
``crashed``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from .listing import Entry
from .storage import Storage

NAME = "quarantine.tsv"
HEADER = "path\tsize\tmtime_ns\treason\n"


def reasons(store: Storage, entries: Iterable[Entry]) -> dict[bytes, str]:
    """Why some files of a list are not to be read, by their path; one that has changed since is to be read."""
    known = {(path, size, mtime): reason for path, size, mtime, reason in rows(store)}
    if not known:
        return {}
    found = ((entry.path, known.get((entry.path, entry.size, entry.mtime_ns))) for entry in entries)
    return {path: reason for path, reason in found if reason is not None}


def clear(store: Storage) -> None:
    """Lets all files be read again."""
    store.remove(NAME)


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
