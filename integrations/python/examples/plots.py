#!/usr/bin/env python3
"""Draws a track's waveform, spectrogram and spectrum, and the loudness of all that a query finds.

Usage: plots.py LIBRARY QUERY OUT.png     (pip install deadwax[plots])
"""

import sys

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np

from deadwax import Library

library_path, query, output = sys.argv[1:]
with Library(library_path) as library:
    tracks = [track for track in library.query(query) if track.measures]
    if not tracks:
        sys.exit(f"plots.py: no analysed track matches {query!r}")
    first = tracks[0]
    figure, ((over_time, over_both), (over_frequency, over_tracks)) = plt.subplots(2, 2, figsize=(14, 8))
    figure.suptitle(f"{first.artist} – {first.title}")

    waveform = library.waveform(first)
    seconds = np.arange(len(waveform.peaks)) * waveform.seconds_per_point
    over_time.fill_between(seconds, waveform.peaks[:, 0, 0] / 128, waveform.peaks[:, 0, 1] / 128)
    over_time.set(title="Waveform", xlabel="s", ylim=(-1, 1))

    spectrogram = library.spectrogram(first)
    times = np.arange(len(spectrogram.levels_db) + 1) / spectrogram.columns_per_second
    picture = over_both.pcolormesh(times, spectrogram.edges_hz, spectrogram.levels_db.T, vmin=-100, vmax=0)
    over_both.set(title="Spectrogram", xlabel="s", ylabel="Hz", yscale="log")
    figure.colorbar(picture, ax=over_both, label="dB")

    spectrum = library.spectrum(first)
    over_frequency.stairs(spectrum.mean_db, spectrum.edges_hz, label="mean")
    over_frequency.stairs(spectrum.max_db, spectrum.edges_hz, label="maximum")
    over_frequency.set(title="Spectrum", xlabel="Hz", ylabel="dB", xscale="log")
    over_frequency.legend()

    measures = [track.measures for track in tracks if track.measures.loudness_lufs is not None]
    over_tracks.scatter([m.loudness_lufs for m in measures], [m.loudness_range_lu for m in measures])
    over_tracks.set(title=f"{len(measures)} tracks", xlabel="LUFS", ylabel="loudness range in LU")

    figure.tight_layout()
    figure.savefig(output)
