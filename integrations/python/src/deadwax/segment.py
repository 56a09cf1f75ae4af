"""Decoded sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .arrays import Array


@dataclass(frozen=True, eq=False)
class Segment:
    """A range of decoded frames, bit for bit that of a decode of the whole recording."""

    sample_rate_hz: int
    first_frame: int
    """Of the recording, as the file trims it."""
    samples: Array
    """(frames, channels), float32, nominally -1...1; channels in the order of the file."""

    @property
    def start_seconds(self) -> float:
        """When it begins."""
        return self.first_frame / self.sample_rate_hz
