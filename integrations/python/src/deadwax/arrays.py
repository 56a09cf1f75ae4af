"""Arrays of numbers: NumPy's if it is installed, else memoryviews of the same shape and type.

A memoryview has `shape`, and `array[i, j]` reads one number; `tolist()` gives nested lists. Annotations name
NumPy's type.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

try:
    import numpy as np
except ImportError:  # everything but slicing works without
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

if sys.byteorder != "little":
    raise ImportError("deadwax reads little-endian bytes in place: it needs a little-endian machine")

HAS_NUMPY = np is not None

__all__ = ["HAS_NUMPY", "floats", "np", "scaled", "view"]


def view(data: bytes | bytearray | array[Any], code: str, shape: tuple[int, ...], offset: int = 0) -> Array:
    """The bytes from `offset` on as numbers of a type of the module `array`, read-only and not copied."""
    count = math.prod(shape)
    if np is not None:
        numbers = np.frombuffer(data, dtype=np.dtype(code), count=count, offset=offset).reshape(shape)
        numbers.flags.writeable = False
        return numbers
    memory = memoryview(data).toreadonly().cast("B")
    end = offset + count * array(code).itemsize
    # A memoryview cannot have an extent of 0: what is empty has one dimension.
    result: Any = memory[offset:end].cast(code, shape) if count else memory[:0].cast(code)
    return result


def scaled(numbers: Array, scale: float, offset: float = 0.0) -> Array:
    """`offset + scale · number` for each of them, as 32-bit floats of the same shape."""
    if np is not None:
        return (numbers.astype(np.float64) * scale + offset).astype(np.float32)
    shape = numbers.shape
    flat: Iterable[int] = memoryview(numbers).cast("B").cast(memoryview(numbers).format or "B")
    return floats((offset + scale * number for number in flat), shape)


def floats(numbers: Iterable[float], shape: tuple[int, ...]) -> Array:
    """An array of 32-bit floats."""
    return view(array("f", numbers), "f", shape)
