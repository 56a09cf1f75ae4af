"""Two copies of a recording compared: what was done to one of them is the oracle, and dr14meter the one of DR14."""

import json
import wave

import numpy as np
import pytest
from dr14meter.compute_dr14 import compute_dr14
from program import FIXTURES, deadwax

RATE = 44_100
SECONDS = 24


def write(path, samples, rate=RATE):
    with wave.open(str(path), "wb") as file:
        file.setparams((samples.shape[1], 2, rate, 0, "NONE", ""))
        file.writeframes(np.clip(np.round(samples * 32_768), -32_768, 32_767).astype("<i2").tobytes())


def read(path):
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
        return samples.astype(float) / 32_768, file.getframerate()


def music(seed=1, seconds=SECONDS, rate=RATE):
    """Notes that begin and decay at odd times, over a soft noise: levels and samples that occur only once."""
    dice = np.random.default_rng(seed)
    time = np.arange(int(seconds * rate)) / rate
    out = np.zeros((len(time), 2))
    for start in np.cumsum(dice.uniform(0.12, 0.4, 500)):
        if start > seconds - 0.5:
            break
        first = int(start * rate)
        note = time[: min(rate, len(time) - first)]
        frequency = 110 * 2 ** (dice.integers(0, 48) / 12)
        sound = sum(np.sin(2 * np.pi * frequency * k * note) / k**1.5 for k in range(1, 9) if frequency * k < 9_000)
        sound = sound * np.exp(-note * dice.uniform(3, 9)) * np.minimum(1, note / 0.003)
        hit = dice.standard_normal(len(note)) * np.exp(-note * 60)
        out[first : first + len(note)] += (0.12 * sound + 0.1 * hit)[:, None] * dice.uniform(0.3, 1, 2)
    out += 0.0005 * dice.standard_normal(out.shape)
    # Like music, with nothing near half of the sample rate, where no filter of finite length is exact.
    hertz = np.fft.rfftfreq(len(out), 1 / rate)
    out = np.fft.irfft(np.fft.rfft(out, axis=0) / (1 + (hertz / 9_000) ** 16)[:, None], len(out), axis=0)
    return 0.5 * out / np.abs(out).max()


def dithered(samples, seed=7):
    dice = np.random.default_rng(seed)
    return samples + (dice.uniform(-0.5, 0.5, samples.shape) + dice.uniform(-0.5, 0.5, samples.shape)) / 32_768


def compare(one, two, *options):
    return json.loads(deadwax("compare", "-q", "--json", one, two, *options))


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("compare") / "a.wav"
    write(path, music())
    return path


def made(original, name, samples, rate=RATE):
    path = original.with_name(name)
    write(path, samples, rate)
    return path


def test_a_trimmed_copy_is_identical_at_its_place(original):
    samples, _ = read(original)
    found = compare(original, made(original, "trimmed.wav", samples[12_345:-777]))
    assert found["relation"] == "identical"
    assert found["offset_frames"] == 12_345
    assert found["unequal_frames"] == 0 and found["compared_frames"] == len(samples) - 12_345 - 777
    assert not found["inverted"] and found["speed"] == 1 and found["edits"] == []


@pytest.mark.parametrize("sign", [1, -1])
def test_another_gain_leaves_only_rounding(original, sign):
    samples, _ = read(original)
    factor = sign * 10 ** (-3.7 / 20)
    changed = np.round(dithered(factor * samples) * 32_768) / 32_768
    found = compare(original, made(original, "gain.wav", changed))
    left = changed - factor * samples
    expected = 10 * np.log10((left**2).sum() / (changed**2).sum())
    assert found["relation"] == "gain" and found["inverted"] == (sign < 0)
    assert found["gain_db"] == pytest.approx(-3.7, abs=0.002)
    assert found["null_after_gain_db"] == pytest.approx(expected, abs=0.3)


def shifted(samples, frames):
    """Later by a fraction of a frame, through the whole spectrum."""
    spectrum = np.fft.rfft(samples, axis=0)
    return np.fft.irfft(
        spectrum * np.exp(-2j * np.pi * np.fft.rfftfreq(len(samples))[:, None] * frames), len(samples), axis=0
    )


@pytest.mark.parametrize("frames", [0.25, -0.4, 1_000.5])
def test_an_offset_is_found_to_a_fraction_of_a_sample(original, frames):
    samples, _ = read(original)
    found = compare(original, made(original, "shifted.wav", dithered(shifted(samples, frames))))
    assert found["offset_frames"] == pytest.approx(-frames, abs=0.005)
    assert found["null_after_gain_db"] < -50


@pytest.mark.parametrize("speed", [1.0003, 0.97])
def test_another_speed_is_measured(original, speed):
    samples, _ = read(original)
    # Band-limited already, so cubic pieces through eightfold samples are exact enough.
    fine = np.fft.irfft(np.fft.rfft(samples, axis=0), 8 * len(samples), axis=0) * 8
    places = np.arange(int(len(samples) / speed) - 8) * speed * 8
    changed = np.stack([np.interp(places, np.arange(len(fine)), fine[:, channel]) for channel in (0, 1)], axis=1)
    found = compare(original, made(original, "speed.wav", changed))
    assert found["relation"] == "speed"
    assert found["speed"] == pytest.approx(speed, abs=2e-6)


def test_a_filter_is_found_with_its_response(original):
    samples, _ = read(original)
    # A peak of 1 kHz, Q 1, -4 dB (Bristow-Johnson's formulas), computed over the whole spectrum.
    amplitude, angle = 10 ** (-4 / 40), 2 * np.pi * 1_000 / RATE
    alpha = np.sin(angle) / 2

    def response(hertz):
        z = np.exp(-2j * np.pi * np.asarray(hertz) / RATE)
        upper = (1 + alpha * amplitude) - 2 * np.cos(angle) * z + (1 - alpha * amplitude) * z * z
        return upper / ((1 + alpha / amplitude) - 2 * np.cos(angle) * z + (1 - alpha / amplitude) * z * z)

    spectrum = np.fft.rfft(samples, axis=0)
    changed = np.fft.irfft(spectrum * response(np.fft.rfftfreq(len(samples), 1 / RATE))[:, None], len(samples), axis=0)
    found = compare(original, made(original, "equalized.wav", dithered(changed)))
    assert found["relation"] == "equalized"
    bands = [b for b in found["bands"] if b["filter_db"] is not None and 100 < b["center_hz"] < 8_000]
    assert len(bands) > 15
    for band in bands:
        expected = 20 * np.log10(abs(response(band["center_hz"])))
        assert band["filter_db"] == pytest.approx(expected, abs=0.25), band


def test_clipping_is_found_in_the_loudest_samples(original):
    samples, _ = read(original)
    edge = np.abs(samples).max() / 2
    found = compare(original, made(original, "clipped.wav", np.clip(samples, -edge, edge)))
    assert found["relation"] == "clipped" and found["share_in_loudest"] > 0.5


def test_a_limiter_changes_the_gain_with_the_level(original):
    samples, _ = read(original)
    loud = samples / np.abs(samples).max() * 10 ** (9 / 20)
    level = np.abs(loud).max(axis=1)
    block = 441
    peaks = level[: len(level) // block * block].reshape(-1, block).max(axis=1)
    held = np.max([np.roll(peaks, shift) for shift in range(-4, 5)], axis=0)
    gain = np.repeat(np.minimum(1, 0.98 / np.maximum(held, 1e-9)), block)
    gain = np.convolve(gain, np.hanning(2_205) / np.hanning(2_205).sum(), "same")
    found = compare(original, made(original, "limited.wav", loud[: len(gain)] * gain[:, None]))
    assert found["relation"] == "compressed"
    assert found["gain_level_correlation"] < -0.3 and found["gain_deviation_db"] > 0.3


def test_a_cut_is_found_at_its_place(original):
    samples, _ = read(original)
    start, length = 10 * RATE, 2 * RATE + 1_234
    changed = np.concatenate([samples[:start], samples[start + length :]])
    found = compare(original, made(original, "cut.wav", changed))
    assert found["relation"] == "edited"
    (edit,) = [e for e in found["edits"] if e["kind"] == "shifted"]
    assert edit["start_seconds"] == pytest.approx(10, abs=0.2)
    assert edit["length_seconds"] == pytest.approx(-length / RATE, abs=0.001)


def test_replaced_seconds_are_found(original):
    samples, _ = read(original)
    changed = samples.copy()
    changed[10 * RATE : 13 * RATE] = music(seed=9, seconds=3)
    found = compare(original, made(original, "replaced.wav", changed))
    assert found["relation"] == "edited"
    (edit,) = found["edits"]
    assert edit["kind"] == "differs"
    assert edit["start_seconds"] == pytest.approx(10, abs=1) and edit["length_seconds"] == pytest.approx(3, abs=1)


@pytest.mark.parametrize("factor, relation", [(1, "identical"), (0.8, "gain")])
@pytest.mark.parametrize("seconds", [3, 5])
def test_what_was_replaced_does_not_hide_what_was_done_to_the_rest(original, factor, relation, seconds):
    samples, _ = read(original)
    changed = samples.copy()
    changed[10 * RATE : (10 + seconds) * RATE] = music(seed=9, seconds=seconds)
    found = compare(original, made(original, "part.wav", factor * changed))
    assert found["relation"] == "edited" and found["relation_of_rest"] == relation
    assert found["gain_db"] == pytest.approx(20 * np.log10(factor), abs=0.001)


@pytest.mark.parametrize("depth", [6, 9, 12])
def test_deep_clipping_is_told_from_a_limiter(original, depth):
    samples, _ = read(original)
    loud = samples / np.abs(samples).max() * 10 ** (depth / 20)
    found = compare(original, made(original, "deep.wav", 0.9 * np.clip(loud, -1, 1)))
    assert found["relation"] == "clipped"
    assert found["b"]["share_at_ceiling"] > 10 * found["a"]["share_at_ceiling"]


def test_other_music_has_nothing_in_common(original):
    found = compare(original, made(original, "other.wav", music(seed=5)))
    assert found["relation"] == "other-performance"
    assert found["null_after_gain_db"] is None and found["offset_seconds"] is None


def test_another_rate_is_no_difference(original):
    samples, _ = read(original)
    count = len(samples) * 48_000 // RATE
    spectrum = np.fft.rfft(samples, axis=0)
    # The spectrum of noise and notes ends below 22.05 kHz, so zeros are all that is added.
    changed = np.fft.irfft(spectrum, count, axis=0) * count / len(samples)
    found = compare(original, made(original, "rate.wav", dithered(changed), 48_000))
    assert found["relation"] in ("resampled", "gain")
    assert found["offset_frames"] == pytest.approx(0, abs=0.01)


def test_the_difference_is_what_is_left(original, tmp_path):
    samples, _ = read(original)
    changed = samples.copy()
    changed[5 * RATE : 5 * RATE + 1_000] += 0.01
    target = tmp_path / "difference.wav"
    compare(original, made(original, "bump.wav", changed), "-o", target)
    data = target.read_bytes()
    rest = np.frombuffer(data[data.index(b"data") + 8 :], "<f4").reshape(-1, 2)
    assert len(rest) == len(samples)
    np.testing.assert_allclose(rest, read(original.with_name("bump.wav"))[0] - samples, atol=2e-5)


def reference(samples, rate):
    return compute_dr14(samples, rate)[0]


@pytest.mark.parametrize("rate", [44_100, 48_000])
@pytest.mark.parametrize("seconds", [5, 24.5, 40])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dr14_is_that_of_the_reference(tmp_path, rate, seconds, seed):
    samples = music(seed, seconds, rate)
    write(tmp_path / "a.wav", samples * 0.5)
    write(tmp_path / "b.wav", np.clip(3 * samples, -1, 1))
    found = compare(tmp_path / "a.wav", tmp_path / "b.wav")
    for side, name in (("a", "a.wav"), ("b", "b.wav")):
        assert found[side]["dr14"] == reference(*read(tmp_path / name))


def test_dr14_of_the_fixtures_is_that_of_the_reference():
    names = sorted(FIXTURES.rglob("*.wav"))
    checked = 0
    for name in names:
        try:
            samples, rate = read(name)
        except (wave.Error, ValueError):
            continue
        with np.errstate(all="ignore"):
            expected = reference(samples, rate)
        found = compare(name, name)
        assert found["a"]["dr14"] == expected, name
        checked += 1
    assert checked > 0


def test_dr14_of_noise_with_two_peaks_is_its_formula(tmp_path):
    dice = np.random.default_rng(4)
    samples = np.concatenate(
        [0.01 * dice.standard_normal((24 * 48_000, 2)), 0.1 * dice.standard_normal((6 * 48_000, 2))]
    )
    samples = np.clip(samples, -0.6, 0.6)
    samples[5 * 48_000], samples[15 * 48_000] = 0.9, 0.8
    write(tmp_path / "noise.wav", samples, 48_000)
    found = compare(tmp_path / "noise.wav", tmp_path / "noise.wav")
    # Eleven blocks: the two loudest are those of RMS 0.1, and the second largest peak is 0.8.
    assert found["a"]["dr_db"] == pytest.approx([20 * np.log10(0.8 / (0.1 * np.sqrt(2)))] * 2, abs=0.05)
