"""How tracks lead into each other: a second implementation of the rules without beats, and a rendered programme."""

import json
import wave

import numpy as np
import pytest
from program import COMMAND, deadwax

from deadwax import Library

RATE = 22_050


def write(path, seconds, level):
    """A tone of 220 Hz with the level in dBFS of each moment, and a little noise of its own."""
    time = np.arange(int(seconds * RATE)) / RATE
    seed = sum(map(ord, path.name))
    tone = np.sin(2 * np.pi * (220 + seed % 40) * time) + 0.01 * np.random.default_rng(seed).standard_normal(len(time))
    samples = 0.7 * tone * 10 ** (np.vectorize(level)(time) / 20)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(np.round(32_767 * samples).astype("<i2").tobytes())


LEVELS = {
    "01 cold.wav": (45, lambda t: -6),
    "02 quiet end.wav": (60, lambda t: -30 if t > 48 else -6),
    "03 quiet start.wav": (60, lambda t: -32 if t < 7 else -8),
    "04 fades.wav": (60, lambda t: -6 if t < 40 else max(-110, -6 + 20 * np.log10(max(1e-6, 1 - (t - 40) / 20)))),
    "05 cold again.wav": (40, lambda t: -110 if t < 1.5 or t > 38 else -9),
    "06 silence first.wav": (50, lambda t: -110 if t < 3 else -7),
    "07 jingle.wav": (10, lambda t: -6),
    "08 last.wav": (40, lambda t: -6),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    music = tmp_path_factory.mktemp("transitions")
    for name, (seconds, level) in LEVELS.items():
        write(music / name, seconds, level)
    path = tmp_path_factory.mktemp("library") / "library.sqlite"
    deadwax("scan", "-q", "-L", path, music)
    return path


def profile(levels, seconds):
    """Where a track begins, ends, gets loud and fades, from its stored levels."""
    db = np.asarray(levels.levels_db, dtype=float)[:, 0]
    power = np.where(db > -120, 10 ** (db / 10), 0)
    point = levels.frames_per_point / levels.sample_rate_hz
    mean = 10 * np.log10(power[db > -60].mean())
    heard = np.flatnonzero(db > max(-58, mean - 40))
    start, end = heard[0] * point, min(seconds, (heard[-1] + 1) * point)
    width = max(1, round(1 / point))
    means = 10 * np.log10(np.maximum(np.convolve(power, np.ones(width) / width, "valid"), 1e-13))
    loud = np.flatnonzero(means >= mean - 8)
    intro = max(start, loud[0] * point) - start
    outro = end - min(end, (loud[-1] + width) * point)
    half = max(1, round(0.5 / point))
    count = int(min(20, max(outro, 4)) / 0.5)
    tail = power[: heard[-1] + 1][-count * half :].reshape(count, half).mean(axis=1)
    tail = 10 * np.log10(np.maximum(tail, 1e-9))
    slope = np.polyfit(0.5 * np.arange(count), tail, 1)[0]
    fades = slope <= -0.7 and tail[0] - tail[-1] >= 10 and (np.diff(tail) < 0).mean() >= 0.8
    last = np.flatnonzero(means >= mean - 12)[-1]
    return {
        "length": seconds, "start": start, "end": end, "intro": intro, "outro": outro,
        "fade": min(end, (last + width / 2) * point) if fades else None,
    }  # fmt: skip


def expected(one, two):
    if min(one["length"], two["length"]) < 30:
        return "join", one["length"], 0, 0
    if one["fade"] is not None:
        overlap = min(12, one["end"] - one["fade"])
        return "tail", one["end"], two["start"], overlap
    if one["outro"] < 1 and two["intro"] < 1:
        kept = min(one["length"] - one["end"], 0.5)
        return "butt", one["end"] + kept, two["start"] - min(two["start"], 0.5 - kept), 0
    wanted = min(one["outro"], max(two["intro"], 4))
    overlap = min(max(wanted, 2), 12, one["length"] / 4, two["length"] / 4)
    return "cross", one["end"], two["start"], overlap


def transitions(made):
    return json.loads(deadwax("transitions", "-L", made, "--json", "path+", "state:ok"))["tracks"]


def test_the_plan_is_that_of_a_second_implementation(made):
    rows = transitions(made)
    with Library(made, command=COMMAND) as library:
        profiles = []
        for row in rows:
            track = next(t for t in library.query("state:ok") if t.id == row["id"])
            profiles.append(profile(library.band_levels(track), track.duration_seconds))
    kinds = []
    for row, one, two in zip(rows, profiles, profiles[1:], strict=False):
        found = row["transition"]
        kinds.append(found["kind"])
        kind, end, start, overlap = expected(one, two)
        assert found["kind"] == kind, (row["path"], found)
        assert found["end_seconds"] == pytest.approx(end, abs=0.0011)
        assert found["next_start_seconds"] == pytest.approx(start, abs=0.0011)
        assert found["overlap_seconds"] == pytest.approx(overlap, abs=0.0011)
    assert kinds == ["butt", "cross", "butt", "tail", "butt", "join", "join"]
    assert rows[-1]["transition"] is None


def samples(path):
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float) / 32_768


def test_a_programme_is_the_sum_that_the_plan_describes(made, tmp_path):
    target = tmp_path / "programme.wav"
    deadwax("render", "-q", "-L", made, "path+", "state:ok", "-o", target, "--transitions", "smart")
    found = samples(target)
    rows = transitions(made)
    programme = np.zeros(len(found) + RATE)
    position, begin, fade_in = 0, 0, 0
    for row in rows:
        sound = samples(row["path"])
        plan = row["transition"]
        end = len(sound) if plan is None else round(plan["end_seconds"] * RATE)
        gain = np.ones(end - begin)
        if fade_in:
            x = (np.arange(fade_in) + 0.5) / fade_in
            gain[:fade_in] *= np.sqrt(x * x * (3 - 2 * x))
        overlap = 0 if plan is None else round(plan["overlap_seconds"] * RATE)
        if plan is not None and plan["fades_out"]:
            x = (np.arange(overlap) + 0.5) / overlap
            gain[-overlap:] *= np.sqrt(1 - x * x * (3 - 2 * x))
        programme[position : position + end - begin] += gain * sound[begin:end]
        if plan is None:
            assert abs(position + end - begin - len(found)) <= 2 * len(rows)
            break
        position += end - begin - overlap
        begin = round(plan["next_start_seconds"] * RATE)
        fade_in = round(plan["fade_in_seconds"] * RATE)
    # Places are given to a millisecond, so a fade may be some frames off; the level of each tenth of a second is not.
    block = RATE // 10
    count = min(len(found), len(programme)) // block
    level = [np.sqrt((s[: count * block].reshape(count, block) ** 2).mean(axis=1)) for s in (found, programme)]
    assert np.abs(level[0] - level[1]).max() < 0.02
