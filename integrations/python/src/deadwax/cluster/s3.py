"""S3, through obstore: the only file that knows it. Region, keys and endpoint come from the ``AWS_…`` variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..database import DeadwaxError
from .listing import Entry
from .storage import checked

try:
    import obstore
    from obstore.exceptions import AlreadyExistsError, BaseError
    from obstore.store import S3Store
except ImportError as error:
    raise DeadwaxError("S3 needs obstore: pip install 'deadwax[s3]'") from error


def _connected(url: str) -> Any:
    """A store of obstore for a bucket or a prefix of it. A plain-text endpoint is used only if it was asked for."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
    options: dict[str, Any] = {"endpoint": endpoint} if endpoint else {}
    if endpoint.startswith("http://"):
        options["client_options"] = {"allow_http": True}
    return S3Store.from_url(url, **options)


class S3Storage:
    """A prefix of a bucket: commits are conditional (``If-None-Match: *``), so the first one wins."""

    def __init__(self, url: str):
        self.url = url.rstrip("/")
        self._store = _connected(self.url)

    def read(self, name: str) -> bytes | None:
        """See `storage.Storage`."""
        try:
            return bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError:
            return None
        except BaseError as error:
            raise self._error(name, error) from error

    def write(self, name: str, data: bytes) -> None:
        """See `storage.Storage`."""
        try:
            obstore.put(self._store, name, data)
        except (FileNotFoundError, BaseError) as error:  # the former if there is no such bucket
            raise self._error(name, error) from error

    def commit(self, name: str, make: Callable[[Path], None], scratch: Path) -> bool:
        """See `storage.Storage`.

        One request up to 5 GB, because a condition on an upload in parts is checked only at its end.
        """
        made = scratch / name.rpartition("/")[2]
        try:
            make(made)
            obstore.put(self._store, name, made, mode="create", use_multipart=made.stat().st_size > 5_000_000_000)
            return True
        except (AlreadyExistsError, FileExistsError):
            return False
        except (FileNotFoundError, BaseError) as error:
            raise self._error(name, error) from error
        finally:
            made.unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """See `storage.Storage`."""
        try:
            obstore.head(self._store, name)
            return True
        except FileNotFoundError:
            return False
        except BaseError as error:
            raise self._error(name, error) from error

    def local(self, name: str, scratch: Path) -> Path:
        """See `storage.Storage`; a copy."""
        place = scratch / checked(name).rpartition("/")[2]
        _download(self._store, name, place)
        return place

    def names(self, folder: str) -> list[str]:
        """See `storage.Storage`."""
        try:
            found = [item["path"] for page in obstore.list(self._store, folder) for item in page]
        except BaseError as error:
            raise self._error(folder, error) from error
        return sorted(name for name in found if name.rpartition("/")[0] == folder)

    def remove(self, name: str) -> None:
        """See `storage.Storage`."""
        try:
            obstore.delete(self._store, name)
        except FileNotFoundError:
            pass
        except BaseError as error:
            raise self._error(name, error) from error

    def _error(self, name: str, error: Exception) -> DeadwaxError:
        return DeadwaxError(f"{self.url}/{name}: {_first_line(error)}", 1)


class S3Source:
    """The music in a prefix of a bucket."""

    def __init__(self, url: str):
        self.url = url.rstrip("/")
        self._store = _connected(self.url)

    @property
    def root(self) -> str:
        """The folder as which it stands in libraries."""
        return "/s3/" + self.url.removeprefix("s3://")

    def entries(self) -> Iterator[Entry]:
        """Every object, without hidden names, as in a folder; an object that ends in a slash is a folder."""
        try:
            for page in obstore.list(self._store):
                for item in page:
                    *folders, name = item["path"].split("/")
                    is_hidden = any(part.startswith(".") for part in [*folders, name.removeprefix(".deadwaxignore")])
                    if name and not is_hidden:
                        mtime = int(item["last_modified"].timestamp()) * 1_000_000_000
                        yield Entry(item["path"].encode(), item["size"], mtime, (item["e_tag"] or "").strip('"'))
        except BaseError as error:
            raise DeadwaxError(f"{self.url}: {_first_line(error)}", 1) from error

    def fetch(self, entry: Entry, folder: Path) -> bool:
        """Copies an object to its path below a folder, with its time; False if it is gone."""
        place = os.path.join(os.fsencode(folder), entry.path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        try:
            _download(self._store, entry.path.decode(), Path(os.fsdecode(place)))
        except FileNotFoundError:
            return False
        os.utime(place, ns=(entry.mtime_ns, entry.mtime_ns))
        return True


def _download(store: Any, name: str, place: Path) -> None:
    """In blocks of some megabytes, so that memory does not grow with the file."""
    try:
        with open(place, "wb") as file:
            for block in obstore.get(store, name).stream(min_chunk_size=4 << 20):
                file.write(block)
    except FileNotFoundError:
        place.unlink(missing_ok=True)
        raise
    except BaseError as error:
        place.unlink(missing_ok=True)
        raise DeadwaxError(f"{name}: {_first_line(error)}", 1) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
