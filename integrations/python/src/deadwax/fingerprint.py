"""What identifies a recording by its sound: Chromaprint's words."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arrays import view
from .database import DeadwaxError

if TYPE_CHECKING:
    from .arrays import Array


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """Chromaprint's default algorithm over the first 120 s of the mono mix."""

    data: bytes
    """Compressed, as they are stored."""
    words: Array
    """(words), uint32, at most 948: one every 0.1238 s, each over 2.6 s. Similar sounds differ in few bits."""

    @property
    def text(self) -> str:
        """What AcoustID takes and `fpcalc` prints."""
        return base64.urlsafe_b64encode(self.data).rstrip(b"=").decode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Fingerprint:
        """Reads the product `fingerprint`."""
        if len(data) < 4:
            raise DeadwaxError("a fingerprint has at least 4 bytes")
        words = _words(data)
        return cls(data, view(words, "I", (len(words),)))


def _words(data: bytes) -> array[int]:
    """Each word is XORed with the one before; what is stored are distances between set bits, a 0 ends a word."""
    count = int.from_bytes(data[1:4], "big")
    distances: list[int] = []
    remaining = count
    for group in _bits(data[4:], 3):
        if not remaining:
            break
        distances.append(group)
        remaining -= group == 0
    if remaining:
        raise DeadwaxError("a fingerprint is shorter than its header announces")
    excess = _bits(data[4 + (3 * len(distances) + 7) // 8 :], 5)
    words = array("I")
    word = position = previous = 0
    for distance in distances:
        if distance == 0:
            previous ^= word
            words.append(previous)
            word = position = 0
            continue
        position += distance if distance < 7 else 7 + next(excess, 0)
        if position > 32:
            raise DeadwaxError("a fingerprint has a word of more than 32 bits")
        word |= 1 << (position - 1)
    return words


def _bits(data: bytes, width: int) -> Iterator[int]:
    """Groups of bits, from the lowest bit of the first byte on."""
    value = held = 0
    for byte in data:
        value |= byte << held
        held += 8
        while held >= width:
            yield value & ((1 << width) - 1)
            value >>= width
            held -= width
