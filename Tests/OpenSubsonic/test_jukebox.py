"""The jukebox: what reaches the sound device, which here is a pipe, so that the test decides how fast time passes."""

import atexit
import os
import pathlib
import select
import shutil
import struct
import tempfile
import time
import unittest
import wave

from support import Caller, Server

RATE = 44_100
SECONDS = 4
LEVELS = {"a": 1000, "b": 2000, "c": 3000}


class JukeboxTest(unittest.TestCase):
    """Songs that are one level each, so that every sample says which song it is of."""

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="deadwax-jukebox-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        music = folder / "music"
        music.mkdir()
        for name, level in LEVELS.items():
            with wave.open(str(music / f"{name}.wav"), "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes(struct.pack("<h", level) * (RATE * SECONDS))
        cls.pipe = folder / "device"
        os.mkfifo(cls.pipe)
        # Open for both, so that neither side waits for the other.
        cls.device = os.open(cls.pipe, os.O_RDWR | os.O_NONBLOCK)
        cls.server = Server(music, options=("--device", f"file:{cls.pipe},raw"))
        cls.jo = Caller(cls.server, "jo", cls.server.password("jo", "--jukebox"))
        cls.songs = {song["title"]: song["id"] for song in cls.jo.songs()}

    @classmethod
    def tearDownClass(cls):
        cls.server.stop(kills=True)
        os.close(cls.device)
        cls.server.close()

    def control(self, action, **parameters):
        answer = self.jo.get("jukeboxControl", action=action, **parameters)
        return answer.get("jukeboxStatus") or answer["jukeboxPlaylist"]

    def ids(self, names):
        return [self.songs[name] for name in names]

    def names(self):
        return "".join(song["title"] for song in self.control("get").get("entry", []))

    def hear(self, seconds=None, timeout=5):
        """The songs in the order in which they are heard, each with its seconds: so many seconds, or all until silence."""
        limit = None if seconds is None else int(seconds * RATE) * 4
        data, end = b"", time.monotonic() + timeout
        while (limit is None or len(data) < limit) and time.monotonic() < end:
            if select.select([self.device], [], [], 0.1)[0]:
                data += os.read(self.device, min(65536, (limit or 1 << 30) - len(data)))
                end = time.monotonic() + timeout
            elif limit is None and not self.control("status")["playing"]:
                break
        heard = []
        for (sample,) in struct.iter_unpack("<f", data[: len(data) // 4 * 4]):
            name = next((name for name, level in LEVELS.items() if abs(sample * 32768 - level) < 1), None)
            if name and heard and heard[-1][0] == name:
                heard[-1][1] += 1 / RATE
            elif name:
                heard.append([name, 1 / RATE])
        return heard

    def setUp(self):
        self.control("clear")
        self.hear(timeout=0.3)

    def assert_heard(self, heard, expected, delta=0.01):
        self.assertEqual([name for name, _ in heard], list(expected), heard)
        for name, seconds in heard:
            self.assertAlmostEqual(seconds, SECONDS, delta=delta, msg=f"{heard}")

    def test_a_queue_is_heard_to_its_end_without_gaps(self):
        status = self.control("set", id=self.ids("abc"))
        self.assertEqual((status["currentIndex"], status["playing"]), (0, False))
        self.assertTrue(self.control("start")["playing"])
        self.assert_heard(self.hear(), "abc")
        status = self.control("status")
        self.assertEqual((status["playing"], status["currentIndex"]), (False, 2))
        self.control("start")
        self.assert_heard(self.hear(), "abc")

    def test_what_is_added_while_something_plays_follows(self):
        self.control("set", id=self.ids("a"))
        self.control("start")
        self.hear(1)
        self.control("add", id=self.ids("bc"))
        self.assertEqual([name for name, _ in self.hear()], ["a", "b", "c"])

    def test_what_is_removed_while_something_plays_is_not_heard(self):
        self.control("set", id=self.ids("abc"))
        self.control("start")
        self.hear(1)
        self.control("remove", index=1)
        self.assertEqual(self.names(), "ac")
        self.assertEqual([name for name, _ in self.hear()], ["a", "c"])

    def test_the_song_that_plays_can_be_removed(self):
        self.control("set", id=self.ids("abc"))
        self.control("start")
        self.hear(1)
        self.control("remove", index=0)
        self.assertEqual(self.names(), "bc")
        self.assertEqual([name for name, _ in self.hear()], ["a", "b", "c"])

    def test_stop_and_start_go_on_in_the_song(self):
        self.control("set", id=self.ids("ab"))
        self.control("start")
        self.hear(2)
        status = self.control("stop")
        self.assertFalse(status["playing"])
        self.assertIn(status["position"], (1, 2, 3))
        self.hear(timeout=0.3)
        self.control("start")
        heard = self.hear()
        self.assertEqual([name for name, _ in heard], ["a", "b"])
        self.assertLess(heard[0][1], 3)

    def test_skip_plays_another_song_from_a_second_on(self):
        self.control("set", id=self.ids("abc"))
        self.assertTrue(self.control("skip", index=2, offset=3)["playing"])
        self.assertEqual(self.control("status")["currentIndex"], 2)
        heard = self.hear()
        self.assertEqual([name for name, _ in heard], ["c"])
        self.assertAlmostEqual(heard[0][1], 1, delta=0.01)
        self.assertEqual(self.jo.call("jukeboxControl", action="skip", index=7)["error"]["code"], 0)

    def test_gain_is_the_volume(self):
        self.assertEqual(self.control("setGain", gain="0.5")["gain"], 0.5)
        self.assertEqual(self.control("setGain", gain="1")["volume"], 1)
        self.assertEqual(self.jo.call("jukeboxControl", action="setGain", gain="2")["error"]["code"], 0)

    def test_a_right_of_its_own(self):
        bo = Caller(self.server, "bo", self.server.password("bo", "--right", "manage"))
        self.assertEqual(bo.call("jukeboxControl", action="start")["error"]["code"], 50)
        self.assertFalse(bo.get("getUser")["user"]["jukeboxRole"])
        self.assertTrue(self.jo.get("getUser")["user"]["jukeboxRole"])


class NoDeviceTest(unittest.TestCase):
    def test_without_a_device_there_is_an_error(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        with wave.open(str(folder / "a.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(bytes(2 * RATE))
        server = Server(folder, options=("--device", "hw:31"))
        self.addCleanup(server.close)
        jo = Caller(server, "jo", server.password("jo", "--jukebox"))
        jo.get("jukeboxControl", action="set", id=jo.songs()[0]["id"])
        error = jo.call("jukeboxControl", action="start")["error"]
        self.assertEqual(error["code"], 0)
        self.assertIn("hw:31", error["message"])
        self.assertFalse(jo.get("jukeboxControl", action="status")["jukeboxStatus"]["playing"])


if __name__ == "__main__":
    unittest.main()
