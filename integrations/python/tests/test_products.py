"""Products: their bytes and numbers against what the command exports, and against other programs' arithmetic."""

import json
import math
import wave

import numpy as np
import pytest
from program import deadwax

from deadwax import DeadwaxError, Fingerprint, LoudnessHistogram, Waveform


@pytest.fixture
def tracks(library):
    found = {track.id: track for track in library.query("state:ok")}
    assert len(found) >= 24
    return list(found.values())


def test_waveforms_are_the_exported_bytes_at_each_zoom(library, tracks):
    for track in tracks:
        for zoom in (256, 768, 1_000, 1 << 26):
            exported = deadwax(
                "waveform", "-L", library.path, str(track.id), "-z", str(zoom), "--format", "dat", "-o", "-"
            )
            assert library.waveform(track, zoom).to_bytes() == exported, (track.path, zoom)


def test_channels_finer_zooms_and_16_bits_are_the_exported_bytes(library, tracks):
    for track in tracks[::4]:
        for zoom, bits, split in ((512, 8, True), (1_536, 8, True), (64, 8, False), (256, 16, False), (300, 16, True)):
            options = ["-z", str(zoom), "-b", str(bits), *(["--split-channels"] if split else []), "--format", "dat"]
            exported = deadwax("waveform", "-L", library.path, str(track.id), *options, "-o", "-")
            ours = library.waveform(track, zoom, split_channels=split, bits=bits)
            assert ours.to_bytes() == exported, (track.path, options)
            assert ours.bits == bits
            assert ours.peaks.shape[1:] == (track.channels if split else 1, 2)


def test_a_waveform_covers_the_samples(library):
    (track,) = library.query('filename:="01 Kick.wav"')
    peaks = library.waveform(track, split_channels=True).peaks
    with wave.open(str(track.path)) as file:
        assert file.getsampwidth() == 2
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
    starts = np.arange(0, len(samples), 512 if track.channels > 1 else 256)
    # Eight bits are sixteen divided by 256, rounded towards 0.
    assert np.array_equal(peaks[:, :, 0], np.trunc(np.minimum.reduceat(samples, starts) / 256))
    assert np.array_equal(peaks[:, :, 1], np.trunc(np.maximum.reduceat(samples, starts) / 256))


def test_the_documented_bytes_of_a_waveform():
    data = bytes.fromhex("01000000 00000000 401f0000 04000000 03000000 d4fec800 0080ff7f 01ffff00")
    waveform = Waveform.from_bytes(data)
    assert (waveform.sample_rate_hz, waveform.frames_per_point, waveform.bits, waveform.channels) == (8_000, 4, 16, 1)
    assert waveform.peaks[:, 0].tolist() == [[-300, 200], [-32768, 32767], [-255, 255]]
    assert waveform.to_bytes() == data
    assert waveform.rescaled(8).peaks[:, 0].tolist() == [[-32768, 32767], [-255, 255]]


def test_each_product_is_the_one_that_show_lists(library, tracks):
    for track in tracks:
        shown = json.loads(deadwax("show", "-L", library.path, "--json", str(track.id)))["products"]
        ours = [library.product(track, kind) for kind in library.products(track)]
        assert [(p.kind, p.version, p.parameters, len(p.bytes)) for p in ours] == [
            (p["kind"], p["version"], p["parameters"], p["bytes"]) for p in shown if p["kind"] != "measures"
        ]


def test_spectra_are_the_exported_numbers(library, tracks):
    for track in tracks:
        exported = json.loads(deadwax("spectrum", "-L", library.path, str(track.id), "--format", "json", "-o", "-"))
        spectrum = library.spectrum(track)
        assert spectrum.sample_rate_hz == exported["sample_rate_hz"]
        bands = exported["bands"]
        # The command has null above half the sample rate.
        known = [index for index, band in enumerate(bands) if band["mean_db"] is not None]
        for ours, name in ((spectrum.mean_db, "mean_db"), (spectrum.max_db, "max_db")):
            assert ours[known].tolist() == pytest.approx([bands[index][name] for index in known], abs=1e-4)
            assert set(np.delete(ours, known).tolist()) <= {-120}
        assert spectrum.edges_hz[:-1].tolist() == pytest.approx([band["low_hz"] for band in bands], abs=0.01)
        assert spectrum.channel_mean_db.shape == spectrum.channel_max_db.shape == (0 if track.channels == 1 else 2, 80)
        assert spectrum.bins_hz[-1] == spectrum.sample_rate_hz / 2
        assert spectrum.bin_mean_db.shape == spectrum.bin_max_db.shape == spectrum.bins_hz.shape


def test_channels_of_a_spectrum_are_the_exported_ones(library):
    track = next(library.query("channels:2", limit=1))
    options = ["--split-channels", "--format", "json", "-o", "-"]
    exported = json.loads(deadwax("spectrum", "-L", library.path, str(track.id), *options))
    spectrum = library.spectrum(track)
    for index, channel in enumerate(exported["channels"]):
        assert spectrum.channel_mean_db[index].tolist() == pytest.approx(
            [b["mean_db"] for b in channel["bands"]], abs=1e-4
        )
        assert spectrum.channel_max_db[index].tolist() == pytest.approx(
            [b["max_db"] for b in channel["bands"]], abs=1e-4
        )


def test_spectrograms_are_the_exported_numbers(library, tracks):
    for track in tracks:
        options = ["--kind", "spectrogram", "--format", "json", "-o", "-"]
        exported = json.loads(deadwax("spectrum", "-L", library.path, str(track.id), *options))
        spectrogram = library.spectrogram(track)
        assert spectrogram.columns_per_second == exported["columns_per_second"]
        assert spectrogram.levels_db.tolist() == exported["columns"]


def test_the_bands_of_the_levels_add_up(library, tracks):
    for track in tracks:
        levels = library.band_levels(track)
        assert levels.levels_db.shape == (math.ceil(track.decoded_frames / levels.frames_per_point), 4)
        power = 10 ** (levels.levels_db.astype(float) / 10)
        # Steps of half a decibel are stored, the lowest of which means that or less: so it cannot be added.
        loud = levels.levels_db[:, 1:].max(axis=1) > -100
        added = 10 * np.log10(power[loud, 1:].sum(axis=1))
        assert np.all(np.abs(added - levels.levels_db[loud, 0]) <= 0.51)


def test_the_histogram_has_the_loudness_of_the_measures(library, tracks):
    compared = 0
    for track in tracks:
        histogram = library.loudness(track)
        if track.measures.loudness_lufs is None:
            continue
        # BS.1770-4: bins as energies, scaled to the stored energy, then the relative gate.
        counts = histogram.counts.astype(float)
        energies = 10 ** ((histogram.lufs.astype(float) + 0.05 + 0.691) / 10)
        energies *= histogram.energy / (energies * counts).sum()
        gate = 10 * np.log10((energies * counts).sum() / counts.sum()) - 10
        above = 10 * np.log10(energies) > gate
        loudness = -0.691 + 10 * np.log10((energies * counts)[above].sum() / counts[above].sum())
        assert loudness == pytest.approx(track.measures.loudness_lufs, abs=0.11)
        compared += 1
    assert compared >= 20


def test_the_documented_bytes_of_a_histogram():
    histogram = LoudnessHistogram.from_bytes(bytes.fromhex("ddf6b5cbdf1df33f d401 0300 c801000a"))
    assert histogram.counts.tolist() == [200, 0, 10]
    assert histogram.lufs.tolist() == pytest.approx([-23.2, -23.1, -23.0], abs=1e-4)


def test_fingerprints_are_the_exported_words_and_texts(library):
    def exported(*options):
        lines = deadwax(
            "export", "-L", library.path, "--what", "fingerprints", "--format", "json", *options
        ).splitlines()
        return {line["path"]: line["fingerprint"] for line in map(json.loads, lines)}

    words, texts = exported("--raw"), exported()
    compared = 0
    for track in library.query("state:ok"):
        if str(track.path) in texts:
            fingerprint = library.fingerprint(track)
            assert fingerprint.text == texts[str(track.path)]
            assert fingerprint.words.tolist() == words[str(track.path)]
            compared += 1
    assert compared >= 20


def test_the_documented_bytes_of_a_fingerprint():
    words = Fingerprint.from_bytes(bytes.fromhex("01000003 4cb24854 38040719")).words
    assert words.tolist() == [0x12345678, 0x12345679, 0x92345679]


def test_segments_are_the_samples_of_the_file(library):
    (track,) = library.query('filename:="01 Kick.wav"')
    with wave.open(str(track.path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels()) / 32_768
    rate = track.sample_rate_hz
    whole = library.segment(track)
    assert np.array_equal(whole.samples, samples)
    for first, end in ((0, 1), (1, 2), (12_345, 13_579), (len(samples) - 1, len(samples))):
        part = library.segment(track, first / rate + 1e-9, end / rate + 1e-9)
        assert part.first_frame == first
        assert np.array_equal(part.samples, samples[first:end])
    with pytest.raises(DeadwaxError, match="nothing from"):
        library.segment(track, len(samples) / rate)


def test_all_channels_of_a_segment_are_there(library):
    (track,) = library.query("channels:6")
    assert library.segment(track, 0.5, 0.75).samples.shape == (track.sample_rate_hz // 4, 6)


@pytest.mark.parametrize("reader", [Waveform, LoudnessHistogram, Fingerprint])
def test_short_bytes_are_refused(reader, library, tracks):
    kinds = {Waveform: "waveform", LoudnessHistogram: "loudness", Fingerprint: "fingerprint"}
    data = library.product(tracks[0], kinds[reader]).bytes
    # A last byte of excesses may be padding.
    for length in (0, 3, len(data) // 2, *([] if reader is Fingerprint else [11, len(data) - 1])):
        with pytest.raises(DeadwaxError):
            reader.from_bytes(data[:length])
