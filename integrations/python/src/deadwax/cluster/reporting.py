"""What a store holds: how much of the plan is committed, which files have problems, what it cost."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from . import quarantine
from .driver import MANIFEST
from .planning import Plan
from .storage import Storage


@dataclass
class Report:
    """A store at one moment."""

    generation: str
    is_complete: bool
    """Whether the manifest is that of the plan."""
    pieces: int
    committed: int
    states: dict[str, int]
    """Files by state."""
    audio_seconds: float
    cpu_seconds: float
    bytes: int
    hosts: dict[str, int]
    """Shards by the host that made them."""
    problems: list[dict[str, str]] = field(default_factory=list)
    vanished: list[str] = field(default_factory=list)
    """Files that were deleted between the plan and their scan."""
    quarantined: list[dict[str, str]] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """The names of the pieces that are not committed."""


def report(store: Storage) -> Report:
    """Reads the results of all shards of the plan."""
    plan = Plan.read(store)
    manifest: dict[str, Any] = json.loads(store.read(MANIFEST) or b"{}")
    kept_out = quarantine.rows(store)
    states: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    result = Report(
        plan.generation,
        is_complete=manifest.get("generation") == plan.generation,
        pieces=0,
        committed=0,
        states={},
        audio_seconds=0,
        cpu_seconds=0,
        bytes=0,
        hosts={},
        quarantined=[
            {"path": path.decode(errors="backslashreplace"), "reason": reason} for path, _, _, reason in kept_out
        ],
    )
    for piece in plan.pieces(store):
        result.pieces += 1
        data = store.read(piece.result)
        if data is None:
            result.waiting.append(piece.name)
            continue
        done = json.loads(data)
        result.committed += 1
        states.update(done["states"])
        hosts[done["host"]] += 1
        result.audio_seconds += done["audio_seconds"]
        result.cpu_seconds += done["cpu_seconds"]
        result.bytes += done["bytes"]
        result.problems += done["problems"]
        result.vanished += done["vanished"]
    result.states, result.hosts = dict(sorted(states.items())), dict(sorted(hosts.items()))
    return result


def text(report: Report) -> str:
    """For people."""
    count = sum(report.states.values())
    lines = [
        f"{report.committed} of {report.pieces} shards committed"
        + ("" if report.is_complete else "; not complete: `deadwax-cluster run` continues"),
        f"{count} files: " + (", ".join(f"{number} {state}" for state, number in report.states.items()) or "none yet"),
        f"{report.audio_seconds / 3600:.1f} h of sound, {report.cpu_seconds / 3600:.2f} core-hours, "
        f"{report.bytes / 1e6:.0f} MB on {len(report.hosts)} hosts",
    ]
    lines += [f"{problem['state']}: {problem['path']}: {problem['reason']}" for problem in report.problems]
    lines += [f"in quarantine: {item['path']}: {item['reason']}" for item in report.quarantined]
    lines += [f"gone since the plan: {path}" for path in report.vanished]
    return "\n".join(lines)
