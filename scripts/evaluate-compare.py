#!/usr/bin/env python3
"""Measures how `deadwax compare` names what was done to a recording.

    scripts/evaluate-compare.py --deadwax bin/deadwax --work FOLDER [--half first|second] [--rounds 2] MUSIC…

Each pair is a piece of 40 to 70 seconds of a file of MUSIC as 16 bits at 44.1 kHz, and what a recipe made of it: other
trimming, gain, another sample rate, lossy codecs, equalizers, compressors and limiters, clipping, speed, cuts and
inserts, another mix, another performance. The recipe is the oracle. Files are divided into halves by a checksum of their
names without their endings, so that thresholds can be chosen with one half and figures taken from the other one. Prints the confusion matrix, the
pairs that were named otherwise, and how exact offsets and nulls were. ffmpeg, sox and numpy are needed.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import subprocess
import wave
import zlib

import numpy

RATE = 44_100


def run(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], check=True, capture_output=True, **options).stdout


def duration(path):
    text = run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path).decode()
    return float(text.strip() or 0)


def decode(path, start=0.0, seconds=None, rate=RATE):
    part = ["-ss", f"{start:.3f}"] + (["-t", f"{seconds:.3f}"] if seconds else [])
    data = run(
        "ffmpeg", "-nostdin", "-v", "error", *part, "-i", path, "-map", "0:a:0", "-f", "f32le", "-ac", "2", "-ar", rate, "-")
    return numpy.frombuffer(data, "<f4").reshape(-1, 2).astype(float)


def quantized(samples, dice=None, bits=16):
    """As integers: rounded, or with triangular dither."""
    noise = 0 if dice is None else sum(numpy.random.default_rng(dice.randrange(1 << 30)).uniform(-0.5, 0.5, (2, *samples.shape)))
    full = 1 << (bits - 1)
    return numpy.clip(numpy.round(samples * full + noise), -full, full - 1) / full


def write(samples, path, rate=RATE, bits=16):
    data = numpy.round(samples * (1 << (bits - 1))).astype("<i4")
    data = numpy.clip(data, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    raw = data.astype("<i2").tobytes() if bits == 16 else data.astype("<i4").view("u1").reshape(-1, 4)[:, :3].tobytes()
    with wave.open(str(path), "wb") as file:
        file.setparams((2, bits // 8, rate, 0, "NONE", ""))
        file.writeframes(raw)


def filtered(samples, graph):
    data = run(
        "ffmpeg", "-nostdin", "-v", "error", "-f", "f32le", "-ac", "2", "-ar", RATE, "-i", "-", "-af", graph,
        "-f", "f32le", "-ac", "2", "-ar", RATE, "-", input=samples.astype("<f4").tobytes())
    return numpy.frombuffer(data, "<f4").reshape(-1, 2).astype(float)


def fitted(samples):
    """Within full scale, as a mastering engineer would leave it."""
    return samples * min(1, 0.98 / max(1e-9, numpy.abs(samples).max()))


# MARK: recipes: (samples, other music, dice, path without extension) -> path of B, what was done, expected offset in frames of A

def identical(samples, other, dice, path):
    start, end = dice.randrange(0, 5 * RATE), len(samples) - dice.randrange(0, 5 * RATE)
    write(samples[start:end], path.with_suffix(".wav"))
    return path.with_suffix(".wav"), "trimmed", start


def gain(samples, other, dice, path):
    level, sign = dice.uniform(-9, -0.2), dice.choice([1, 1, -1])
    start = dice.randrange(0, 3 * RATE)
    out = quantized(sign * samples[start:] * 10 ** (level / 20), dice.choice([None, dice]))
    write(out, path.with_suffix(".wav"))
    return path.with_suffix(".wav"), f"{level:.1f} dB{' inverted' if sign < 0 else ''}", start


def resampled(samples, other, dice, path):
    rate = dice.choice([48_000, 48_000, 88_200, 96_000])
    back = dice.random() < 0.4
    # With room for what filters add; A is the same.
    write(quantized(samples * 0.8), path.with_name("a.wav"))
    write(quantized(samples * 0.8), path.with_suffix(".a.wav"))
    run("sox", path.with_suffix(".a.wav"), "-b", 24, path.with_suffix(".b.wav"), "rate", "-v", rate)
    result = path.with_suffix(".b.wav")
    if back:
        run("sox", path.with_suffix(".b.wav"), "-b", 16, path.with_suffix(".c.wav"), "rate", "-v", RATE)
        result = path.with_suffix(".c.wav")
    return result, f"{rate}{' and back' if back else ''}", 0


LOSSY = [
    ("mp3", "libmp3lame", [320, 256, 192, 128, 96]), ("ogg", "libvorbis", [320, 192, 128, 96, 64]),
    ("opus", "libopus", [192, 160, 128, 96, 64]), ("m4a", "aac", [256, 192, 160, 128, 96]),
]


def lossy(samples, other, dice, path):
    ending, codec, rates = dice.choice(LOSSY)
    rate = dice.choice(rates)
    write(samples, path.with_suffix(".a.wav"))
    run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", path.with_suffix(".a.wav"), "-c:a", codec, "-b:a", f"{rate}k",
        path.with_suffix(f".b.{ending}"))
    if dice.random() < 0.5:
        return path.with_suffix(f".b.{ending}"), f"{ending} {rate}", None
    # As a file that hides where it comes from.
    write(quantized(numpy.clip(decode(path.with_suffix(f".b.{ending}")), -1, 1)), path.with_suffix(".c.wav"))
    return path.with_suffix(".c.wav"), f"{ending} {rate} as wav", None


def equalized(samples, other, dice, path):
    bands = [
        f"bass=g={dice.choice([-5, -3, 3, 5])}:f={dice.choice([80, 120, 200])}",
        f"equalizer=f={dice.choice([400, 1000, 2500])}:t=q:w={dice.choice([0.7, 1, 2])}:g={dice.choice([-4, -2, 2, 4])}",
        f"treble=g={dice.choice([-5, -2, 2, 5])}:f={dice.choice([4000, 8000])}",
    ]
    graph = ",".join(dice.sample(bands, dice.randrange(1, 4)))
    write(quantized(fitted(filtered(samples, graph)), dice), path.with_suffix(".wav"))
    return path.with_suffix(".wav"), graph, None


def compressed(samples, other, dice, path):
    loud = samples / max(1e-9, numpy.abs(samples).max())
    kind = dice.choice(["limiter", "limiter", "compressor", "own"])
    depth = dice.choice([4, 6, 9])
    if kind == "limiter":
        out = filtered(loud, f"alimiter=level_in={10 ** (depth / 20)}:limit=0.95:attack=5:release={dice.choice([50, 150])}:level=0")
    elif kind == "compressor":
        out = filtered(loud, f"acompressor=threshold=-{12 + depth}dB:ratio={dice.choice([2, 4])}:attack=10:release=120:makeup=2")
    else:
        # A look-ahead limiter of our own: the gain of a sliding minimum, smoothed.
        wanted = numpy.minimum(1, 1 / numpy.maximum(1e-9, numpy.abs(loud).max(axis=1) * 10 ** (depth / 20)))
        block = 128
        least = wanted[: len(wanted) // block * block].reshape(-1, block).min(axis=1)
        least = numpy.minimum.reduce([numpy.roll(least, shift) for shift in range(-20, 21)])
        smooth = numpy.convolve(numpy.repeat(least, block), numpy.hanning(2048) / numpy.hanning(2048).sum(), "same")
        out = loud[: len(smooth)] * smooth[:, None] * 10 ** (depth / 20)
    write(quantized(fitted(out), dice), path.with_suffix(".wav"))
    return path.with_suffix(".wav"), f"{kind} {depth}", None


def clipped(samples, other, dice, path):
    depth = dice.choice([3, 6, 9])
    edge = numpy.abs(samples).max() * 10 ** (-depth / 20)
    write(quantized(numpy.clip(samples, -edge, edge) * dice.choice([1, 0.9 / edge if edge > 0 else 1])), path.with_suffix(".wav"))
    return path.with_suffix(".wav"), f"{depth} dB", 0


def speed(samples, other, dice, path):
    factor = 1 + dice.choice([-1, 1]) * dice.choice([0.0001, 0.0005, 0.002, 0.01, 0.03, 0.05])
    write(quantized(samples * 0.8), path.with_suffix(".a.wav"))
    run("sox", path.with_suffix(".a.wav"), path.with_suffix(".b.wav"), "speed", f"{factor:.6f}", "rate", "-v", RATE)
    return path.with_suffix(".b.wav"), f"{factor:.4f}", None


def edited(samples, other, dice, path):
    kind = dice.choice(["cut", "insert", "replace"])
    length = int(dice.uniform(1.5, 8) * RATE)
    start = dice.randrange(12 * RATE, len(samples) - 12 * RATE - length)
    piece = other[:length] * min(2, numpy.std(samples) / max(1e-6, numpy.std(other[:length])))
    if kind == "cut":
        out = numpy.concatenate([samples[:start], samples[start + length:]])
    elif kind == "insert":
        out = numpy.concatenate([samples[:start], piece, samples[start:]])
    else:
        out = numpy.concatenate([samples[:start], piece, samples[start + length:]])
    factor = dice.choice([1, 0.8])
    out = quantized(numpy.clip(out, -1, 1) * factor)
    write(out, path.with_suffix(".wav"))
    rest = "identical" if factor == 1 else "gain"
    return path.with_suffix(".wav"), f"{kind} {length / RATE:.1f} s at {start / RATE:.1f}, rest {rest}", None


def other_mix(samples, other, dice, path):
    """The same music with another part in it, as loud as itself, or with the parts in another balance."""
    left, right = samples[:, 0], samples[:, 1]
    width = numpy.std(left - right) / max(1e-9, numpy.std(left + right))
    if dice.random() < 0.5 and width > 0.35:
        out = numpy.stack([left - 0.8 * right, right - 0.8 * left], axis=1)
        what = "without the middle"
    else:
        level = dice.uniform(0.7, 1)
        out = samples + level * other[: len(samples)] * numpy.std(samples) / max(1e-6, numpy.std(other[: len(samples)]))
        what = f"another part {20 * numpy.log10(level):.1f} dB"
    write(quantized(fitted(out)), path.with_suffix(".wav"))
    return path.with_suffix(".wav"), what, None


def other_performance(samples, other, dice, path):
    """Other music, or the same played with another, changing tempo."""
    if dice.random() < 0.4:
        write(quantized(other), path.with_suffix(".wav"))
        return path.with_suffix(".wav"), "other music", None
    pieces, place = [], 0
    while place < len(samples):
        length = int(dice.uniform(2, 5) * RATE)
        tempo = dice.choice([dice.uniform(0.9, 0.96), dice.uniform(1.04, 1.1)])
        pieces.append(filtered(samples[place:place + length], f"atempo={tempo:.4f}"))
        place += length
    write(quantized(numpy.clip(numpy.concatenate(pieces), -1, 1)), path.with_suffix(".wav"))
    return path.with_suffix(".wav"), "other tempo", None


RECIPES = {
    "identical": identical, "gain": gain, "resampled": resampled, "lossy": lossy, "equalized": equalized,
    "compressed": compressed, "clipped": clipped, "speed": speed, "edited": edited, "other-mix": other_mix,
    "other-performance": other_performance,
}


def half(path):
    return "first" if zlib.crc32(path.stem.encode()) % 2 == 0 else "second"


def one_pair(deadwax, work, number, kind, path, stranger, seed):
    dice = random.Random(f"{seed} {number}")
    folder = work / f"{number:04}"
    folder.mkdir(parents=True, exist_ok=True)
    seconds = dice.uniform(40, 70)
    length = duration(path)
    start = dice.uniform(0, max(0, length - seconds))
    samples = quantized(numpy.clip(decode(path, start, seconds), -1, 1))
    other = decode(stranger, dice.uniform(0, max(0, duration(stranger) - 75)), 75)
    if len(samples) < 35 * RATE or len(other) < len(samples) or numpy.std(samples) < 0.005 or numpy.std(other) < 0.005:
        return None
    write(samples, folder / "a.wav")
    made, what, offset = RECIPES[kind](samples, other, dice, folder / "b")
    first, second = (folder / "a.wav", made)
    # What was made may come first: then it is A.
    is_swapped = kind not in ("compressed",) and dice.random() < 0.3
    if is_swapped:
        first, second, offset = second, first, None if offset is None else -offset
    answer = json.loads(run(deadwax, "compare", "--json", "-q", first, second))
    for file in folder.iterdir():
        file.unlink()
    return {
        "kind": kind, "what": what, "file": path.name, "found": answer["relation"], "offset": offset,
        "answer": {key: value for key, value in answer.items() if key not in ("bands", "gains_db", "a", "b")},
    }


def report(results):
    kinds = list(RECIPES)
    table = collections.Counter((r["kind"], r["found"]) for r in results)
    width = max(map(len, kinds)) + 2
    print(" " * width + "".join(f"{kind[:9]:>10}" for kind in kinds))
    right = 0
    for kind in kinds:
        total = sum(table[kind, other] for other in kinds)
        right += table[kind, kind]
        row = "".join(f"{table[kind, other] or '':>10}" for other in kinds)
        print(f"{kind:<{width}}{row}   {100 * table[kind, kind] / max(1, total):.0f} % of {total}")
    print(f"right: {right} of {len(results)}, {100 * right / max(1, len(results)):.1f} %")
    for r in results:
        if r["kind"] != r["found"]:
            a = r["answer"]
            numbers = " ".join(
                f"{name}={a[name]}" for name in (
                    "null_after_gain_db", "null_after_filter_db", "floor_db", "filter_deviation_db", "gain_deviation_db",
                    "gain_level_correlation", "share_in_loudest", "speed", "agreement", "relation_of_rest"))
            print(f"  {r['kind']} ({r['what']}) of {r['file']} found {r['found']}: {numbers} edits={len(a['edits'])}")
    exact = [r for r in results if r["offset"] is not None and r["answer"]["offset_frames"] is not None and r["kind"] != "resampled"]
    errors = [abs(r["answer"]["offset_frames"] - r["offset"]) for r in exact]
    if errors:
        print(f"offset: {sum(e <= 1 for e in errors)} of {len(errors)} within a sample, worst {max(errors):.3f}")
    edits = [r for r in results if r["kind"] == r["found"] == "edited"]
    if edits:
        wrong = [r for r in edits if not r["what"].endswith(f"rest {r['answer']['relation_of_rest']}")]
        print(f"rest of what was edited: {len(edits) - len(wrong)} of {len(edits)} right")
        for r in wrong:
            print(f"  {r['what']} of {r['file']} found {r['answer']['relation_of_rest']}, {r['answer']['null_after_gain_db']} dB left")
    speeds = [r for r in results if r["kind"] == "speed" and r["found"] == "speed"]
    if speeds:
        def error(r):
            told = float(r["what"])
            return min(abs(r["answer"]["speed"] - told), abs(1 / r["answer"]["speed"] - told))
        print(f"speed: worst error {max(map(error, speeds)):.2e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("music", nargs="+", type=pathlib.Path)
    parser.add_argument("--deadwax", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--half", choices=["first", "second"])
    parser.add_argument("--kinds", default=",".join(RECIPES))
    parser.add_argument("--pairs", type=int, default=10, help="of each kind")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", type=pathlib.Path, help="write all answers as JSON")
    options = parser.parse_args()
    endings = {".flac", ".wav", ".mp3", ".ogg", ".opus", ".m4a"}
    files = sorted({f for m in options.music for f in ([m] if m.is_file() else m.rglob("*")) if f.suffix.lower() in endings})
    files = [f for f in files if options.half is None or half(f) == options.half]
    dice = random.Random(options.seed)
    calls = []
    for kind in options.kinds.split(","):
        for path in dice.sample(files, min(len(files), options.pairs + 6)):
            calls.append((kind, path, dice.choice([f for f in files if f.stem != path.stem])))
    results, counts = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def work(item):
            number, (kind, path, stranger) = item
            if counts[kind] >= options.pairs:
                return None
            try:
                result = one_pair(options.deadwax, options.work, number, kind, path, stranger, options.seed)
            except subprocess.CalledProcessError as error:
                print(kind, path.name, error.stderr.decode()[-300:])
                return None
            if result and counts[kind] < options.pairs:
                counts[kind] += 1
                return result
            return None
        results = [r for r in pool.map(work, enumerate(calls)) if r]
    if options.save:
        options.save.write_text(json.dumps(results, indent=1))
    report(results)


if __name__ == "__main__":
    main()
