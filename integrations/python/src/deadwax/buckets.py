"""Which bucket a file belongs to: a function of its folder alone, so that nothing else moves when files are added."""

from __future__ import annotations

import hashlib
import posixpath


def bucket_of(path: bytes, count: int) -> int:
    """The bucket of a file, 0 to `count` - 1, by the folder in its path relative to the root.

    `count` is a power of two. Doubling it splits bucket b into b and b + count; nothing else moves. Albums stay
    together.
    """
    return folder_hash(path) % count


def folder_hash(path: bytes) -> int:
    """The number that decides about a file by its folder."""
    return _hashed(posixpath.dirname(path))


def file_hash(path: bytes) -> int:
    """The same by the whole path, for folders that are too large for one bucket."""
    return _hashed(path)


def bucket_count(files: int, target: int) -> int:
    """The smallest power of two of buckets with at most `target` files each, on average."""
    count = 1
    while count * target < files:
        count *= 2
    return count


def _hashed(text: bytes) -> int:
    """The first 8 bytes of BLAKE2b, little-endian: the same on every machine and in every version."""
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
