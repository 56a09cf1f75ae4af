"""What clients hear: the bytes of files, encodings of them, and presets."""

import cmath
import io
import json
import math
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import urllib.error
import wave

from support import COMMAND, Caller, Server

RATE = 44_100
SECONDS = 4
# Whole numbers of periods in the second that is measured.
TONES = [63, 125, 250, 500, 1000, 2000, 4000, 8000, 12000, 16000]
# Type, frequency, gain, Q.
BANDS = [("pk", 250, 6.0, 1.0), ("pk", 4000, -9.0, 2.0)]


def peak_response(frequency, centre, gain, q):
    """The gain in dB of a peaking filter at a frequency, by the formulas of the Audio EQ Cookbook."""
    a = 10 ** (gain / 40)
    w = 2 * math.pi * centre / RATE
    alpha = math.sin(w) / (2 * q)
    z = cmath.exp(-2j * math.pi * frequency / RATE)
    above = (1 + alpha * a) - 2 * math.cos(w) * z + (1 - alpha * a) * z * z
    below = (1 + alpha / a) - 2 * math.cos(w) * z + (1 - alpha / a) * z * z
    return 20 * math.log10(abs(above / below))


def level(samples, frequency):
    """The level of a tone in one second of samples, in dB."""
    total = sum(sample * cmath.exp(-2j * math.pi * frequency * index / RATE) for index, sample in enumerate(samples))
    return 20 * math.log10(abs(total))


def tones():
    one = [
        sum(math.sin(2 * math.pi * tone * index / RATE + tone) for tone in TONES) * 0.02 for index in range(RATE)]
    return [round(sample * 32767) for sample in one] * SECONDS


def samples(bytes):
    """The samples of a mono WAV, each from -1 to 1."""
    position = bytes.index(b"data") + 8
    bits = struct.unpack_from("<H", bytes, bytes.index(b"fmt ") + 22)[0]
    data = bytes[position:]
    if bits == 16:
        return [value[0] / 32768 for value in struct.iter_unpack("<h", data[: len(data) // 2 * 2])]
    return [
        int.from_bytes(data[index : index + 3], "little", signed=True) / 2**23 for index in range(0, len(data) - 2, 3)]


class SoundTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        music = tempfile.TemporaryDirectory()
        with wave.open(f"{music.name}/tones.wav", "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(struct.pack(f"<{RATE * SECONDS}h", *tones()))
        cls.server = Server(music.name)
        cls.original = pathlib.Path(music.name, "tones.wav").read_bytes()
        music.cleanup()
        cls.raw = Caller(cls.server, "ana", cls.server.password("ana", "--for", "raw", "--hears", "raw"))
        cls.presets = Caller(cls.server, "ana", cls.server.password("ana", "--for", "presets"))
        cls.loud = Caller(
            cls.server, "ana", cls.server.password("ana", "--for", "loud", "--hears", "raw", "--gain", "track"))
        cls.song = cls.raw.songs()[0]
        words = [word for kind, hz, gain, q in BANDS for word in ("--band", f"{kind} {hz} {gain} q{q}")]
        cls.server.run("preset", "create", "-L", cls.server.library, "Curve", *words)

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def assign(self, *what):
        self.server.run("preset", *what, "-L", self.server.library)

    def bytes(self, caller, method="stream", **parameters):
        with caller.open(method, id=self.song["id"], **parameters) as answer:
            self.assertNotIn("json", answer.headers["Content-Type"])
            return answer.read()

    def test_a_preset_is_heard_by_those_who_want_it(self):
        self.assertEqual(self.bytes(self.presets), self.original)
        self.assign("assign", "Curve", "1")
        try:
            heard = samples(self.bytes(self.presets, format="wav"))[RATE * 2 : RATE * 3]
            known = samples(self.original)[RATE * 2 : RATE * 3]
            for tone in TONES:
                expected = sum(peak_response(tone, hz, gain, q) for _, hz, gain, q in BANDS)
                self.assertAlmostEqual(level(heard, tone) - level(known, tone), expected, delta=0.05, msg=f"{tone} Hz")
            self.assertEqual(self.bytes(self.raw), self.original)
            self.assertEqual(self.bytes(self.raw, format="wav"), self.original)
            # Who asks for the file as it is, but hears presets, gets them without loss; a download is the file.
            self.assertTrue(self.bytes(self.presets, format="raw").startswith(b"fLaC"))
            self.assertEqual(self.bytes(self.presets, "download"), self.original)
        finally:
            self.assign("unassign", "1")
        self.assertEqual(self.bytes(self.presets), self.original)

    def test_a_preset_of_ones_own_is_heard_by_that_person_alone(self):
        ben = Caller(self.server, "ben", self.server.password("ben"))
        self.assign("assign", "Curve", "1", "--user", "ben")
        try:
            self.assertEqual(self.bytes(self.presets), self.original)
            heard = samples(self.bytes(ben, format="wav"))[RATE * 2 : RATE * 3]
            known = samples(self.original)[RATE * 2 : RATE * 3]
            for tone in TONES:
                expected = sum(peak_response(tone, hz, gain, q) for _, hz, gain, q in BANDS)
                self.assertAlmostEqual(level(heard, tone) - level(known, tone), expected, delta=0.05, msg=f"{tone} Hz")
            # What everybody hears does not reach who has their own; their switch keeps the rest from them, too.
            self.assign("assign", "Flat", "--default")
            self.assertNotEqual(self.bytes(ben), self.original)
            self.assign("off", "1", "--user", "ben")
            self.assertEqual(self.bytes(ben), self.original)
            self.assertIn(": intact", self.server.run("doctor", "-L", self.server.library))
        finally:
            for words in (["on", "1", "--user", "ben"], ["unassign", "1", "--user", "ben"], ["unassign", "--default"]):
                self.assign(*words)
        self.assertEqual(self.bytes(ben), self.original)
        of = self.server.run("preset", "of", "1", "--user", "ben", "-L", self.server.library)
        self.assertIn("none: nothing is assigned", of)

    def test_gain_is_added_if_the_password_says_so(self):
        gain = self.song["replayGain"]["trackGain"]
        heard = samples(self.bytes(self.loud, format="wav"))[RATE * 2 : RATE * 3]
        known = samples(self.original)[RATE * 2 : RATE * 3]
        for tone in TONES:
            self.assertAlmostEqual(level(heard, tone) - level(known, tone), gain, delta=0.2, msg=f"{tone} Hz")

    def test_formats_and_rates(self):
        for name, start, limits in (
            ("mp3", (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xfa"), (64, 128, 320)), ("opus", (b"OggS",), (32, 96)),
            ("ogg", (b"OggS",), (64, 192)), ("flac", (b"fLaC",), (None,)), ("wav", (b"RIFF",), (None,)),
        ):
            for limit in limits:
                with self.subTest(name, limit=limit):
                    heard = self.bytes(self.raw, format=name, maxBitRate=limit)
                    self.assertTrue(heard.startswith(start), heard[:16])
                    if limit:
                        self.assertLess(len(heard) * 8 / SECONDS / 1000, limit * 1.25 + 12)
                    self.assertAlmostEqual(self.duration(heard, name), SECONDS, delta=0.1)
        self.assertTrue(self.bytes(self.raw, maxBitRate=96).startswith((b"ID3", b"\xff\xfb")))

    def duration(self, heard, name):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, f"heard.{name}")
            path.write_bytes(heard)
            shown = subprocess.run(
                [COMMAND, "show", "--json", str(path)], check=True, capture_output=True,
                env=self.server.environment).stdout
            return json.loads(shown)["format"]["duration_seconds"]

    def test_a_start_within_the_song(self):
        for name in ("mp3", "opus", "flac"):
            self.assertAlmostEqual(self.duration(self.bytes(self.raw, format=name, timeOffset=3), name), 1, delta=0.1)
        heard = samples(self.bytes(self.raw, format="wav", timeOffset=3))
        self.assertEqual(len(heard), RATE)

    def test_ranges_of_the_file(self):
        for header, expected in (
            ("bytes=0-0", self.original[:1]), ("bytes=100-199", self.original[100:200]),
            ("bytes=-50", self.original[-50:]), ("bytes=352000-", self.original[352_000:]),
        ):
            with self.raw.open("stream", id=self.song["id"], headers={"Range": header}) as answer:
                self.assertEqual(answer.status, 206)
                self.assertEqual(answer.read(), expected)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.raw.open("stream", id=self.song["id"], headers={"Range": "bytes=99999999-"})
        self.assertEqual(caught.exception.code, 416)

    def test_words_that_make_no_sense(self):
        for parameters in ({"format": "../../x"}, {"maxBitRate": "-5"}, {"timeOffset": "999999"}, {"maxBitRate": "x"}):
            answer = self.raw.open("stream", id=self.song["id"], **parameters)
            with answer:
                self.assertEqual(answer.status, 200)
                answer.read()
        answer = self.raw.call("stream", id="nothing")
        self.assertEqual(answer["error"]["code"], 70)
        # It has no picture: what is engraved from its sound is sent.
        with self.raw.open("getCoverArt", id=self.song["id"], size=300) as answer:
            self.assertEqual((answer.headers["Content-Type"], answer.read(4)), ("image/png", b"\x89PNG"))
        self.assertEqual(self.raw.call("getCoverArt", id="nothing", size=300)["error"]["code"], 70)

    def test_lyrics_beside_the_song(self):
        path = self.server.folder / "music" / "tones.lrc"
        path.write_text("[00:01.50]first\n[00:02.00]second\n")
        lyrics = self.raw.get("getLyricsBySongId", id=self.song["id"])["lyricsList"]["structuredLyrics"][0]
        self.assertTrue(lyrics["synced"])
        self.assertEqual(lyrics["line"], [{"start": 1500, "value": "first"}, {"start": 2000, "value": "second"}])
        path.unlink()
        # A link could lead to any file of the user.
        path.symlink_to(self.server.library)
        self.assertEqual(self.raw.get("getLyricsBySongId", id=self.song["id"])["lyricsList"]["structuredLyrics"], [])
        path.unlink()

    def test_keys_outlive_moves(self):
        folder = self.server.folder / "music"
        (folder / "below").mkdir()
        shutil.move(folder / "tones.wav", folder / "below" / "moved.wav")
        self.server.run("scan", "-q", "-L", self.server.library)
        self.assertEqual(self.raw.get("getSong", id=self.song["id"])["song"]["path"], "below/moved.wav")
        self.assertEqual(self.bytes(self.raw), self.original)
        shutil.move(folder / "below" / "moved.wav", folder / "tones.wav")
        (folder / "below").rmdir()
        self.server.run("scan", "-q", "-L", self.server.library)


if __name__ == "__main__":
    unittest.main()
