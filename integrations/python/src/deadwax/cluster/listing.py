"""Lists of files: what a walk or a listing found, as the plan compares it and a task reads it.

A list has an entry for each file, sorted by path: ``SIZE TAB MTIME_NS TAB TAG TAB PATH NUL``. PATH is relative to the
source and any bytes but NUL; TAG is S3's ETag, empty for files of a folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..database import DeadwaxError

IGNORE_FILE = b".deadwaxignore"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A file of the source."""

    path: bytes
    size: int
    mtime_ns: int
    tag: str = ""

    @property
    def folder(self) -> bytes:
        """The path of its folder."""
        return self.path.rpartition(b"/")[0]

    @property
    def name(self) -> bytes:
        """The last component of the path."""
        return self.path.rpartition(b"/")[2]

    @property
    def is_companion(self) -> bool:
        """Whether other files are read differently because of it: a CUE sheet, an ignore file."""
        return self.name == IGNORE_FILE or self.name.lower().endswith(b".cue")


def encoded(entries: Iterable[Entry]) -> bytes:
    """The bytes of a list."""
    return b"".join(b"%d\t%d\t%s\t%s\0" % (e.size, e.mtime_ns, e.tag.encode(), e.path) for e in sorted(entries))


def decoded(data: bytes) -> list[Entry]:
    """The entries of a list, in its order.

    Lists come from a store that others write to, and files are made at these paths: all of them must be below a folder.
    """
    entries = []
    for record in data.split(b"\0")[:-1]:
        try:
            size, mtime, tag, path = record.split(b"\t", 3)
            entry = Entry(path, int(size), int(mtime), tag.decode())
        except ValueError as error:
            raise DeadwaxError(f"a list of files has the entry {record[:100]!r}: make the plan again", 4) from error
        if entry.size < 0 or {b"", b".", b".."} & set(path.split(b"/")):
            raise DeadwaxError(f"a list of files has the path {path[:100]!r}: make the plan again", 4)
        entries.append(entry)
    return entries


def walk(root: Path) -> Iterator[Entry]:
    """The regular files below a folder, without hidden names and links, as ``deadwax scan`` walks it.

    A folder that cannot be read ends the walk: what is not seen must not look as if it were gone.
    """
    folders = [b""]
    base = os.fsencode(root)
    while folders:
        folder = folders.pop()
        try:
            found = list(os.scandir(os.path.join(base, folder)))
            for item in found:
                path = os.path.join(folder, item.name)
                if item.is_dir(follow_symlinks=False) and not item.name.startswith(b"."):
                    folders.append(path)
                elif item.name == IGNORE_FILE or not item.name.startswith(b"."):
                    information = item.stat(follow_symlinks=False)
                    if stat.S_ISREG(information.st_mode):
                        yield Entry(path, information.st_size, information.st_mtime_ns)
        except OSError as error:
            place = os.fsdecode(os.path.join(base, folder))
            raise DeadwaxError(f"{place}: {error.strerror}: cannot be listed, so nothing was planned", 1) from error
