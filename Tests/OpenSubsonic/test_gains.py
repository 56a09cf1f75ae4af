"""ReplayGain of songs: of the track, and of the edition of its album that has it."""

import os
import re
import subprocess
import tempfile
import unittest

from support import Caller, Server

# Where ReplayGain 2.0 brings everything.
REFERENCE = -18.0
# The level of each track of the album in dB, and that of a track without an album.
LEVELS = {"loud": -6, "soft": -14}
LOOSE = -12


def ffmpeg(*words):
    command = ["ffmpeg", "-hide_banner", "-nostdin", "-y", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def loudness(*paths):
    """What ffmpeg measures of the files, one after the other, in LUFS."""
    inputs = [word for path in paths for word in ("-i", path)]
    joined = "".join(f"[{index}:a]" for index in range(len(paths)))
    graph = f"{joined}concat=n={len(paths)}:v=0:a=1,ebur128=framelog=verbose"
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", ffmpeg(*inputs, "-filter_complex", graph, "-f", "null", "-"))[-1])


class GainsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.music = tempfile.TemporaryDirectory()
        os.mkdir(f"{cls.music.name}/Tides")
        cls.paths = {}
        for name, level in [*LEVELS.items(), ("loose", LOOSE)]:
            cls.paths[name] = f"{cls.music.name}/{'Tides/' if name in LEVELS else ''}{name}.flac"
            tags = ["-metadata", f"title={name}", "-metadata", "artist=Nora Vale"]
            if name in LEVELS:
                tags += ["-metadata", "album=Tides"]
            noise = f"anoisesrc=d=8:c=pink:r=44100:seed={abs(level)}:a=1,volume={level}dB"
            ffmpeg("-f", "lavfi", "-i", noise, *tags, cls.paths[name])
        cls.server = Server(cls.music.name)
        cls.raw = Caller(cls.server, "ana", cls.server.password("ana", "--for", "raw", "--hears", "raw"))
        cls.levelled = Caller(
            cls.server, "ana", cls.server.password("ana", "--for", "levelled", "--hears", "raw", "--gain", "album"))

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        cls.music.cleanup()

    def gains(self, caller):
        return {song["title"]: song["replayGain"] for song in caller.songs()}

    def test_tracks_have_their_own_gain_and_that_of_their_album(self):
        gains = self.gains(self.raw)
        album = loudness(*(self.paths[name] for name in LEVELS))
        for name in LEVELS:
            own = loudness(self.paths[name])
            self.assertAlmostEqual(gains[name]["trackGain"], REFERENCE - own, delta=0.11)
            # ffmpeg also measures the blocks in which one track ends and the other begins.
            self.assertAlmostEqual(gains[name]["albumGain"], REFERENCE - album, delta=0.2)
            self.assertGreater(abs(own - album), 1, "the album is not like one of its tracks")
            self.assertEqual(gains[name]["albumPeak"], max(gains[name]["trackPeak"] for name in LEVELS))
        self.assertEqual(gains["loud"]["albumPeak"], gains["loud"]["trackPeak"])

    def test_a_track_without_an_album_has_no_gain_of_one(self):
        self.assertEqual(set(self.gains(self.raw)["loose"]), {"trackGain", "trackPeak"})

    def test_what_is_levelled_is_not_levelled_again(self):
        for name, gain in self.gains(self.levelled).items():
            self.assertEqual(set(gain.values()), {0}, name)


if __name__ == "__main__":
    unittest.main()
