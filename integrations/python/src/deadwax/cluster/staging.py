"""Files of S3 on the local disk, some ahead of those that are scanned, and not longer than that."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from .listing import Entry

BATCH_BYTES = 256 << 20
BATCH_FILES = 64
AHEAD = 2


class Source(Protocol):
    """What files are fetched from."""

    def fetch(self, entry: Entry, folder: Path) -> bool:
        """Copies a file to its path below a folder; False if it is gone."""


def batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Files in their order, so many together that starting a scan for them costs little.

    A folder is divided only if it is four times too large: a CUE sheet names files beside it.
    """
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        fullness = max((size + entry.size) / BATCH_BYTES, (len(batch) + 1) / BATCH_FILES)
        if batch and fullness > (4 if entry.folder == batch[-1].folder else 1):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += entry.size
    if batch:
        yield batch


def staged(source: Source, entries: list[Entry], folder: Path) -> Iterator[tuple[list[Entry], list[Entry]]]:
    """The files that are there, and those that are gone, batch after batch; two batches are fetched ahead.

    The files of a batch are deleted when the next one is asked for.
    """
    waiting: list[tuple[list[Entry], Future[list[bool]]]] = []
    with ThreadPoolExecutor(1) as thread:

        def fetched(batch: list[Entry]) -> list[bool]:
            return [source.fetch(entry, folder) for entry in batch]

        coming = batches(entries)
        while True:
            while len(waiting) <= AHEAD and (batch := next(coming, None)):
                waiting.append((batch, thread.submit(fetched, batch)))
            if not waiting:
                return
            batch, answer = waiting.pop(0)
            there = answer.result()
            yield (
                [entry for entry, is_there in zip(batch, there, strict=True) if is_there],
                [entry for entry, is_there in zip(batch, there, strict=True) if not is_there],
            )
            for entry in batch:
                path = os.path.join(os.fsencode(folder), entry.path)
                if os.path.exists(path):
                    os.unlink(path)
