#!/usr/bin/env python3
"""Measures how well the stored statistics and the projection say what sounds alike.

    scripts/evaluate-similarity.py --deadwax bin/deadwax --work FOLDER MUSIC…

Each file of MUSIC is encoded again with a codec, bit rate, gain and tone control that depend on its name, so that the encoder
of an album is not what is recognized, and cut into halves. Everything is scanned into a library in FOLDER. Then:

- halves: how often the two halves of a track find each other first, among all other halves;
- album, artist: how many of the five nearest tracks have the same tag, without and with tracks of the same artist or album;
- hubs: the skewness of how often tracks are among the ten nearest, before and after Mutual Proximity;

for the projection of the program, for one fitted without the package under test (the folder two levels below MUSIC), and
for two baselines: the mean and deviation of the bands (as bliss does, without training), and Gaussians of cepstra with the
symmetric Kullback-Leibler divergence. ffmpeg and numpy are needed.
"""

import hashlib
import importlib.util
import json
import math
import pathlib
import random
import sqlite3
import subprocess

import numpy as np
from evaluation import Evaluation

spec = importlib.util.spec_from_file_location("fit_similarity", pathlib.Path(__file__).with_name("fit-similarity.py"))
fitting = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fitting)

CODECS = [("libmp3lame", "mp3", "-b:a", ("96k", "128k", "192k")), ("libopus", "opus", "-b:a", ("48k", "96k")),
          ("libvorbis", "ogg", "-q:a", ("1", "4"))]


def prepare(path, folder, longest):
    """The whole and both halves of a file, encoded again; None if it is too short."""
    name = hashlib.md5(str(path).encode()).hexdigest()[:12]
    outputs = {part: folder / f"{name}-{part}" for part in ("whole", "first", "second")}
    found = {part: next(folder.glob(f"{output.name}.*"), None) for part, output in outputs.items()}
    if all(found.values()):
        return found
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(path)],
        capture_output=True, text=True).stdout.strip()
    seconds = min(float(probe or 0), longest)
    if seconds < 40:
        return None
    choice = random.Random(path.name)
    codec, ending, option, rates = choice.choice(CODECS)
    tone = (f"volume={choice.uniform(-9, 0):.1f}dB,bass=g={choice.uniform(-2, 2):.1f}:f=120,"
            f"treble=g={choice.uniform(-2, 2):.1f}:f=4000")
    rate = choice.choice(rates)
    for part, (start, length) in {
        "whole": (0, seconds), "first": (0, seconds / 2), "second": (seconds / 2, seconds / 2)
    }.items():
        found[part] = outputs[part].with_suffix(f".{ending}")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-ss", str(start), "-t", str(length), "-i", str(path), "-map", "0:a:0",
             "-map_metadata", "-1", "-af", tone, "-c:a", codec, option, rate, str(found[part])], check=True)
    return found


def distances(one, other):
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    return np.sqrt(np.maximum(squares, 0))


def gaussian_distances(values):
    """Symmetric Kullback-Leibler divergence of Gaussians of 13 cepstra, from deviations, correlations and means."""
    size = 13
    start = 51
    matrices = []
    for row in values:
        deviations = np.exp(row[start:start + size])
        matrix = np.eye(size)
        index = start + size
        for i in range(1, size):
            for j in range(i):
                matrix[i, j] = matrix[j, i] = row[index]
                index += 1
        matrices.append(matrix * np.outer(deviations, deviations) + 0.01 * np.eye(size))
    inverses = np.array([np.linalg.inv(matrix) for matrix in matrices])
    matrices = np.array(matrices)
    means = values[:, :size]
    traces = np.einsum("aij,bji->ab", matrices, inverses)
    result = traces + traces.T
    for a in range(len(values)):
        difference = means[a] - means
        result[a] += np.einsum("bi,bij,bj->b", difference, inverses + inverses[a], difference)
    return np.sqrt(np.maximum(result / 2 - size, 0))


def proximity(matrix):
    values = matrix.copy()
    np.fill_diagonal(values, np.nan)
    mean, deviation = np.nanmean(values, 1), np.nanstd(values, 1)
    far = np.vectorize(lambda z: math.erfc(z / math.sqrt(2)) / 2)(
        np.nan_to_num((values - mean[:, None]) / deviation[:, None], nan=99))
    return 1 - far * far.T


def skewness(matrix, count=10):
    values = matrix.copy()
    np.fill_diagonal(values, np.inf)
    nearest = values.argsort(1)[:, :count]
    times = np.bincount(nearest.ravel(), minlength=len(values)).astype(float)
    return ((times - times.mean())**3).mean() / times.std()**3


def same(matrix, labels, left_out, count=5):
    """The share of the nearest tracks with the same label, without those whose other label is the same."""
    values = matrix.copy()
    np.fill_diagonal(values, np.inf)
    shares = []
    for row, label in enumerate(labels):
        allowed = [k for k in values[row].argsort()
                   if k != row and (left_out is None or not left_out[row] or left_out[k] != left_out[row])]
        if label and any(labels[k] == label for k in allowed):
            shares.append(np.mean([labels[k] == label for k in allowed[:count]]))
    return f"{100 * np.mean(shares):.1f} % ({len(shares)} tracks)" if shares else "no track qualifies"


def halves(matrix):
    rows = np.arange(len(matrix))
    return 100 * np.mean(np.concatenate([matrix.argmin(1) == rows, matrix.argmin(0) == rows]))


def main():
    evaluation = Evaluation(__doc__, "folders", longest=(240.0, "seconds of a track that count"))
    sounds, library = evaluation.sounds, evaluation.library
    tracks, seen = [], set()
    for folder in map(pathlib.Path, evaluation.inputs):
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".ogg", ".opus", ".mp3", ".flac", ".m4a", ".oga"):
                continue
            digest = hashlib.md5(path.read_bytes()).digest()
            if digest in seen:
                continue
            seen.add(digest)
            parts = prepare(path, sounds, evaluation.options.longest)
            if parts:
                text = subprocess.run(
                    ["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", str(path)],
                    capture_output=True, text=True).stdout
                document = json.loads(text)
                tags = dict(document.get("format", {}).get("tags", {}))
                for stream in document.get("streams", []):
                    tags.update(stream.get("tags", {}))
                tags = {key.lower(): value for key, value in tags.items()}
                package = path.relative_to(folder).parts[0]
                tracks.append((parts, tags.get("artist", ""), tags.get("album", ""), package))
    evaluation.scan("similarity")
    stored = {}
    for path, blob in sqlite3.connect(f"file:{library}?mode=ro", uri=True).execute(
        """SELECT file.path_text, bytes FROM file JOIN product ON product.audio_id = file.audio_id
             JOIN product_blob ON product_id = product.id WHERE kind = 'similarity'"""
    ):
        stored[path] = np.frombuffer(blob[2:], "<f2").astype(np.float64)
    tracks = [track for track in tracks if all(part.name in stored for part in track[0].values())]
    values = {part: np.array([stored[track[0][part].name] for track in tracks]) for part in ("whole", "first", "second")}
    artists, albums, packages = ([track[k] for track in tracks] for k in (1, 2, 3))
    print(f"{len(tracks)} tracks of {len(set(packages))} packages, {len(set(artists))} artists, {len(set(albums))} albums")

    def report(name, matrix, half):
        close = proximity(matrix)
        print(f"{name}: halves first {halves(half):.1f} %; same album {same(matrix, albums, None)}, "
              f"same artist on other albums {same(matrix, artists, albums)}, same package by other artists "
              f"{same(matrix, packages, artists)}; skewness {skewness(matrix):.2f}, with Mutual Proximity {skewness(close):.2f}")
        print(f"  with Mutual Proximity: same album {same(close, albums, None)}, same artist on other albums "
              f"{same(close, artists, albums)}, same package by other artists {same(close, packages, artists)}")

    own = read_projection(pathlib.Path("Sources/SoundIndex/Similarity/projection.bin"))
    project = {part: fitting.project(rows, own) for part, rows in values.items()}
    report("deadwax", distances(project["whole"], project["whole"]), distances(project["first"], project["second"]))
    right = []
    for package in sorted(set(packages)):
        inside = np.array([one == package for one in packages])
        if (~inside).sum() > fitting.DIMENSIONS:
            parts = fitting.fit(values["whole"][~inside])
            one, other = (fitting.project(values[half], parts) for half in ("first", "second"))
            matrix = distances(one, other)
            rows = np.arange(len(one))
            right += list((matrix.argmin(1) == rows)[inside]) + list((matrix.argmin(0) == rows)[inside])
    if right:
        print(f"fitted without the package of the track: halves first {100 * np.mean(right):.1f} %")
    scale = values["whole"][:, :51].std(axis=0) + 1e-9
    bands = {part: rows[:, :51] / scale for part, rows in values.items()}
    report("mean and deviation of bands", distances(bands["whole"], bands["whole"]), distances(bands["first"], bands["second"]))
    count = len(tracks)
    both = gaussian_distances(np.concatenate([values["first"], values["second"]]))[:count, count:]
    report("Gaussians of cepstra", gaussian_distances(values["whole"]), both)
    shuffled = np.random.default_rng(1).random((count, count))
    report("chance", shuffled + shuffled.T, shuffled)


def read_projection(path):
    data = path.read_bytes()
    count, rows = np.frombuffer(data, "<u2", 2, 4)
    numbers = np.frombuffer(data, "<f4", 3 * count, 8).reshape(count, 3).astype(np.float64)
    matrix, position = [], 8 + 12 * int(count)
    for _ in range(rows):
        step = np.frombuffer(data, "<f4", 1, position)[0]
        matrix.append(step * np.frombuffer(data, np.int8, count, position + 4).astype(np.float64))
        position += 4 + int(count)
    return numbers[:, 0], numbers[:, 1], numbers[:, 2], np.array(matrix)


if __name__ == "__main__":
    main()
