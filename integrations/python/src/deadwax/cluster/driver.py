"""The run: starts what is not committed, tries again what failed, and halves what takes its machine along."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..database import DeadwaxError
from . import quarantine
from .engines import Engine
from .outcomes import Ending, Outcome
from .planning import Piece, Plan, entries_of
from .storage import Storage, document
from .tasks import Attempt

MANIFEST = "_manifest.json"
ATTEMPTS = 4
DEATHS = 3
"""How often a bucket may take its process along before it is halved."""


@dataclass
class RunReport:
    """What a run did."""

    generation: str
    pieces: int = 0
    committed_before: int = 0
    committed: int = 0
    retried: int = 0
    halved: int = 0
    quarantined: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Why, by the name of the piece."""
    outdated: dict[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether everything is committed, or in quarantine."""
        return not self.failed and not self.outdated

    @property
    def exit_status(self) -> int:
        """As the command's: 4 if the plan no longer fits, 1 if something failed."""
        return 1 if self.failed else 4 if self.outdated else 0


Progress = Callable[[str, Piece, str], None]
"""Called with what happened (``started``, ``done``, ``retry``, …), to which piece, and the reason."""


def run(
    store: Storage,
    engine: Engine,
    *,
    jobs: int = 1,
    scratch: str | None = None,
    command: str | None = None,
    attempts: int = ATTEMPTS,
    progress: Progress = lambda event, piece, reason: None,
) -> RunReport:
    """Runs the plan of a store to its end, and writes the manifest if all of it is committed.

    It can be killed and started again at any time, and so can every machine: what is committed is not done again. Two
    runs at once only waste time.
    """
    run = _Run(store, engine, Attempt(store.url, _NONE, jobs, scratch, command), attempts, progress)
    try:
        report = run.finished()
    finally:
        engine.close()
    if report.is_complete:
        write_manifest(store)
    return report


def write_manifest(store: Storage) -> None:
    """Names the shards of the plan with their sums; readers believe nothing else."""
    plan = Plan.read(store)
    shards = []
    for piece in plan.pieces(store):
        data = store.read(piece.result)
        if data is None:
            raise DeadwaxError(f"{store.url}/{piece.shard}: is not committed: run the plan again", 1)
        result = document(piece.result, data)
        size, digest = result.get("bytes"), result.get("sha256")
        if result.get("piece") != piece.name or not isinstance(size, int) or not isinstance(digest, str):
            raise DeadwaxError(f"{store.url}/{piece.result}: is not about this piece: delete it, and run again", 1)
        shards.append({"name": piece.shard, "bytes": size, "sha256": digest})
    manifest = {"schema": 1, "generation": plan.generation, "source": plan.source, "shards": shards}
    store.write(MANIFEST, json.dumps(manifest, indent=1).encode() + b"\n")


_NONE = Piece(0, "", 0, 0)


class _Run:
    def __init__(self, store: Storage, engine: Engine, attempt: Attempt, attempts: int, progress: Progress):
        self.store, self.engine, self.template = store, engine, attempt
        self.attempts, self.progress = attempts, progress
        plan = Plan.read(store)
        pieces = plan.pieces(store)
        committed = set(store.names("shards"))
        self.report = RunReport(plan.generation, len(pieces))
        waiting = [piece for piece in pieces if piece.result not in committed]
        self.report.committed_before = len(pieces) - len(waiting)
        # The largest last in the list, first to run: a large one that starts last would be waited for alone.
        self.waiting = sorted(waiting, key=lambda piece: (piece.count, piece.name))
        self.failures: Counter[str] = Counter()
        self.deaths: Counter[str] = Counter()

    def finished(self) -> RunReport:
        running = 0
        while self.waiting or running:
            while self.waiting and (self.engine.free() > 0 or not running):
                piece = self.waiting.pop()
                self.progress("started", piece, "")
                self.engine.start(_replaced(self.template, piece))
                running += 1
            attempt, outcome = self.engine.wait()
            running -= 1
            self.take(attempt.piece, outcome)
        return self.report

    def take(self, piece: Piece, outcome: Outcome) -> None:
        """What follows from the end of an attempt."""
        if outcome.ending is Ending.DONE:
            self.report.committed += outcome.committed
            self.progress("done", piece, outcome.reason)
        elif outcome.ending is Ending.STOP:
            raise DeadwaxError(f"{piece.name}: {outcome.reason}", 64)
        elif outcome.ending is Ending.OUTDATED:
            self.report.outdated[piece.name] = outcome.reason
            self.progress("outdated", piece, outcome.reason)
        elif outcome.ending is Ending.DIED and self.is_poison(piece):
            self.divide(piece, outcome.reason)
        elif self.failures[piece.name] + 1 < self.attempts:
            self.failures[piece.name] += 1
            self.report.retried += 1
            self.progress("retry", piece, outcome.reason)
            # Behind the others: what is wrong now may be over then.
            self.waiting.insert(0, piece)
        else:
            self.report.failed[piece.name] = outcome.reason
            self.progress("failed", piece, outcome.reason)

    def is_poison(self, piece: Piece) -> bool:
        """Whether its files are to blame. A part of what was halved is suspected at once, a single file twice."""
        self.deaths[piece.name] += 1
        limit = DEATHS if piece.is_whole else 2 if piece.count == 1 else 1
        return self.deaths[piece.name] >= limit

    def divide(self, piece: Piece, reason: str) -> None:
        """Halves a piece; a single file goes into quarantine, and its shard will say so without reading it."""
        if piece.count <= 1:
            entries = entries_of(self.store, piece)
            if len(quarantine.reasons(self.store, entries)) == len(entries):
                self.report.failed[piece.name] = reason
                self.progress("failed", piece, reason)
                return
            for entry in entries:
                quarantine.add(self.store, entry, reason)
                self.report.quarantined.append(entry.path.decode(errors="backslashreplace"))
            self.progress("quarantined", piece, reason)
            self.waiting.append(piece)
            return
        halves = piece.halves()
        name = f"splits/{piece.bucket}.json"
        cuts = {tuple(cut) for cut in json.loads(self.store.read(name) or b"[]")} - {(piece.begin, piece.end)}
        cuts |= {(half.begin, half.end) for half in halves}
        self.store.write(name, json.dumps(sorted(cuts)).encode())
        self.report.halved += 1
        self.progress("halved", piece, reason)
        self.waiting += halves


def _replaced(template: Attempt, piece: Piece) -> Attempt:
    return Attempt(template.store, piece, template.jobs, template.scratch, template.command)
