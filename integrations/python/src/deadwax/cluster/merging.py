"""One library of all shards, or a catalogue of them that leaves the large products where they are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..command import Command
from ..database import DeadwaxError
from .driver import MANIFEST
from .storage import FolderStorage, Storage, checksum, document

FAN_IN = 64


def merge(
    store: Storage,
    out: Path,
    *,
    without_products: Sequence[str] = (),
    decisions_from: Path | None = None,
    jobs: int = 1,
    scratch: str | None = None,
    verify: bool = False,
    command: Command | None = None,
) -> int:
    """Merges the shards that the manifest names into a new library, and returns their number.

    More than `FAN_IN` shards are merged in groups first, `jobs` of them at a time. `decisions_from` is the library
    before: its presets, lists and ratings come along. `verify` compares the shards with the sums of the manifest.

    A catalogue without some products finds them in the shards, which it registers, unless they are in S3.
    """
    if out.exists():
        raise DeadwaxError(f"{out}: already exists: catalogues are created anew; --decisions-from copies ratings", 1)
    data = store.read(MANIFEST)
    if data is None:
        raise DeadwaxError(f"{store.url}: is not complete: `deadwax-cluster run` completes it", 1)
    shards = _listed_shards(data)
    command = command or Command()
    options = ["--without-products", *without_products, "--no-shards"] if without_products else []
    with tempfile.TemporaryDirectory(prefix="deadwax-", dir=scratch) as name:
        folder = Path(name)

        def merged(place: Path, libraries: Sequence[Path]) -> Path:
            command.run("merge", "-q", "--no-backup", "-L", place, *libraries, *options)
            return place

        def group(number: int, names: Sequence[dict[str, str | int]]) -> Path:
            with tempfile.TemporaryDirectory(dir=folder) as copies:
                paths = [_shard(store, shard, Path(copies), verify) for shard in names]
                return merged(folder / f"group-{number:04}.sqlite", paths)

        groups = [shards[first : first + FAN_IN] for first in range(0, len(shards), FAN_IN)]
        # On the disk where it belongs, so that its last step is a rename.
        pending = out.with_name(f".{out.name}.{os.getpid()}.tmp")
        try:
            if len(groups) == 1:
                merged(pending, [_shard(store, shard, folder, verify) for shard in shards])
            else:
                with ThreadPoolExecutor(jobs) as threads:
                    merged(pending, list(threads.map(group, range(len(groups)), groups)))
            if decisions_from:
                merged(pending, [decisions_from])
            os.link(pending, out)
        except FileExistsError as error:
            raise DeadwaxError(f"{out}: was created by another process in the meantime, and is kept", 1) from error
        finally:
            for suffix in ("", "-wal", "-shm", "-journal"):
                Path(f"{pending}{suffix}").unlink(missing_ok=True)
    if without_products and isinstance(store, FolderStorage):
        command.run("shards", "add", "-q", "-L", out, *(store.local(str(shard["name"]), out) for shard in shards))
    return len(shards)


def _listed_shards(data: bytes) -> list[dict[str, str | int]]:
    shards = document(MANIFEST, data).get("shards")
    kinds = {"name": str, "bytes": int, "sha256": str}
    if not isinstance(shards, list) or not all(
        isinstance(shard, dict) and all(isinstance(shard.get(name), kind) for name, kind in kinds.items())
        for shard in shards
    ):
        raise DeadwaxError(f"{MANIFEST}: names no shards: run the plan again", 1)
    return shards


def _shard(store: Storage, shard: dict[str, str | int], scratch: Path, verify: bool) -> Path:
    path = store.local(str(shard["name"]), scratch)
    if not path.exists() or path.stat().st_size != shard["bytes"]:
        raise DeadwaxError(f"{path}: is not the shard that was committed: delete it, and run `deadwax-cluster run`", 1)
    if verify and checksum(path) != shard["sha256"]:
        raise DeadwaxError(f"{path}: differs from what was committed: delete it and its .json, and run again", 1)
    return path
