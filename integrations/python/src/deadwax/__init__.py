"""Reads Deadwax libraries: everything that ``deadwax scan`` measured, as values that notebooks can use.

>>> from deadwax import Library
>>> with Library("library.sqlite") as library:                              # doctest: +SKIP
...     for track in library.query("genre:jazz rating:>60"):
...         print(track.title, track.measures.loudness_lufs, library.waveform(track).peaks.shape)
"""

from .command import Command
from .database import DeadwaxError
from .fingerprint import Fingerprint
from .library import Library
from .loudness import LoudnessHistogram
from .music import Chroma, Landmarks, Rhythm, Similarity, TempoCandidate
from .records import Measures, Part, Preset, Product, Track
from .segment import Segment
from .spectrum import Spectrogram, Spectrum
from .waveform import BandLevels, Waveform

__all__ = [
    "BandLevels",
    "Chroma",
    "Command",
    "DeadwaxError",
    "Fingerprint",
    "Landmarks",
    "Library",
    "LoudnessHistogram",
    "Measures",
    "Part",
    "Preset",
    "Product",
    "Rhythm",
    "Segment",
    "Similarity",
    "Spectrogram",
    "Spectrum",
    "TempoCandidate",
    "Track",
    "Waveform",
]
