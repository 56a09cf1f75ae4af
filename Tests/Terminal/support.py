"""A terminal without a window, a sound device that takes its time, and a library of made-up recordings: what the tests of `play` stand on."""

import array
import ctypes.util
import fcntl
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest
import wave

import pyte

COMMAND = os.environ["DEADWAX"]
RATE = 44_100
SECONDS = {"First": 120, "Second": 60}


class Device:
    """ALSA's file plugin into a pipe that is read as fast as a device would play: 32-bit floats, stereo."""

    def __init__(self, folder):
        self.pipe = str(folder / "device")
        os.mkfifo(self.pipe)
        (folder / "asound.conf").write_text(f'pcm.pipe {{ type file slave.pcm {{ type null }} file "{self.pipe}" format "raw" }}\n')
        self.reader = os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)
        # Nobody must see the end of the pipe while no player has it open.
        self.writer = os.open(self.pipe, os.O_WRONLY)
        fcntl.fcntl(self.reader, fcntl.F_SETPIPE_SZ, 16_384)
        self.stops = threading.Event()
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        step = 0.02
        while not self.stops.wait(step):
            try:
                os.read(self.reader, int(step * RATE) * 8)
            except BlockingIOError:
                pass

    def fail(self):
        """Lets writing fail from now on."""
        self.stops.set()
        self.thread.join()
        for descriptor in (self.reader, self.writer):
            os.close(descriptor)

    def close(self):
        if not self.stops.is_set():
            self.fail()


class Terminal:
    """What a program draws, as an emulator understands it, and what it has made of the terminal itself."""

    def __init__(self, words, environment, columns=100, rows=30):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.lock = threading.Lock()
        self.master, self.slave = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            words, stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def resize(self, columns, rows):
        with self.lock:
            self.screen.resize(rows, columns)
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def listen(self):
        while True:
            try:
                data = os.read(self.master, 65_536)
            except OSError:
                return
            with self.lock:
                self.written += data
                self.stream.feed(data)

    def type(self, keys):
        os.write(self.master, keys.encode())

    @property
    def rows(self):
        with self.lock:
            return [row.rstrip() for row in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.rows)

    @property
    def state(self):
        """The letter of the process's state: T while it is stopped."""
        return pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]

    @property
    def is_given_back(self):
        """Whether the shell would find the terminal as it left it."""
        with self.lock:
            entered, left = (self.written.rfind(f"\x1b[?1049{end}".encode()) for end in "hl")
            shown, hidden = (self.written.rfind(f"\x1b[?25{end}".encode()) for end in "hl")
            mouse = [self.written.rfind(f"\x1b[?1000{end}".encode()) for end in "hl"]
        return left > entered and shown >= hidden and mouse[1] >= mouse[0] and termios.tcgetattr(self.slave) == self.before

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.slave)
        os.close(self.master)
        self.thread.join(5)


@unittest.skipIf(not ctypes.util.find_library("asound") and not os.environ.get("CI"), "missing: libasound2")
class PlayTest(unittest.TestCase):
    """Two recordings and a device for each test."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="deadwax-terminal-", ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        (root / "music").mkdir()
        dice = random.Random(1)
        for name, seconds in SECONDS.items():
            with wave.open(str(root / "music" / f"{name}.wav"), "wb") as file:
                file.setparams((2, 2, RATE, 0, "NONE", ""))
                second = array.array("h", (dice.randint(-6000, 6000) for _ in range(2 * RATE)))
                file.writeframes(second.tobytes() * seconds)
        cls.library = str(root / "library.sqlite")
        subprocess.run([COMMAND, "scan", "-q", "-L", cls.library, str(root / "music")], check=True)

    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="deadwax-terminal-", ignore_cleanup_errors=True)
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)
        self.device = Device(self.home)
        self.addCleanup(self.device.close)
        self.environment = {**os.environ, "HOME": home.name, "XDG_STATE_HOME": home.name, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                            "ALSA_CONFIG_PATH": str(self.home / "asound.conf"), "DEADWAX_LIBRARY": self.library,
                            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}

    def play(self, *words, columns=100, rows=30):
        """`play` on a terminal, from the first track on unless words say otherwise."""
        terminal = Terminal([COMMAND, "play", "--device", "pipe", *(words or ("path:.wav filename+",))], self.environment, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def until(self, what, told, seconds=30):
        """Waits until something is true."""
        deadline = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), deadline, told() if callable(told) else told)
            time.sleep(0.02)

    def until_shown(self, terminal, text):
        self.until(lambda: text in terminal.text, lambda: f"{text!r} is not in\n{terminal.text}")

    def until_ended(self, terminal, status):
        self.assertEqual(terminal.process.wait(20), status, terminal.text)
        self.until(lambda: terminal.is_given_back, lambda: f"{terminal.written[-300:]!r}")
