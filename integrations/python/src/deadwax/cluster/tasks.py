"""One attempt at one piece: scan its files into a library on the local disk, then commit that.

Whoever starts it, a pool, Ray, Slurm or a person, nothing else has to be right: another attempt at the same time, or
one that was killed before, changes nothing but the time it takes.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..command import Command
from ..database import DeadwaxError, connect
from . import quarantine
from .listing import Entry, decoded
from .outcomes import Ending, Outcome
from .planning import Piece, Plan, entries_of
from .storage import Storage, checksum, open_storage

GONE_AT_MOST = 0.2
"""The part of a list that may be gone before its source is doubted, as in a scan."""


@dataclass(frozen=True)
class Attempt:
    """What a machine is to do; plain values, so that any engine can send it."""

    store: str
    piece: Piece
    jobs: int = 1
    scratch: str | None = None
    """Where the library is made; by default the system's temporary folder."""
    command: str | None = None

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def parsed(text: str) -> Attempt:
        """From JSON."""
        document = json.loads(text)
        return Attempt(**document | {"piece": Piece(**document["piece"])})


def perform(attempt: Attempt) -> Outcome:
    """Does it, unless it was done before."""
    try:
        store = open_storage(attempt.store)
        if store.exists(attempt.piece.result):
            return Outcome(Ending.DONE, "was committed before")
        with tempfile.TemporaryDirectory(prefix="deadwax-", dir=attempt.scratch) as folder:
            return _Work(attempt, store, Path(folder)).done()
    except _OutdatedError as error:
        return Outcome(Ending.OUTDATED, str(error))
    except DeadwaxError as error:
        return Outcome.of(error)
    except OSError as error:
        return Outcome(Ending.RETRY, str(error))


class _OutdatedError(Exception):
    """The list is not what the source holds."""


class _Work:
    """An attempt with its folder."""

    def __init__(self, attempt: Attempt, store: Storage, folder: Path):
        self.attempt, self.store, self.folder = attempt, store, folder
        self.piece = attempt.piece
        self.plan = Plan.read(store)
        self.command = Command(attempt.command)
        self.library = folder / "library.sqlite"
        self.vanished: list[bytes] = []
        self.crashed: dict[bytes, str] = {}
        """Why files are not read."""
        self.began, self.used_before = time.time(), _processor_seconds()

    def done(self) -> Outcome:
        """Scans and commits."""
        is_committed = False
        if not self.store.exists(self.piece.shard):
            files = entries_of(self.store, self.piece)
            self.crashed = quarantine.reasons(self.store, files)
            before = self._former_entries()
            gone = self._known(set(before) - {file.path for file in files})
            make = self._from_s3(files, gone, before) if self._is_s3 else self._from_folder(files, gone)
            is_committed = self.store.commit(self.piece.shard, make, self.folder)
        self.store.write(self.piece.result, self._result(is_committed))
        return Outcome(Ending.DONE, "" if is_committed else "another attempt was first", is_committed)

    @property
    def _is_s3(self) -> bool:
        return self.plan.source.startswith("s3://")

    def _former_entries(self) -> dict[bytes, Entry]:
        """The files of the former shard, which becomes the library to begin with."""
        if self.piece.former is None:
            return {}
        former = replace(self.piece, key=self.piece.former, is_whole=True)
        listed = self.store.read(former.list_name)
        if listed is None or not self.store.exists(former.result):
            return {}
        shutil.copyfile(self.store.local(former.shard, self.folder), self.library)
        return {entry.path: entry for entry in decoded(listed)}

    def _known(self, paths: set[bytes]) -> list[bytes]:
        """Those that the library has; a file that was gone before it was scanned is in no library."""
        if not paths:
            return []
        connection = connect(self.library, 30)
        try:
            return sorted(paths & {path for (path,) in connection.execute("SELECT path FROM file")})
        finally:
            connection.close()

    # Files in a folder are read in place.

    def _from_folder(self, files: list[Entry], gone: list[bytes]) -> Callable[[Path], None]:
        root = os.fsencode(self.plan.source)
        there = [entry for entry in files if os.path.lexists(os.path.join(root, entry.path))]
        self._note_vanished(files, there)
        # What only the former list has is looked for as well, so that the shard says that it is missing.
        self._scan(Path(self.plan.source), [entry.path for entry in there] + gone)
        return lambda place: self._command("backup", "-q", "-L", self.library, place)

    # Files in S3 are fetched first.

    def _from_s3(self, files: list[Entry], gone: list[bytes], before: dict[bytes, Entry]) -> Callable[[Path], None]:
        from .s3 import S3Source
        from .staging import staged

        source = S3Source(self.plan.source)
        # Fetched files have new inodes, so the lists say what is unchanged; what changes a folder changes its files.
        touched = {entry.folder for entry in files if entry.is_companion and before.get(entry.path) != entry}
        new = [entry for entry in files if before.get(entry.path) != entry or entry.folder in touched]
        companions = [entry for entry in files if entry.is_companion]
        stage = self.folder / "stage"
        stage.mkdir()
        if before:
            self._command("roots", "relocate", "-q", "-L", self.library, source.root, stage)
        for entry in companions:
            source.fetch(entry, stage)
        there: list[Entry] = []
        for entry in new:
            if entry.path in self.crashed:
                _stand_in(entry, stage)
                there.append(entry)
        if there:
            self._scan(stage, [entry.path for entry in there])
        wanted = [entry for entry in new if not entry.is_companion and entry.path not in self.crashed]
        for batch, _ in staged(source, wanted, stage):
            there += batch
            self._scan(stage, [entry.path for entry in batch])
        fetched = {entry.path for entry in there}
        self._note_vanished(files, [e for e in files if e.path in fetched or before.get(e.path) == e or e.is_companion])
        if gone or not self.library.exists():
            self._scan(stage, gone)
        mapping = ["--map", f"{stage}={source.root}"]
        return lambda place: self._command("merge", "-q", "--no-backup", "-L", place, self.library, *mapping)

    # Both

    def _scan(self, root: Path, paths: Iterable[bytes]) -> None:
        listed, crashed = self.folder / "list0", self.folder / "crashed0"
        paths = list(paths)
        listed.write_bytes(b"".join(path + b"\0" for path in paths if path not in self.crashed))
        reasons = [(path, self.crashed[path]) for path in paths if path in self.crashed]
        patterns = [word for pattern in self.plan.exclude for word in ("--exclude", pattern)]
        what = ["--root", root, "--files-from", listed, "-j", self.attempt.jobs]
        if reasons:
            crashed.write_bytes(b"".join(b"%s\0%s\0" % (path, reason.encode()) for path, reason in reasons))
            what += ["--crashed", crashed]
        self._command("scan", "-q", "-L", self.library, *what, *patterns)

    def _command(self, *arguments: Any) -> None:
        self.command.run(*arguments)

    def _note_vanished(self, files: list[Entry], there: list[Entry]) -> None:
        """A file that was deleted since the plan is no reason to fail; a source that is not mounted is."""
        self.vanished = sorted({entry.path for entry in files} - {entry.path for entry in there})
        if len(self.vanished) > max(1, GONE_AT_MOST * len(files)) or (files and not there):
            raise _OutdatedError(
                f"{len(self.vanished)} of {len(files)} listed files are not in {self.plan.source}: plan again"
            )

    def _result(self, is_committed: bool) -> bytes:
        shard = self.store.local(self.piece.shard, self.folder)
        document = {
            "schema": 1,
            "piece": self.piece.name,
            "program": self.plan.program,
            "bytes": shard.stat().st_size,
            "sha256": checksum(shard),
            **_contents(shard),
            "vanished": [path.decode(errors="backslashreplace") for path in self.vanished],
            "committed": is_committed,
            "host": socket.gethostname(),
            "cpu": _processor(),
            "cpu_seconds": round(_processor_seconds() - self.used_before, 3),
            "elapsed_seconds": round(time.time() - self.began, 3),
        }
        return json.dumps(document, indent=1).encode() + b"\n"


def _stand_in(entry: Entry, folder: Path) -> None:
    """An empty file that looks like one that is not fetched because it is not to be read."""
    place = Path(os.fsdecode(os.path.join(os.fsencode(folder), entry.path)))
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place, "wb") as file:
        file.truncate(entry.size)
    os.utime(place, ns=(entry.mtime_ns, entry.mtime_ns))


def _contents(shard: Path) -> dict[str, Any]:
    """The counts of a shard, and the files that have a problem."""
    connection = connect(shard, 30)
    try:
        states = connection.execute("SELECT state, sum(file_count) FROM file_tally GROUP BY state ORDER BY state")
        problems = connection.execute(
            """
            SELECT path_text, state, coalesce(problem_reason, '') FROM file
             WHERE state NOT IN ('ok', 'missing') ORDER BY path
            """
        )
        (seconds,) = connection.execute("SELECT total(duration_s) FROM audio").fetchone()
        return {
            "states": dict(states),
            "audio_seconds": round(seconds, 3),
            "problems": [dict(zip(("path", "state", "reason"), row, strict=True)) for row in problems],
        }
    finally:
        connection.close()


def _processor_seconds() -> float:
    """Of this process and those that it started and that have ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in usage)


def _processor() -> str:
    """Lossy decoders may differ in last bits between kinds of processors."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return os.uname().machine
