"""Strawberry, unmodified, on a screen that nobody sees: it copies the library, shows it and plays songs to their ends."""

import base64
import http.server
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from support import Caller, Server

PROGRAMS = ["strawberry", "Xvfb", "xdotool", "dbus-run-session", "dbus-send"]
SETTINGS = """
[Subsonic]
enabled=true
url=http://127.0.0.1:{port}
username=ana
password={password}
http2=false
verifycertificate=false
downloadalbumcovers=true
authmethod=2
[Backend]
engine=gstreamer
output=fakesink
"""
# Where it has its parts in a window of the size that it chooses.
SUBSONIC, REFRESH = (37, 625), (160, 68)
# What limits the list of artists to one, whose files GStreamer plays; and the list, whose rows are as high as the fonts of the machine
# want.
SEARCH, ARTIST = (155, 39), "Public Address"
LIST_X, LIST_YS = 130, range(86, 134, 8)
PLAY = ["dbus-send", "--print-reply", "--dest=org.mpris.MediaPlayer2.strawberry", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player.Play"]


class Recorder(http.server.ThreadingHTTPServer):
    """Passes calls on to the server, and keeps what they were and how far into the file their answers came."""

    daemon_threads = True

    def __init__(self, address):
        self.calls = []
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                headers = {name: self.headers[name] for name in ("Range",) if self.headers[name]}
                parts = urllib.parse.urlsplit(self.path)
                call = {"method": parts.path.split("/")[-1].removesuffix(".view"), "end": 0, **urllib.parse.parse_qs(parts.query)}
                recorder.calls.append(call)
                try:
                    answer = urllib.request.urlopen(urllib.request.Request(address + self.path, headers=headers), timeout=60)
                except urllib.error.HTTPError as error:
                    answer = error
                with answer:
                    if range := answer.headers["Content-Range"]:
                        call["end"] = int(range.split()[1].split("-")[0])
                    self.send_response(answer.status)
                    for name in ("Content-Type", "Content-Length", "Content-Range", "Accept-Ranges"):
                        if answer.headers[name]:
                            self.send_header(name, answer.headers[name])
                    self.end_headers()
                    try:
                        while chunk := answer.read(65_536):
                            self.wfile.write(chunk)
                            call["end"] += len(chunk)
                    except OSError:
                        pass  # The player has enough.

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


# On request, because its window sometimes does not appear within a minute.
@unittest.skipUnless(os.environ.get("DEADWAX_TEST_STRAWBERRY"), "DEADWAX_TEST_STRAWBERRY=1 asks for it")
@unittest.skipUnless(all(map(shutil.which, PROGRAMS)), f"needs {', '.join(PROGRAMS)}")
class StrawberryTest(unittest.TestCase):
    def setUp(self):
        self.processes = []
        self.server = Server()
        self.ana = Caller(self.server, "ana", self.server.password("ana"))
        self.recorder = Recorder(self.server.address)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="deadwax-strawberry-"))
        settings = self.home / ".config" / "strawberry"
        settings.mkdir(parents=True)
        password = base64.b64encode(self.ana.password.encode()).decode()
        (settings / "strawberry.conf").write_text(
            SETTINGS.format(port=self.recorder.server_address[1], password=password))

    def tearDown(self):
        for process in reversed(self.processes):
            # With what it has started.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(10)
        self.recorder.shutdown()
        self.recorder.server_close()
        self.server.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, *words, **options):
        process = subprocess.Popen(
            words, env=self.environment, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            start_new_session=True, **{"stdout": subprocess.DEVNULL, **options})
        self.processes.append(process)
        return process

    def click(self, place, count=1):
        subprocess.run(
            ["xdotool", "mousemove", *map(str, place), "click", "--repeat", str(count), "--delay", "120", "1"], check=True,
            env=self.environment)

    def wait(self, what, condition, seconds=60):
        end = time.monotonic() + seconds
        while not (value := condition()):
            self.assertLess(time.monotonic(), end, f"{what}: {self.recorder.calls[-10:]}")
            time.sleep(0.2)
        return value

    def windows(self):
        return subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "Strawberry"], env=self.environment, capture_output=True).stdout

    def copied(self):
        """How many songs it has copied."""
        for path in self.home.rglob("strawberry.db"):
            try:
                with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
                    return database.execute("SELECT count(*) FROM subsonic_songs").fetchone()[0]
            except sqlite3.Error:
                return 0
        return 0

    def test_it_copies_the_library_and_plays_songs_to_their_ends(self):
        self.environment = {
            **os.environ, "HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local" / "share"), "XDG_CACHE_HOME": str(self.home / ".cache"),
            "QT_QPA_PLATFORM": "xcb"}
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as number:
            self.environment["DISPLAY"] = f":{number.readline().strip()}"
        bus = self.home / "bus"
        self.start("dbus-run-session", "--", "sh", "-c", 'echo "$DBUS_SESSION_BUS_ADDRESS" > "$0"; exec strawberry', str(bus))
        self.wait("a window", self.windows)
        time.sleep(2)
        self.click(SUBSONIC)
        time.sleep(1)
        self.click(REFRESH)
        songs = self.ana.songs()
        self.wait("a copy of the library", lambda: self.copied() == len(songs))
        self.wait("covers", lambda: any(call["method"] == "getCoverArt" and call["end"] for call in self.recorder.calls))
        self.click(SEARCH)
        subprocess.run(["xdotool", "type", ARTIST], check=True, env=self.environment)
        time.sleep(2)
        for y in LIST_YS:
            self.click((LIST_X, y), count=2)
            time.sleep(0.5)
        subprocess.run(PLAY, check=True, stdout=subprocess.DEVNULL, env={**self.environment, "DBUS_SESSION_BUS_ADDRESS": bus.read_text().strip()})
        sizes = {song["id"]: song["size"] for song in songs if song.get("artist") == ARTIST}
        self.assertGreater(len(sizes), 2)

        def heard():
            ends = {}
            for call in self.recorder.calls:
                if call["method"] == "stream":
                    ends[call["id"][0]] = max(ends.get(call["id"][0], 0), call["end"])
            return ends

        self.wait("all songs of the artist", lambda: sizes.items() <= heard().items())


if __name__ == "__main__":
    unittest.main()
