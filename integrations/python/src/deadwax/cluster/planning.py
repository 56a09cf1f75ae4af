"""The plan: which files are in which bucket, and which buckets have a shard already."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..buckets import bucket_count, file_hash, folder_hash
from ..command import Command
from ..database import DeadwaxError
from . import quarantine
from .listing import IGNORE_FILE, Entry, decoded, encoded, walk
from .storage import Storage, document

PLAN = "plan.json"
TARGET = 2_000
"""Files of a bucket: a quarter of an hour for one core."""
Splits = set[tuple[int, int]]
"""Buckets that were split when they had grown, each as its number and the number of buckets at that level."""


@dataclass(frozen=True)
class Piece:
    """Some files of a bucket, by their places in its list: all of them, or a part after it was halved."""

    number: int
    key: str
    begin: int
    end: int
    is_whole: bool = True
    former: str | None = None
    """The key of the bucket's list before, whose shard has what did not change."""

    @property
    def bucket(self) -> str:
        """The name of its bucket."""
        return f"{self.number:05}-{self.key}"

    @property
    def name(self) -> str:
        """The name under which it is committed."""
        return self.bucket if self.is_whole else f"{self.bucket}.{self.begin}-{self.end}"

    @property
    def shard(self) -> str:
        """The name of its library."""
        return f"shards/{self.name}.sqlite"

    @property
    def result(self) -> str:
        """The name of what its task reports; it is there if the shard is complete."""
        return f"shards/{self.name}.json"

    @property
    def list_name(self) -> str:
        """The name of the list of its bucket."""
        return f"lists/{self.bucket}.list"

    @property
    def count(self) -> int:
        """The number of its files."""
        return self.end - self.begin

    def halves(self) -> list[Piece]:
        """Two pieces, which begin from nothing."""
        middle = (self.begin + self.end) // 2
        cuts = [(self.begin, middle), (middle, self.end)]
        return [Piece(self.number, self.key, begin, end, is_whole=False) for begin, end in cuts]


@dataclass(frozen=True)
class Bucket:
    """A bucket of the plan."""

    number: int
    key: str
    files: int
    bytes: int
    former: str | None = None

    @property
    def whole(self) -> Piece:
        """All of it."""
        return Piece(self.number, self.key, 0, self.files, former=self.former)


@dataclass(frozen=True)
class Plan:
    """What is to be done; equal files and settings give an equal plan."""

    source: str
    bucket_count: int
    program: str
    exclude: list[str]
    buckets: list[Bucket] = field(default_factory=list)
    target: int = TARGET
    splits: list[list[int]] = field(default_factory=list)
    """See `Splits`."""

    @property
    def generation(self) -> str:
        """A name for this state of the collection."""
        return _hashed(*(bucket.whole.bucket.encode() for bucket in self.buckets))

    @staticmethod
    def read(store: Storage) -> Plan:
        """The plan of a store."""
        data = store.read(PLAN)
        if data is None:
            raise DeadwaxError(f"{store.url}: has no plan: `deadwax-cluster plan` creates one", 1)
        fields = document(PLAN, data)
        if fields.pop("schema", None) != 1:
            raise DeadwaxError(f"{store.url}: its plan is from another version of this program", 1)
        fields.pop("generation", None)
        try:
            return Plan(**fields | {"buckets": [Bucket(**bucket) for bucket in fields["buckets"]]})
        except (KeyError, TypeError) as error:
            raise DeadwaxError(f"{store.url}: its plan cannot be read: {error}", 1) from error

    def pieces(self, store: Storage) -> list[Piece]:
        """What the buckets are made of: each whole, or its pieces if it was halved before."""
        split = set(store.names("splits"))
        result: list[Piece] = []
        for bucket in self.buckets:
            name = f"splits/{bucket.whole.bucket}.json"
            if name in split and not store.exists(bucket.whole.result):
                cuts = json.loads(store.read(name) or b"[]")
                result += [Piece(bucket.number, bucket.key, begin, end, False) for begin, end in cuts]
            else:
                result.append(bucket.whole)
        return result


def plan(
    store: Storage,
    source: str,
    *,
    buckets: int | None = None,
    target: int | None = None,
    exclude: Iterable[str] = (),
    retry: bool = False,
    command: Command | None = None,
) -> Plan:
    """Lists the source and writes a plan. Buckets whose files did not change keep their keys, and so their shards.

    `source` is a folder that has the same path on all machines, or ``s3://bucket/prefix``. The number of buckets is
    that of the plan before, else `buckets`, else it follows from `target`, which is that of the plan before, too. Only
    a bucket that has grown to more than two targets is split, so that all others keep their shards. Files in
    quarantine are tried again when they change, or with `retry`.
    """
    before = Plan.read(store) if store.exists(PLAN) else None
    source = source if source.startswith("s3://") else str(Path(source).resolve())
    if before and before.source != source:
        raise DeadwaxError(f"{store.url}: has the plan of {before.source}: use another store for {source}", 64)
    if buckets is not None and (buckets < 1 or buckets & (buckets - 1)):
        raise DeadwaxError(f"{buckets} buckets: the number must be a power of two", 64)
    entries = list(_listed(source))
    # A shard with the row of such a file would take it for done.
    retried = quarantine.reasons(store, entries) if retry else {}
    if retry:
        quarantine.clear(store)
    crashed = quarantine.reasons(store, entries)
    target = target or (before.target if before else TARGET)
    count = buckets or (before.bucket_count if before else bucket_count(len(entries), target))
    program = (command or Command()).run("--version").decode().strip()
    known_splits = before.splits if before and before.bucket_count == count else []
    splits: Splits = {(number, level) for number, level in known_splits}
    contents = _divided(entries, count, target, splits)
    made = Plan(source, count, program, list(exclude), target=target, splits=sorted(map(list, splits)))
    ignored = encoded(entry for entry in entries if entry.name == IGNORE_FILE)
    settings = [program.encode(), ignored, *(pattern.encode() for pattern in made.exclude)]
    known = _known_shards(store, before, made)
    for number in sorted(set(contents) | set(known)):
        files = contents.get(number, [])
        data = encoded(files)
        key = _hashed(data, *settings, *(file.path for file in files if file.path in crashed))
        former = None if any(file.path in retried for file in files) else known.get(number)
        bucket = Bucket(number, key, len(files), sum(file.size for file in files), former if former != key else None)
        made.buckets.append(bucket)
        if not store.exists(bucket.whole.list_name):
            store.write(bucket.whole.list_name, data)
    if retried:
        _forget(store, made, retried)
    fields = {"schema": 1, "generation": made.generation} | asdict(made)
    store.write(PLAN, json.dumps(fields, indent=1).encode() + b"\n")
    return made


def _forget(store: Storage, made: Plan, retried: Container[bytes]) -> None:
    """Removes the shards that say of these files only that they were not read."""
    for piece in made.pieces(store):
        if piece.count == 1 and entries_of(store, piece)[0].path in retried:
            store.remove(piece.result)
            store.remove(piece.shard)


def _listed(source: str) -> Iterable[Entry]:
    if source.startswith("s3://"):
        from .s3 import S3Source

        return S3Source(source).entries()
    return walk(Path(source))


def _divided(entries: list[Entry], count: int, target: int, splits: Splits) -> dict[int, list[Entry]]:
    """The files of each bucket. A folder of more than four targets is divided by file.

    Adds those buckets to `splits` that are too large and can be split.
    """
    sizes = Counter(entry.folder for entry in entries)
    waiting: dict[tuple[int, int], list[tuple[int, Entry]]] = {}
    for entry in entries:
        number = file_hash(entry.path) if sizes[entry.folder] > 4 * target else folder_hash(entry.path)
        waiting.setdefault((number % count, count), []).append((number, entry))
    buckets: dict[int, list[Entry]] = {}
    while waiting:
        (number, level), files = waiting.popitem()
        if len(files) > 2 * target and len({hashed for hashed, _ in files}) > 1:
            splits.add((number, level))
        if (number, level) not in splits:
            buckets[number] = [entry for _, entry in files]
            continue
        for hashed, entry in files:
            waiting.setdefault((hashed % (2 * level), 2 * level), []).append((hashed, entry))
    return buckets


def _known_shards(store: Storage, before: Plan | None, made: Plan) -> dict[int, str]:
    """The keys of shards from which buckets can start, by the number of the bucket.

    Those of another program, other patterns or another number of buckets would hold what does not belong there, as
    would that of a bucket that is split now.
    """
    if before is None or (before.bucket_count, before.program) != (made.bucket_count, made.program):
        return {}
    if before.exclude != made.exclude:
        return {}
    committed = set(store.names("shards"))
    known: dict[int, str] = {}
    split_now = {number for number, level in made.splits if [number, level] not in before.splits}
    for bucket in before.buckets:
        if bucket.number in split_now:
            continue
        if bucket.whole.result in committed:
            known[bucket.number] = bucket.key
        elif bucket.former:
            known[bucket.number] = bucket.former
    return known


def entries_of(store: Storage, piece: Piece) -> list[Entry]:
    """The files of a piece."""
    data = store.read(piece.list_name)
    if data is None:
        raise DeadwaxError(f"{store.url}/{piece.list_name}: is missing: run `deadwax-cluster plan` again", 4)
    return decoded(data)[piece.begin : piece.end]


def _hashed(*parts: bytes) -> str:
    """Of some texts, each with its length, so that they cannot run into each other."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()
