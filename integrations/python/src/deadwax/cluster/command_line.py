"""The command ``deadwax-cluster``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..command import Command
from ..database import DeadwaxError
from . import driver, merging, planning, reporting
from .engines import Engine, LocalEngine
from .planning import Piece, Plan
from .storage import open_storage
from .tasks import Attempt, perform

EXAMPLES = """
examples:
  deadwax-cluster plan /nfs/index --source /nfs/music
  deadwax-cluster run /nfs/index
  deadwax-cluster run /nfs/index --engine ray
  deadwax-cluster buckets /nfs/index | parallel -S node1,node2 deadwax-cluster task /nfs/index {}
  deadwax-cluster merge /nfs/index -o catalogue.sqlite --without-products waveform spectrogram
  deadwax-cluster report /nfs/index

STORE is a folder or s3://bucket/prefix that all machines reach. docs/scale.md explains everything else.
exit status, as for deadwax:
  0          done; damaged files are results
  1          something failed: `run` continues where it stopped
  4          safety stop: the plan no longer matches the source: plan again
  5          a library cannot be used
  64         wrong usage
  75         failed for now (`task`): try again
  130, 143   interrupted; run the same command again to continue
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupted)
    try:
        return int(options.run(options))
    except DeadwaxError as error:
        print(f"deadwax-cluster: {error}", file=sys.stderr)
        return error.exit_status or 1
    except KeyboardInterrupt:
        print("deadwax-cluster: interrupted; run the same command again to continue", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1


def _interrupted(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _plan(options: argparse.Namespace) -> int:
    store = open_storage(options.store)
    made = planning.plan(
        store,
        options.source or Plan.read(store).source,
        buckets=options.buckets,
        target=options.target,
        exclude=options.exclude,
        retry=options.retry,
        command=Command(options.command),
    )
    committed = set(store.names("shards"))
    waiting = [bucket for bucket in made.buckets if bucket.whole.result not in committed]
    files = sum(bucket.files for bucket in made.buckets)
    size = sum(bucket.bytes for bucket in made.buckets) / 1e9
    print(f"{files} files, {size:.1f} GB in {len(made.buckets)} buckets; {len(waiting)} to run")
    return 0


def _run(options: argparse.Namespace) -> int:
    store = open_storage(options.store)
    engine: Engine
    if options.engine == "ray":
        from .ray_engine import RayEngine

        engine = RayEngine(options.address, options.jobs)
    else:
        engine = LocalEngine(options.slots, options.jobs)
    report = driver.run(
        store,
        engine,
        jobs=options.jobs,
        scratch=options.scratch,
        command=options.command,
        attempts=options.attempts,
        progress=_Progress(options.json_events),
    )
    if options.json:
        print(json.dumps({"schema": 1, "complete": report.is_complete} | asdict(report), indent=1))
    else:
        _say(report)
    return report.exit_status


def _say(report: driver.RunReport) -> None:
    print(
        f"{report.committed} shards committed, {report.committed_before} were there; "
        f"{report.retried} attempts repeated, {report.halved} pieces halved"
    )
    for path in report.quarantined:
        print(f"in quarantine: {path}")
    for reasons, what in ((report.outdated, "outdated"), (report.failed, "failed")):
        for name, reason in reasons.items():
            print(f"{what}: {name}: {reason}", file=sys.stderr)
    if report.outdated:
        print("deadwax-cluster: the source has changed: plan again, then run again", file=sys.stderr)


class _Progress:
    """Lines on standard error: for programs, or for people who wait."""

    def __init__(self, as_json: bool):
        self._as_json = as_json

    def __call__(self, event: str, piece: Piece, reason: str) -> None:
        if self._as_json:
            moment = round(time.time(), 3)
            line = json.dumps(
                {"event": event, "piece": piece.name, "files": piece.count, "reason": reason, "time": moment}
            )
            print(line, file=sys.stderr, flush=True)
        elif event not in ("started", "done") or sys.stderr.isatty():
            print(f"{event}: {piece.name} ({piece.count} files){': ' if reason else ''}{reason}", file=sys.stderr)


def _task(options: argparse.Namespace) -> int:
    store = open_storage(options.store)
    plan = Plan.read(store)
    pieces = {piece.name: piece for piece in plan.pieces(store)}
    name = options.bucket
    if options.index:
        # The index of a job array: Slurm's and Kubernetes' count from 0, and may be more than there are buckets.
        if not name.isdecimal():
            raise DeadwaxError(f"{name}: not a number", 64)
        waiting = list(pieces)
        if int(name) >= len(waiting):
            return 0
        name = waiting[int(name)]
    if name not in pieces:
        raise DeadwaxError(f"{name}: not a bucket of the plan: `deadwax-cluster buckets` lists them", 64)
    outcome = perform(Attempt(store.url, pieces[name], options.jobs, options.scratch, options.command))
    if outcome.exit_status:
        print(f"deadwax-cluster: {name}: {outcome.reason}", file=sys.stderr)
    return outcome.exit_status


def _buckets(options: argparse.Namespace) -> int:
    store = open_storage(options.store)
    pieces = Plan.read(store).pieces(store)
    committed = set(store.names("shards"))
    if options.count:
        print(len(pieces))
        return 0
    for piece in pieces:
        if options.all or piece.result not in committed:
            print(piece.name)
    return 0


def _complete(options: argparse.Namespace) -> int:
    driver.write_manifest(open_storage(options.store))
    return 0


def _merge(options: argparse.Namespace) -> int:
    store = open_storage(options.store)
    count = merging.merge(
        store,
        options.output,
        without_products=options.without_products,
        decisions_from=options.decisions_from,
        jobs=options.jobs,
        scratch=options.scratch,
        verify=options.verify,
        command=Command(options.command),
    )
    print(f"{options.output}: merged of {count} shards")
    return 0


def _report(options: argparse.Namespace) -> int:
    found = reporting.report(open_storage(options.store))
    print(json.dumps({"schema": 1} | asdict(found), indent=1) if options.json else reporting.text(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="deadwax-cluster",
        description="Scan a collection with many machines: plan buckets, run them, merge their libraries.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        command.add_argument("store", metavar="STORE", help="a folder or s3://bucket/prefix that all machines reach")
        if run in (_plan, _run, _task, _merge):
            command.add_argument("--command", help="the command deadwax (default: $DEADWAX, else from PATH)")
        if run in (_run, _task, _merge):
            command.add_argument("--scratch", help="a folder on the local disk (default: the temporary folder)")
            command.add_argument("-j", "--jobs", type=_positive, default=1, help="cores of each attempt (default: 1)")
        return command

    command = add("plan", _plan, "List the source, and divide it into buckets.")
    command.add_argument(
        "--source", metavar="FOLDER", help="the music: a folder or s3://bucket/prefix (default: as before)"
    )
    command.add_argument(
        "--buckets", type=_positive, metavar="N", help="a power of two (default: as before, else from --target)"
    )
    command.add_argument("--target", type=_positive, help="files in a bucket (default: as before, else 2000)")
    command.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="as in `deadwax scan`")
    command.add_argument("--retry", action="store_true", help="try the files in quarantine again")

    command = add("run", _run, "Run the buckets that have no shard yet, on this machine or with Ray.")
    command.add_argument("--engine", choices=("local", "ray"), default="local")
    command.add_argument("--address", default="auto", help="of Ray's head node (default: the running one)")
    command.add_argument("--slots", type=_positive, help="attempts at a time (default: cores divided by --jobs)")
    command.add_argument("--attempts", type=_positive, default=driver.ATTEMPTS, help="for each bucket (default: 4)")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--json-events", action="store_true", help="a line of JSON on standard error for each event")

    command = add("task", _task, "Run one bucket, for schedulers; its exit status says what to do next.")
    command.add_argument("bucket", metavar="BUCKET", help="a name that `buckets` lists")
    command.add_argument("--index", action="store_true", help="BUCKET is a place in `buckets --all`, from 0")

    command = add("buckets", _buckets, "List the buckets that have no shard yet, one on a line.")
    command.add_argument("--all", action="store_true", help="all buckets")
    command.add_argument("--count", action="store_true", help="only the number of all buckets")

    add("complete", _complete, "Write the manifest after a scheduler has run all buckets; `run` does that itself.")

    command = add("merge", _merge, "Make one library of the shards.")
    command.add_argument(
        "-o", "--output", type=Path, required=True, metavar="NEW", help="a library that does not exist yet"
    )
    command.add_argument("--without-products", nargs="+", default=[], metavar="KIND", help="leave these in the shards")
    command.add_argument("--decisions-from", type=Path, metavar="OLD", help="take ratings, lists and presets from it")
    command.add_argument("--verify", action="store_true", help="compare the shards with the sums of the manifest first")

    command = add("report", _report, "Show what is committed, which files have problems, and what it cost.")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: not a positive number")
    return number
