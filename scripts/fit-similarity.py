#!/usr/bin/env python3
"""Makes Sources/SoundIndex/Similarity/projection.bin from the statistics of a library.

    scripts/fit-similarity.py LIBRARY [--output FILE] [--version N]

LIBRARY is a library that was scanned with the product `similarity`, or a file of raw statistics (378 f32 a recording,
one after the other). The projection is robust z-scores, weighted by group, then whitened principal components, scaled so
that coordinates fit into a signed byte. Only numpy is needed.
"""

import argparse
import sqlite3
import struct

import numpy as np

# In the order of SimilarityStatistics.Group: how many, and how much each group counts.
GROUPS = [
    ("timbre", 51, 1.0),
    ("timbreShape", 91, 1.0),
    ("motion", 64, 0.7),
    ("contrast", 4, 0.4),
    ("rhythm", 72, 0.7),
    ("fluctuation", 80, 0.7),
    ("harmony", 9, 0.4),
    ("dynamics", 7, 0.4),
]
COUNT = sum(count for _, count, _ in GROUPS)
DIMENSIONS = 64
# Directions that hardly differ are noise: they are not blown up to the spread of the others.
WHITENING = 0.5
# A coordinate's standard deviation in steps, on average.
SPREAD = 18


def read(path):
    """The statistics of each recording, one a row."""
    with open(path, "rb") as file:
        start = file.read(16)
    if start != b"SQLite format 3\0":
        return np.fromfile(path, np.float32).reshape(-1, COUNT)
    library = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = library.execute(
        "SELECT bytes FROM product JOIN product_blob ON product_id = product.id WHERE kind = 'similarity' ORDER BY audio_id"
    )
    return np.array([np.frombuffer(blob[2:], "<f2").astype(np.float32) for (blob,) in rows])


def fit(values, weights=None):
    """Centres, scales and limits of the statistics, and the rows of the matrix."""
    centers = np.median(values, axis=0)
    low, high = np.percentile(values, [25, 75], axis=0)
    # The deviation of a normal distribution with these quartiles.
    deviations = np.maximum((high - low) / 1.349, 0.1 * values.std(axis=0) + 1e-6)
    weight = np.concatenate(
        [np.full(count, factor / np.sqrt(count)) for _, count, factor in (weights or GROUPS)])
    scales = weight / deviations
    limits = 3 * weight
    scaled = np.clip((values - centers) * scales, -limits, limits)
    mean = scaled.mean(axis=0)
    centers = centers + mean / scales
    scaled = np.clip((values - centers) * scales, -limits, limits)
    _, spreads, directions = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)
    spreads = spreads[:DIMENSIONS] / np.sqrt(len(values))
    directions = directions[:DIMENSIONS]
    if len(directions) < DIMENSIONS:
        raise SystemExit(f"{len(values)} recordings are too few")
    # The sign of a direction is arbitrary; its greatest number is made positive.
    signs = np.sign(directions[np.arange(DIMENSIONS), np.abs(directions).argmax(axis=1)])
    rows = directions * signs[:, None] * (spreads ** -WHITENING)[:, None]
    projected = scaled @ rows.T
    rows *= SPREAD / projected.std(axis=0).mean()
    return centers, scales, limits, rows


def project(values, parts):
    """The coordinates of each recording, as the program makes them."""
    centers, scales, limits, rows = parts
    scaled = np.clip((values - centers) * scales, -limits, limits)
    return np.clip(np.rint(scaled @ rows.T), -127, 127)


def write(path, parts, version):
    centers, scales, limits, rows = parts
    with open(path, "wb") as file:
        file.write(struct.pack("<IHH", version, COUNT, DIMENSIONS))
        for one in zip(centers, scales, limits):
            file.write(struct.pack("<fff", *one))
        for row in rows:
            step = np.abs(row).max() / 127
            file.write(struct.pack("<f", step))
            file.write(np.rint(row / step).astype(np.int8).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library")
    parser.add_argument("--output", default="Sources/SoundIndex/Similarity/projection.bin")
    parser.add_argument("--version", type=int, default=1)
    options = parser.parse_args()
    values = read(options.library)
    parts = fit(values)
    write(options.output, parts, options.version)
    coordinates = project(values, parts)
    clipped = (np.abs(coordinates) == 127).mean()
    print(f"{len(values)} recordings; deviation of a coordinate {coordinates.std(axis=0).mean():.1f}, "
          f"{100 * clipped:.2f} % at the limit")


if __name__ == "__main__":
    main()
