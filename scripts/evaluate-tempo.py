#!/usr/bin/env python3
"""Compares tempo and key of `deadwax` with the truth of MIDI files, and checks that both follow `sox`.

    scripts/evaluate-tempo.py --deadwax bin/deadwax --work FOLDER FILE.mid… [FILE.wad…]

Renders the files with fluidsynth (packages fluidsynth, fluid-soundfont-gm), scans them into a library in FOLDER, and prints
the shares that are right. Music in MIDI: packages openttd-openmsx, freedoom (WAD files hold MIDI files).

The truth is the tempo map: a file counts if one tempo lasts for 90 % of it, if it is at least 20 s long, and if at least 70 % of
its notes begin on sixteenths or triplets of that tempo, because some files were recorded without a click. The truth of keys is
what the notes themselves say (Krumhansl and Kessler's profiles on their lengths), where that is clear: key signatures are
mostly left at C major. The truth of beats are the quarters of the tempo map, up to the last note.
"""

import hashlib
import json
import pathlib
import shutil
import statistics
import struct
import subprocess

from evaluation import Evaluation

SOUND_FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
PROFILES = (
    (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
)
MULTIPLES = (1, 2, 1 / 2, 3, 1 / 3)


class Midi:
    """Tempi and notes of a standard MIDI file."""

    def __init__(self, data):
        if data[:4] != b"MThd":
            raise ValueError("not a MIDI file")
        count, self.division = struct.unpack(">HH", data[10:14])
        self.tempi, self.notes, self.onsets, position = [], [], set(), 14
        for _ in range(count):
            if data[position:position + 4] != b"MTrk":
                break
            length = struct.unpack(">I", data[position + 4:position + 8])[0]
            self._track(data[position + 8:position + 8 + length])
            position += 8 + length

    def _track(self, data):
        position = time = status = 0
        sounding = {}

        def number():
            nonlocal position
            value = 0
            while True:
                byte = data[position]
                position += 1
                value = value << 7 | byte & 127
                if byte < 128:
                    return value

        while position < len(data):
            time += number()
            if data[position] & 128:
                status = data[position]
                position += 1
            if status == 0xFF:
                kind = data[position]
                position += 1
                length = number()
                if kind == 0x51:
                    self.tempi.append((time, int.from_bytes(data[position:position + length], "big")))
                position += length
            elif status in (0xF0, 0xF7):
                length = number()
                position += length
            elif status >> 4 in (12, 13):
                position += 1
            else:
                pitch, velocity = data[position], data[position + 1]
                position += 2
                channel = status & 15
                if status >> 4 == 9 and velocity > 0:
                    sounding[channel, pitch] = time
                    self.onsets.add(time)
                elif status >> 4 in (8, 9):
                    start = sounding.pop((channel, pitch), None)
                    # Channel 10 is percussion.
                    if start is not None and channel != 9:
                        self.notes.append((start, time - start, pitch))

    def beats(self):
        """The seconds of each quarter from the first note to the last."""
        first, last = min(self.onsets), max(self.onsets)
        tempi = sorted(self.tempi)
        if not tempi or tempi[0][0] > 0:
            tempi.insert(0, (0, 500_000))
        beats, seconds, place = [], 0.0, 0
        for tick in range(0, last + 1, self.division):
            if tick:
                at = tick - self.division
                while at < tick:
                    while place + 1 < len(tempi) and tempi[place + 1][0] <= at:
                        place += 1
                    stop = min(tick, tempi[place + 1][0]) if place + 1 < len(tempi) else tick
                    seconds += (stop - at) * tempi[place][1] / 1e6 / self.division
                    at = stop
            if tick >= first - self.division / 8:
                beats.append(seconds)
        return beats

    def truth(self):
        """Beats per minute or None, then tonic and mode or None."""
        if self.division & 0x8000 or not self.notes:
            return None, None
        end = max(start + length for start, length, _ in self.notes)
        tempi = sorted(self.tempi)
        if not tempi or tempi[0][0] > 0:
            tempi.insert(0, (0, 500_000))
        seconds = {}
        for (start, tempo), (stop, _) in zip(tempi, tempi[1:] + [(end, 0)]):
            lasting = (min(stop, end) - min(start, end)) * tempo / 1e6 / self.division
            seconds[tempo] = seconds.get(tempo, 0) + lasting
        total, main = sum(seconds.values()), max(seconds, key=seconds.get)
        if total < 20:
            return None, None
        share = sum(value for tempo, value in seconds.items() if abs(tempo / main - 1) < 0.02) / total

        def on_grid(step):
            return sum(min(time % step, step - time % step) <= self.division / 32 for time in self.onsets)

        grid = max(on_grid(self.division / 4), on_grid(self.division / 3)) / len(self.onsets)
        bpm = 60e6 / main if share >= 0.9 and grid >= 0.7 else None
        return bpm, self._key()

    def _key(self):
        classes = [0] * 12
        for _, length, pitch in self.notes:
            classes[pitch % 12] += length
        scores = sorted(
            ((correlation(classes[tonic:] + classes[:tonic], PROFILES[mode]), tonic, mode)
             for tonic in range(12) for mode in (0, 1)), reverse=True)
        return scores[0][1:] if scores[0][0] - scores[1][0] >= 0.1 else None


def correlation(one, other):
    a, b = [x - sum(one) / 12 for x in one], [x - sum(other) / 12 for x in other]
    norm = (sum(x * x for x in a) * sum(x * x for x in b)) ** 0.5
    return sum(x * y for x, y in zip(a, b)) / norm if norm else 0


def midi_files(paths):
    """Names and bytes, each once."""
    seen = set()
    for path in map(pathlib.Path, paths):
        data = path.read_bytes()
        if data[1:4] == b"WAD":
            count, start = struct.unpack("<ii", data[4:12])
            entries = [struct.unpack("<ii8s", data[start + 16 * k:start + 16 * k + 16]) for k in range(count)]
            found = [(name.rstrip(b"\0").decode(), data[at:at + size]) for at, size, name in entries]
        else:
            found = [(path.stem, data)]
        for name, lump in found:
            digest = hashlib.md5(lump).digest()
            if lump[:4] == b"MThd" and digest not in seen:
                seen.add(digest)
                yield name, lump


def key_error(found, truth):
    """As MIREX counts them; keys are tonic and mode."""
    if found == truth:
        return "right"
    steps = (found[0] - truth[0]) % 12
    if found[1] == truth[1] and steps in (5, 7):
        return "fifth"
    if found[1] != truth[1] and steps == (9 if found[1] else 3):
        return "relative"
    return "parallel" if steps == 0 else "other"


def beat_measure(found, truth, tolerance=0.07):
    """The F-measure of beats within 70 ms, and how late each of those is."""
    late, start = [], 0
    for beat in truth:
        while start < len(found) and found[start] < beat - tolerance:
            start += 1
        if start < len(found) and found[start] <= beat + tolerance:
            late.append(found[start] - beat)
            start += 1
    return 2 * len(late) / max(1, len(found) + len(truth)), late


def report_beats(evaluation, truths, beats, rows):
    lines = subprocess.run(
        [evaluation.deadwax, "export", "-q", "-L", str(evaluation.library), "--what", "beats", "--format", "json"],
        check=True, capture_output=True, text=True).stdout.splitlines()
    found = {pathlib.Path(row["path"]).stem: row["beats_seconds"] for row in map(json.loads, lines)}
    measures, late = [], []
    for name, (bpm, _) in truths.items():
        if bpm and near(rows[name][0], bpm):
            # Sounds are cut at five minutes.
            measure, own = beat_measure(found.get(name, []), [beat for beat in beats[name] if beat < 300])
            measures.append(measure)
            late += own
    if not late:
        return
    print(f"beats where the tempo is right: F-measure within 70 ms {statistics.mean(measures):.3f}, "
          f"at least 0.9 for {share(sum(measure >= 0.9 for measure in measures), len(measures))}; "
          f"these are late by {1000 * statistics.median(late):.1f} ms, half of them within "
          f"{1000 * statistics.median(abs(value - statistics.median(late)) for value in late):.1f} ms of that")


def near(one, other, tolerance=0.04):
    return one is not None and abs(one / other - 1) < tolerance


def measured(deadwax, library):
    lines = subprocess.run(
        [deadwax, "ls", "-L", library, "--format", "jsonl", "--fields",
         "filename,bpm,bpm_confidence,bpm_strength,openkey,key_strength"],
        check=True, capture_output=True, text=True).stdout.splitlines()
    rows = {}
    for row in map(json.loads, lines):
        key = None
        if row["openkey"]:
            mode = 1 if row["openkey"].endswith("m") else 0
            # Open Key counts fifths from C and A minor.
            key = ((int(row["openkey"][:-1]) - 1) * 7 + 9 * mode) % 12, mode
        rows[pathlib.Path(row["filename"]).stem] = (row["bpm"], key, row)
    return rows


def share(count, total):
    return f"{count} of {total} ({100 * count / max(total, 1):.1f} %)"


def report_tempi(name, pairs):
    one = sum(near(found, truth) for found, truth in pairs)
    two = sum(any(near(found, truth * k) for k in MULTIPLES) for found, truth in pairs)
    exact = sum(any(near(found, truth * k, 0.0005) for k in MULTIPLES) for found, truth in pairs)
    print(f"{name}: right {share(one, len(pairs))}, right up to a factor of 2 or 3 {share(two, len(pairs))}, "
          f"of these to 0.05 % {share(exact, two)}")


def report_strengths(name, found):
    """How many are right of those that are called strong, fair and weak, in each half of the files by the hash of their names."""
    for half in (0, 1):
        parts = []
        for word in ("strong", "fair", "weak"):
            own = [right for title, strength, right in found
                   if strength == word and hashlib.md5(title.encode()).digest()[0] % 2 == half]
            parts.append(f"{word} {share(sum(own), len(own))}")
        print(f"{name}, {('half that chose the limits', 'held-out half')[half]}: {', '.join(parts)}")


def main():
    evaluation = Evaluation(__doc__, "files", variants=(20, "files that are also changed by sox"))
    options, work, sounds = evaluation.options, evaluation.work, evaluation.sounds
    truths, beats = {}, {}
    for name, data in midi_files(evaluation.inputs):
        midi = Midi(data)
        truth = midi.truth()
        if truth == (None, None):
            continue
        truths[name], beats[name] = truth, midi.beats()
        wave = sounds / f"{name}.wav"
        if not wave.exists():
            (work / "one.mid").write_bytes(data)
            subprocess.run(
                ["fluidsynth", "-ni", "-F", str(work / "one.wav"), "-T", "wav", "-r", "44100", "-g", "0.5", SOUND_FONT,
                 str(work / "one.mid")], check=True, capture_output=True)
            subprocess.run(["sox", str(work / "one.wav"), str(wave), "trim", "0", "300"], check=True)
    variants = sorted(name for name, truth in truths.items() if None not in truth)[:options.variants]
    for name in variants:
        for suffix, effect in (("fast", ["tempo", "1.1"]), ("high", ["pitch", "300"])):
            changed = sounds / f"{name}.{suffix}.wav"
            if not changed.exists():
                subprocess.run(["sox", str(sounds / f"{name}.wav"), str(changed), "gain", "-3", *effect], check=True)
    evaluation.scan("rhythm", "chroma")
    rows = measured(evaluation.deadwax, str(evaluation.library))

    tempi = [(rows[name][0], bpm) for name, (bpm, _) in truths.items() if bpm]
    report_tempi("tempo, deadwax", tempi)
    if shutil.which("aubio"):
        pairs = []
        for name, (bpm, _) in truths.items():
            if bpm:
                text = subprocess.run(["aubio", "tempo", str(sounds / f"{name}.wav")], capture_output=True, text=True).stdout
                pairs.append((float(text.split()[-2]) if "bpm" in text else None, bpm))
        report_tempi("tempo, aubio", pairs)
    certain = sorted(((rows[name][2]["bpm_confidence"] or 0, near(rows[name][0], bpm))
                      for name, (bpm, _) in truths.items() if bpm), reverse=True)
    half = len(certain) // 2
    print(f"tempo of the more certain half: right {share(sum(right for _, right in certain[:half]), half)}")

    report_strengths("tempo", [(name, rows[name][2]["bpm_strength"], near(rows[name][0], bpm))
                               for name, (bpm, _) in truths.items() if bpm])
    report_strengths("key", [(name, rows[name][2]["key_strength"], rows[name][1] == key)
                             for name, (_, key) in truths.items() if key])

    report_beats(evaluation, truths, beats, rows)

    errors = {}
    for name, (_, key) in truths.items():
        if key:
            error = key_error(rows[name][1], key) if rows[name][1] else "none"
            errors[error] = errors.get(error, 0) + 1
    print(f"key, deadwax: right {share(errors.get('right', 0), sum(errors.values()))}; {errors}")
    if shutil.which("keyfinder-cli"):
        right = total = 0
        for name, (_, key) in truths.items():
            if key:
                text = subprocess.run(
                    ["keyfinder-cli", "-n", "openkey", str(sounds / f"{name}.wav")], capture_output=True, text=True).stdout
                mode = 1 if text.strip().endswith("m") else 0
                total += 1
                right += text.strip() != "" and (((int(text.strip()[:-1]) - 1) * 7 + 9 * mode) % 12, mode) == key
        print(f"key, keyfinder-cli: right {share(right, total)}")

    pairs = [(rows[f"{name}.fast"][0], rows[name][0] * 1.1) for name in variants if rows[name][0]]
    report_tempi("tempo follows `sox tempo 1.1`", pairs)
    followed = sum(
        rows[f"{name}.high"][1] == ((rows[name][1][0] + 3) % 12, rows[name][1][1]) for name in variants if rows[name][1])
    print(f"key follows `sox pitch 300`: {share(followed, len(variants))}")


if __name__ == "__main__":
    main()
