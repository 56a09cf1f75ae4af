"""Where the plan and the shards of a cluster are: a folder, which may be on NFS, or S3."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from ..database import DeadwaxError


class Storage(Protocol):
    """Named bytes that many machines reach. A name has no `..`; its folders appear when it is written."""

    url: str

    def read(self, name: str) -> bytes | None:
        """The bytes of a name; None if there are none."""

    def write(self, name: str, data: bytes) -> None:
        """Replaces the bytes of a name at once, or gives it some."""

    def commit(self, name: str, make: Callable[[Path], None], scratch: Path) -> bool:
        """Gives a name the file that `make` writes, unless it has one already.

        Returns whether it did: of several attempts, exactly one is told so. `make` gets a path that does not exist.
        """

    def exists(self, name: str) -> bool:
        """Whether a name has bytes."""

    def local(self, name: str, scratch: Path) -> Path:
        """A path from which a name can be read; `scratch` is for a copy, if one is needed."""

    def names(self, folder: str) -> list[str]:
        """The committed names in a folder, sorted, without those of its folders."""

    def remove(self, name: str) -> None:
        """Deletes a name that may be there."""


def open_storage(url: str) -> Storage:
    """The storage at ``s3://bucket/prefix`` or in a folder."""
    if url.startswith("s3://"):
        from .s3 import S3Storage

        return S3Storage(url)
    return FolderStorage(Path(url))


def checked(name: str) -> str:
    """The name, unless it leads out of the storage: names are made of what others wrote there."""
    if name.startswith("/") or "\0" in name or {"", ".", ".."} & set(name.split("/")):
        raise DeadwaxError(f"{name!r}: is not a valid storage name", 1)
    return name


def document(name: str, data: bytes) -> dict[str, Any]:
    """The JSON object that a name of a storage holds."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DeadwaxError(f"{name}: is not JSON: {error}", 1) from error
    if not isinstance(found, dict):
        raise DeadwaxError(f"{name}: is not a JSON object", 1)
    return found


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class FolderStorage:
    """A folder, local or on NFS: a name is a file, committed by a hard link, which fails if the name is taken."""

    def __init__(self, folder: Path):
        self.url = os.path.abspath(folder)
        self._folder = Path(self.url)

    def read(self, name: str) -> bytes | None:
        """See `Storage`."""
        try:
            return self._place(name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._error(name, error) from error

    def write(self, name: str, data: bytes) -> None:
        """See `Storage`."""
        pending = self._pending(name)
        try:
            with open(pending, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(pending, self._place(name))
            self._sync(pending.parent)
        except OSError as error:
            raise self._error(name, error) from error
        finally:
            pending.unlink(missing_ok=True)

    def commit(self, name: str, make: Callable[[Path], None], scratch: Path) -> bool:
        """See `Storage`; the file is made beside its place, so that it is written once."""
        pending = self._pending(name)
        try:
            make(pending)
            with open(pending, "rb+") as file:
                os.fsync(file.fileno())
            try:
                os.link(pending, self._place(name))
            except FileExistsError:
                # Over NFS the answer to a link that was made may be lost; then there are two.
                return os.stat(pending).st_nlink == 2
            self._sync(pending.parent)
            return True
        except OSError as error:
            raise self._error(name, error) from error
        finally:
            pending.unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """See `Storage`."""
        return self._place(name).exists()

    def local(self, name: str, scratch: Path) -> Path:
        """See `Storage`; the file itself."""
        return self._place(name)

    def names(self, folder: str) -> list[str]:
        """See `Storage`."""
        try:
            return sorted(f"{folder}/{name}" for name in os.listdir(self._folder / folder) if not name.startswith("."))
        except FileNotFoundError:
            return []

    def remove(self, name: str) -> None:
        """See `Storage`."""
        with suppress(FileNotFoundError):
            os.unlink(self._place(name))

    def _place(self, name: str) -> Path:
        return self._folder / checked(name)

    def _pending(self, name: str) -> Path:
        """A name that no other process on any machine uses. Names with a dot are no part of the storage."""
        place = self._place(name)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._error(name, error) from error
        unique = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}"
        return place.with_name(f".{place.name}.{unique}.tmp")

    def _sync(self, folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _error(self, name: str, error: OSError) -> DeadwaxError:
        return DeadwaxError(f"{self._folder / name}: {error.strerror}", 1)
