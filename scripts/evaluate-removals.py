#!/usr/bin/env python3
"""Measures what the script of `duplicates --script` would lose, and which intact copies it finds.

    scripts/evaluate-removals.py damages --deadwax bin/deadwax --work FOLDER --cases 1000 MUSIC…
    scripts/evaluate-removals.py copies --deadwax bin/deadwax --before OTHER --work FOLDER --cases 1000 MUSIC…

Each case is a folder with two files that are made of an excerpt of 20 to 40 seconds of one file of MUSIC. For `damages` one of them was
damaged: by zeros, a mute, a cut, other music inside, a dead channel, noise, as a part, a skip, or as another master; or it has no
speech where the intact one has it, or channels are mixed, swapped or inverted. --damage chooses some of these. Either of them may be
the lossless one. What the recipe of the damage did is the oracle: the damaged file may be removed for the other one only if it has
nothing of its own, the intact one never for the damaged one. For `copies` both are intact, in other formats, rates and with other tags; what
another program (--before) removes is counted, and how much of that is still removed. The cases of a batch, one for each file of MUSIC,
are in one library. ffmpeg and numpy are needed, and espeak-ng for speech.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import shutil
import subprocess

import numpy

RATE = 44_100


def decode(path, start=0.0, seconds=None):
    """Samples as frames by channels, 44.1 kHz, two channels."""
    part = ["-ss", f"{start:.3f}"] + (["-t", f"{seconds:.3f}"] if seconds else [])
    data = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", *part, "-i", str(path), "-map", "0:a:0", "-f", "f32le", "-ac", "2", "-ar", str(RATE), "-"],
        capture_output=True, check=True).stdout
    return numpy.frombuffer(data, dtype="<f4").reshape(-1, 2).copy()


def duration(path):
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(path)],
        capture_output=True, text=True, check=True).stdout
    return float(text.strip() or 0)


def encode(samples, path, options):
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "f32le", "-ac", "2", "-ar", str(RATE), "-i", "-", *options, str(path)],
        input=samples.astype("<f4").tobytes(), check=True)


LOSSLESS = {
    "wav": (".wav", []), "flac": (".flac", []), "flac24": (".flac", ["-sample_fmt", "s32"]), "wav24": (".wav", ["-c:a", "pcm_s24le"]),
}


def lossy(dice):
    kind = dice.choice(["mp3", "mp3", "ogg", "opus", "aac"])
    if kind == "mp3":
        rate = dice.choice([64, 96, 128, 160, 192, 256, 320])
        return f"mp3 {rate}", ".mp3", ["-c:a", "libmp3lame", "-b:a", f"{rate}k"]
    if kind == "ogg":
        quality = dice.choice([-1, 0, 1, 2, 3, 4, 5, 6, 8])
        return f"vorbis q{quality}", ".ogg", ["-c:a", "libvorbis", "-q:a", str(quality)]
    if kind == "opus":
        rate = dice.choice([32, 48, 64, 96, 128, 160])
        return f"opus {rate}", ".opus", ["-c:a", "libopus", "-b:a", f"{rate}k"]
    rate = dice.choice([64, 96, 128, 192])
    return f"aac {rate}", ".m4a", ["-c:a", "aac", "-b:a", f"{rate}k"]


def any_format(dice, lossless_share=0.5):
    if dice.random() < lossless_share:
        name = dice.choice(sorted(LOSSLESS))
        return (name, *LOSSLESS[name])
    return lossy(dice)


# MARK: damages

def rms(samples):
    return float(numpy.sqrt(numpy.mean(numpy.square(samples)))) if len(samples) else 0.0


def heard_place(samples, length, dice):
    """The start of a range in which something is heard, -46 dBFS; None if there is none."""
    for _ in range(200):
        start = dice.randrange(0, max(1, len(samples) - length))
        if rms(samples[start:start + length]) > 0.005:
            return start
    return None


def log_uniform(dice, low, high):
    return float(numpy.exp(dice.uniform(numpy.log(low), numpy.log(high))))


def zeros(samples, _, dice):
    out = samples.copy()
    for _ in range(dice.randrange(1, 4)):
        length = int(log_uniform(dice, 0.05, 20) * RATE)
        start = heard_place(samples, length, dice)
        if start is None:
            return None
        out[start:start + length] = 0
    return out, "loss"


def every_other(samples, _, dice):
    """Every second piece of a copy on a bad disk is zero."""
    out = samples.copy()
    length = int(log_uniform(dice, 0.1, 6) * RATE)
    for start in range(length, len(out), 2 * length):
        out[start:start + length] = 0
    return out, "loss"


def end_zero(samples, _, dice):
    length = int(min(log_uniform(dice, 0.3, 30), len(samples) / RATE * 0.6) * RATE)
    if rms(samples[-length:]) < 0.005:
        return None
    out = samples.copy()
    out[-length:] = 0
    return out, "loss"


def mute(samples, _, dice):
    out = samples.copy()
    length = int(log_uniform(dice, 0.1, 20) * RATE)
    start = heard_place(samples, length, dice)
    if start is None:
        return None
    ramp = min(int(0.01 * RATE), length // 4)
    gain = numpy.full(length, dice.choice([0, 0, 0.01]), dtype="f4")
    gain[:ramp] = numpy.linspace(1, gain[ramp], ramp)
    gain[-ramp:] = numpy.linspace(gain[-ramp - 1], 1, ramp)
    out[start:start + length] *= gain[:, None]
    return out, "loss"


def cut(samples, _, dice):
    length = int(min(log_uniform(dice, 0.06, 15), len(samples) / RATE / 2) * RATE)
    start = heard_place(samples, length, dice)
    if start is None:
        return None
    out = numpy.concatenate([samples[:start], samples[start + length:]])
    if dice.random() < 0.5:
        out = numpy.concatenate([out, numpy.zeros((length, 2), "f4")])
    return out, "loss"


def other_music(samples, other, dice):
    length = int(log_uniform(dice, 0.5, 10) * RATE)
    start, place = heard_place(samples, length, dice), heard_place(other, length, dice)
    if start is None or place is None or place + length > len(other):
        return None
    piece = other[place:place + length]
    out = samples.copy()
    out[start:start + length] = piece * min(4, rms(samples[start:start + length]) / max(1e-6, rms(piece)))
    return numpy.clip(out, -1, 1), "other"


def dead_channel(samples, _, dice):
    channel = dice.randrange(2)
    out = samples.copy()
    if rms(samples[:, channel]) < 0.01:
        return None
    if dice.random() < 0.5:
        out[:, channel] = 0
    else:
        length = int(log_uniform(dice, 0.5, 20) * RATE)
        start = heard_place(samples[:, channel:channel + 1], length, dice)
        if start is None or rms(samples[start:start + length, channel]) < 0.02:
            return None
        out[start:start + length, channel] = 0
    return out, "loss"


def noise(samples, _, dice):
    length = int(log_uniform(dice, 0.1, 5) * RATE)
    start = heard_place(samples, length, dice)
    if start is None:
        return None
    out = samples.copy()
    level = max(0.05, rms(samples[start:start + length]))
    burst = numpy.random.default_rng(dice.randrange(1 << 30)).normal(0, 1, (length, 2)).astype("f4")
    if dice.random() < 0.5:
        out[start:start + length] = burst * level
    else:
        out[start:start + length] += burst * level * dice.choice([1, 2])
    return numpy.clip(out, -1, 1), "loss"


def part(samples, _, dice):
    length = int(dice.uniform(0.3, 0.97) * len(samples))
    start = dice.choice([0, len(samples) - length, dice.randrange(0, len(samples) - length)])
    lost = numpy.concatenate([samples[:start], samples[start + length:]])
    heard = any(rms(lost[i:i + RATE // 4]) > 0.005 for i in range(0, max(1, len(lost) - RATE // 4), RATE // 4))
    return (samples[start:start + length], "loss") if heard else None


def skip(samples, _, dice):
    """A scratched disc repeats a turn in the place of what follows."""
    turn = int(dice.uniform(0.1, 0.4) * RATE)
    length = int(dice.uniform(0.6, 4) * RATE)
    start = heard_place(samples, length + turn, dice)
    if start is None or start + turn + length > len(samples):
        return None
    out = samples.copy()
    count = length // turn + 1
    looped = numpy.tile(samples[start:start + turn], (count, 1))[:length]
    replaced = samples[start + turn:start + turn + length]
    # Music that repeats itself loses nothing.
    if rms(looped - replaced) < 0.7 * rms(replaced):
        return None
    out[start + turn:start + turn + length] = looped
    return out, "loss"


def filtered(samples, graph):
    data = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "f32le", "-ac", "2", "-ar", str(RATE), "-i", "-", "-af", graph, "-f", "f32le", "-"],
        input=samples.astype("<f4").tobytes(), capture_output=True, check=True).stdout
    return numpy.frombuffer(data, dtype="<f4").reshape(-1, 2).copy()


def equalized(samples, _, dice):
    gain = dice.choice([-9, -6, 6, 9])
    graph = dice.choice([f"bass=g={gain}:f=150", f"treble=g={gain}:f=4000", f"equalizer=f=1000:t=o:w=2:g={gain}"])
    out = filtered(samples, graph)
    return out / max(1, numpy.abs(out).max()), "other"


def lowpassed(samples, _, dice):
    edge = dice.choice([3_000, 5_000, 8_000])
    out = filtered(samples, f"lowpass=f={edge},lowpass=f={edge},lowpass=f={edge}")
    spectrum = numpy.abs(numpy.fft.rfft(samples[:, 0]))
    lost = spectrum[int(edge * len(samples) / RATE):]
    if numpy.square(lost).sum() < 1e-3 * numpy.square(spectrum).sum():
        return None
    return out, "loss"


def compressed(samples, _, dice):
    peak = numpy.abs(samples).max()
    scaled = samples / max(1e-6, peak)
    out = filtered(scaled, f"acompressor=threshold=-30dB:ratio={dice.choice([6, 10])}:attack=5:release=80:makeup=8")
    return out / max(1, numpy.abs(out).max()), "other"


def clipped(samples, _, dice):
    level = rms(samples)
    limit = level * dice.choice([1, 1.4])
    if numpy.mean(numpy.abs(samples) > limit) < 0.03:
        return None
    return numpy.clip(samples, -limit, limit) / limit * 0.98, "other"


VOICES = ["en", "en+f3", "en+m7", "de", "fr", "es+f2", "it", "pl"]
SENTENCES = """This is the commentary of the director. He says what happened on the day of the recording, and why the
second take was used. The drums were recorded last, in a room that was much too small. Nobody else has this commentary,
and it would be a pity to lose it. Please note that this copy was made for the radio, and that it must not be sold. What
follows is the second movement."""


def speech(dice):
    """Up to 13 s of a synthetic voice, at an RMS of 1."""
    words = SENTENCES.split()
    first = dice.randrange(len(words) // 2)
    data = subprocess.run(
        ["espeak-ng", "--stdout", "-v", dice.choice(VOICES), "-s", str(dice.randrange(130, 190)),
         "-p", str(dice.randrange(20, 80)), " ".join(words[first:])], capture_output=True, check=True).stdout
    data = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", "-", "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"],
        input=data, capture_output=True, check=True).stdout
    voice = numpy.frombuffer(data, dtype="<f4")[:int(dice.uniform(9, 13) * RATE)]
    return voice / rms(voice)


def with_speech(samples, dice, levels, sides):
    """Music with speech for some seconds, and where and how loud: the copy that is kept has the music alone."""
    voice = speech(dice)[:, None] * numpy.array(sides, "f4")
    start = heard_place(samples, len(voice), dice) if len(voice) < len(samples) else None
    if start is None:
        return None
    level = dice.choice(levels)
    place = slice(start, start + len(voice))
    quiet = samples * 0.7
    spoken = quiet.copy()
    spoken[place] += voice * rms(quiet[place]) * 10 ** (level / 20)
    return quiet, "loss", spoken / max(1, numpy.abs(spoken).max()), f"{level} dB"


def speech_over(samples, _, dice):
    return with_speech(samples, dice, [-6, -9, -12, -15, -18, -21], [1, 1])


def speech_at_side(samples, _, dice):
    return with_speech(samples, dice, [-6, -9, -12, -15, -18, -21], [1, -1])


def speech_in_channel(samples, _, dice):
    return with_speech(samples, dice, [-6, -9, -12, -15, -18, -21], dice.choice([[1.4, 0], [0, 1.4]]))


def quiet_channel(samples, _, dice):
    """A channel below what a waveform of 8 bits resolves well, dead in the other copy for all or some of the time."""
    channel, level = dice.randrange(2), dice.choice([-33, -36, -40, -44])
    peak = numpy.abs(samples[:, channel]).max()
    if rms(samples[:, channel]) < 0.01:
        return None
    good = samples.copy()
    good[:, channel] *= 10 ** (level / 20) / peak
    bad = good.copy()
    start = dice.choice([0, len(samples) // 2])
    bad[start:, channel] = 0
    return bad, "loss", good, f"{level} dB, from {start / RATE:.0f} s"


def mid_and_side(samples):
    return samples.mean(axis=1, keepdims=True), (samples[:, :1] - samples[:, 1:]) / 2


def is_wide(samples):
    mid, side = mid_and_side(samples)
    return rms(side) > 0.15 * rms(mid)


def mono(samples, _, dice):
    return (numpy.repeat(mid_and_side(samples)[0], 2, axis=1), "loss") if is_wide(samples) else None


def centre_removed(samples, _, dice):
    """As for karaoke."""
    side = mid_and_side(samples)[1]
    return (numpy.concatenate([side, dice.choice([-1, 1]) * side], axis=1), "loss") if is_wide(samples) else None


def inverted_channel(samples, _, dice):
    return samples * numpy.array(dice.choice([[1, -1], [-1, 1]]), "f4"), "loss"


def swapped(samples, _, dice):
    return (samples[:, ::-1].copy(), "loss") if is_wide(samples) else None


DAMAGES = {
    "zeros": zeros, "every other piece zero": every_other, "end zero": end_zero, "mute": mute, "cut": cut, "other music": other_music,
    "dead channel": dead_channel, "noise": noise, "part": part, "skip": skip, "equalizer": equalized, "low-pass": lowpassed,
    "compressor": compressed, "clipped": clipped, "speech": speech_over, "speech at the side": speech_at_side,
    "speech in a channel": speech_in_channel, "quiet channel": quiet_channel, "mono": mono,
    "centre removed": centre_removed, "inverted channel": inverted_channel, "swapped": swapped,
}


# MARK: cases

def excerpt(path, dice):
    total = duration(path)
    seconds = min(total, dice.uniform(20, 40))
    if seconds < 12:
        return None
    samples = decode(path, dice.uniform(0, total - seconds), seconds)
    return samples if rms(samples) > 0.01 else None


def damaged_case(number, path, files, folder, seed, recipes):
    dice = random.Random(f"{seed} {number}")
    # Which names come first must not decide.
    names = ["a", "b"]
    dice.shuffle(names)
    samples = excerpt(path, dice)
    if samples is None:
        return None
    other = None
    recipe = recipes[number % len(recipes)]
    if recipe == "other music":
        others = [file for file in files if file.stem != path.stem]
        other = excerpt(dice.choice(others), dice)
        if other is None:
            return None
    result = DAMAGES[recipe](samples, other, dice)
    if result is None:
        return None
    bad, loss, samples, note = result if len(result) == 4 else (*result, samples, "")
    if dice.random() < 0.25:
        bad = bad * dice.choice([0.5, 0.7])
    folder.mkdir(parents=True)
    good_format, bad_format = any_format(dice, 0.4), any_format(dice, 0.7)
    good, broken = folder / (names[0] + good_format[1]), folder / (names[1] + bad_format[1])
    encode(samples, good, good_format[2])
    encode(bad, broken, bad_format[2])
    return {"recipe": recipe, "source": str(path), "good": str(good), "bad": str(broken), "loss": loss, "note": note,
            "formats": [good_format[0], bad_format[0]]}


def copies_case(number, path, files, folder, seed, _):
    dice = random.Random(f"{seed} copies {number}")
    samples = excerpt(path, dice)
    if samples is None:
        return None
    folder.mkdir(parents=True)
    formats, paths = [], []
    for name in ["a", "b"]:
        kind, ending, options = any_format(dice, 0.3)
        sound, notes = samples, [kind]
        if dice.random() < 0.3:
            gain = dice.choice([0.3, 0.5, 0.7, 0.9])
            sound = sound * gain
            notes.append(f"gain {gain}")
        if dice.random() < 0.3:
            lead, tail = dice.choice([0, 0.1, 0.5, 1.5]), dice.choice([0, 0.1, 0.5, 1.5])
            sound = numpy.concatenate([numpy.zeros((int(lead * RATE), 2), "f4"), sound, numpy.zeros((int(tail * RATE), 2), "f4")])
            notes.append(f"silence {lead} {tail}")
        if ending in (".wav", ".flac", ".mp3", ".ogg") and dice.random() < 0.25:
            rate = dice.choice([48_000, 32_000] if ending in (".mp3", ".ogg") else [48_000, 96_000, 32_000, 22_050])
            options = [*options, "-ar", str(rate)]
            notes.append(f"{rate} Hz")
        if dice.random() < 0.5:
            title = "The Title of the Song"
            options = [*options, "-metadata", f"title={dice.choice([title, title.upper()])}"]
        file = folder / (name + ending)
        encode(sound, file, options)
        formats.append(", ".join(notes))
        paths.append(str(file))
    return {"recipe": "copies", "source": str(path), "good": paths[0], "bad": paths[1], "formats": formats}


def removals(deadwax, library):
    """What the script would remove: pairs of the removed and the kept path."""
    text = subprocess.run(
        [deadwax, "duplicates", "--quiet", "--script", "-", "--library", str(library)], capture_output=True, check=True).stdout.decode()
    found, kept = [], None
    for line in text.splitlines():
        parts = line.split("'")
        if line.startswith("remove '") and len(parts) > 3 and " for " in parts[2]:
            found.append((parts[1], parts[3]))
        elif line.startswith("if kept '"):
            kept = parts[1]
        elif line.startswith("remove '") and kept:
            found.append((parts[1], kept))
    return found


def percent(name, count, total):
    print(f"| {name} | {count} of {total} | {100 * count / max(1, total):.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["damages", "copies"])
    parser.add_argument("--deadwax", required=True, help="the command")
    parser.add_argument("--before", help="another build of the command to compare with")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for the files and libraries")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--half", type=int, choices=[0, 1], help="use every second file of MUSIC, to choose or to verify")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--damage", action="append", choices=sorted(DAMAGES), help="only this damage; may be repeated")
    parser.add_argument("music", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    # The script has absolute paths.
    options.work = options.work.resolve()
    files = sorted((file for path in options.music for file in path.rglob("*") if file.is_file()), key=lambda file: (file.stem, str(file)))
    by_stem = {}
    for file in files:
        by_stem.setdefault(file.stem, file)
    files = list(by_stem.values())
    if options.half is not None:
        files = files[options.half::2]
    recipes = sorted(options.damage or DAMAGES)
    make = damaged_case if options.what == "damages" else copies_case

    cases, number, batch = [], 0, 0
    while len(cases) < options.cases:
        root = options.work / f"batch {batch}"
        manifest = root / "cases.json"
        if not manifest.exists():
            shutil.rmtree(root, ignore_errors=True)
            chosen = files[:]
            random.Random(f"{options.seed} {batch}").shuffle(chosen)
            wanted = min(len(chosen), options.cases - len(cases))
            made = []
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                jobs = [
                    pool.submit(
                        make, number + i, path, files, root / "music" / f"{number + i:05}", options.seed, recipes)
                    for i, path in enumerate(chosen[:wanted])]
                made = [case for job in jobs if (case := job.result())]
            root.mkdir(exist_ok=True)
            manifest.write_text(json.dumps(made))
            subprocess.run(
                [options.deadwax, "scan", "--quiet", "--library", str(root / "library.sqlite"), str(root / "music")], check=True)
        cases += [{**case, "library": str(root / "library.sqlite")} for case in json.loads(manifest.read_text())]
        number += len(files)
        batch += 1

    cases = cases[:options.cases]
    libraries = sorted({case["library"] for case in cases})
    now = {library: removals(options.deadwax, library) for library in libraries}
    before = {library: removals(options.before, library) for library in libraries} if options.before else {}
    table = collections.defaultdict(collections.Counter)
    for case in cases:
        def removed(found):
            return {one for one, _ in found[case["library"]]} & {case["good"], case["bad"]}
        row = table[" ".join([case["recipe"], case.get("note", "").split(",")[0]]).strip()]
        row["cases"] += 1
        for name, found in [("now", now), ("before", before)]:
            if not found:
                continue
            gone = removed(found)
            lost = case["good"] in gone or (case.get("loss") == "other" and case["bad"] in gone) if options.what == "damages" else False
            row[f"{name} removed"] += bool(gone)
            row[f"{name} lost"] += lost
            if name == "now" and lost:
                print("LOST", case["recipe"], case.get("note", ""), case["formats"], case["good"], case["bad"])
        if options.what == "copies" and before and removed(before):
            still = bool(removed(now))
            row["before and now"] += still
            if not still:
                print("LEFT", case["formats"], case["good"], case["bad"])
    for recipe, row in sorted(table.items()):
        print(recipe, dict(row))
    total = sum(table.values(), collections.Counter())
    print("all", dict(total))
    if options.what == "copies" and before:
        percent("still removed, of what was removed before", total["before and now"], total["before removed"])


if __name__ == "__main__":
    main()
