"""A library of made-up recordings, a server on a free port, and a browser: what the tests of the page stand on."""

import array
import atexit
import functools
import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
import wave

from playwright.sync_api import Error, sync_playwright

COMMAND = os.environ["DEADWAX"]
BROWSER = os.environ.get("DEADWAX_BROWSER", "/usr/bin/chromium")
# By what tests take hold of the page.
HANDLES = pathlib.Path(__file__).with_name("handles.js")
RATE = 44_100
# A name for this computer that browsers do not trust: over plain HTTP it has no worklets.
INSECURE = "page.test"

# Names sort in this order. The second one follows the first without a gap, the last one is a name that must stay a name.
RECORDINGS = {"a first": 4.0, "b second": 7.5, "c third": 5.0, "d <img src=x onerror=document.title=1>": 2.0}

# Where the parts of the third one begin.
PARTS = {"One": 0, "Two": 2 * RATE, "Three": 3 * RATE}
SHEET = 'FILE "c third.wav" WAVE\n' + "".join(
    f'TRACK {number:02} AUDIO\nTITLE "{title}"\nINDEX 01 {time}\n'
    for number, (title, time) in enumerate(zip(PARTS, ["00:00:00", "00:02:00", "00:03:00"]), 1))


def samples(name, seconds):
    """Noise that no two recordings share: 16 bits, stereo, interleaved, a quarter of full scale."""
    noise = array.array("h", random.Random(name).randbytes(4 * int(seconds * RATE)))
    return [value >> 2 for value in noise]


class Library:
    """A library and its server; `frames[name]` are the samples as the player should let them out, ±1."""

    def __init__(self, sounds, texts, tags=(), options=()):
        """`sounds[name]`: the rate in Hz and 16-bit samples, interleaved stereo; `texts[name]`: other files beside them.

        A name may have folders. `options` of the server; `tags`: what `deadwax tags set` takes, once for each of them.
        """
        self.folder = tempfile.TemporaryDirectory(prefix="deadwax-page-")
        atexit.register(self.close)
        root = pathlib.Path(self.folder.name)
        (root / "music").mkdir()
        self.frames = {}
        for name, (rate, values) in sounds.items():
            (root / "music" / name).parent.mkdir(parents=True, exist_ok=True)
            with wave.open(str(root / "music" / f"{name}.wav"), "wb") as file:
                file.setparams((2, 2, rate, 0, "NONE", ""))
                file.writeframes(struct.pack(f"<{len(values)}h", *values))
            self.frames[name] = [value / 32768 for value in values]
        for name, text in texts.items():
            (root / "music" / name).write_text(text)
        self.path = str(root / "library.sqlite")
        subprocess.run([COMMAND, "scan", "-q", "-L", self.path, str(root / "music")], check=True)
        for arguments in tags:
            subprocess.run([COMMAND, "tags", "set", "-q", "-L", self.path, *arguments], check=True)
        self.options = options
        self.serve()

    def serve(self):
        """Starts a server, the first one or one more after it has ended."""
        # DEADWAX_PAGE serves the files of a folder instead of those in the command: to work on them without a build.
        page = ["--page", os.environ["DEADWAX_PAGE"]] if "DEADWAX_PAGE" in os.environ else []
        self.server = subprocess.Popen(
            [COMMAND, "serve", "-L", self.path, "--port", "0", "--name", INSECURE, "--insecure", *self.options, *page], stdout=subprocess.PIPE, text=True)
        printed = next(word for line in self.server.stdout for word in line.split() if word.startswith("http"))
        self.address = f"http://127.0.0.1:{urllib.parse.urlsplit(printed).port}"
        self.token = printed.partition("#token=")[2]

    @staticmethod
    @functools.cache
    def of_noise():
        """The one that most tests share."""
        return Library({name: (RATE, samples(name, seconds)) for name, seconds in RECORDINGS.items()}, {"c third.cue": SHEET})

    def ask(self, path, method="GET", body=None):
        """What the API answers the owner."""
        request = urllib.request.Request(
            self.address + "/api/v1" + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")

    def edit_queue(self, *changes):
        version = self.ask("/queue")["version"]
        return self.ask("/queue", "POST", {"edit": random.randbytes(16).hex(), "version": version, "changes": changes})

    def close(self):
        atexit.unregister(self.close)
        self.server.terminate()
        self.server.wait(10)
        self.folder.cleanup()


@functools.cache
def driver():
    """What drives browsers: one for a process, because Playwright has one loop."""
    started = sync_playwright().start()
    atexit.register(started.stop)
    return started


@functools.cache
def browser(*arguments):
    """One browser for all tests of a process that want these arguments: a context of their own keeps them apart."""
    return driver().chromium.launch(executable_path=BROWSER, args=list(arguments))


class PageTest(unittest.TestCase):
    """One page for each test, with the keyboard only unless a test takes the mouse.

    The library, its server and the browser begin when the first test needs them, and are those of all tests of a file.
    """

    arguments = ("--autoplay-policy=no-user-gesture-required", f"--host-resolver-rules=MAP {INSECURE} 127.0.0.1")
    settings = {"volume": "1", "replayGain": '"off"'}
    media = {}

    @functools.cached_property
    def library(self):
        return Library.of_noise()

    def own_library(self, sounds, options=()):
        """Takes a library of its own for this test."""
        self.library = Library(sounds, {}, options=options)
        self.addCleanup(self.library.close)

    def setUp(self):
        self.context = browser(*self.arguments).new_context(**{"viewport": {"width": 1280, "height": 800}, **self.media})
        self.addCleanup(self.context.close)
        self.page = self.context.new_page()
        self.page.set_default_timeout(40_000)
        self.failures = []
        # A page goes on with the queue of its person, which another test has left.
        if self.library.ask("/queue")["rows"]:
            self.library.edit_queue({"replace": [], "current": None})
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.page.add_init_script(path=HANDLES)
        # As the printed address leaves it in a browser.
        self.page.add_init_script(f"localStorage.setItem('deadwax.token', '{self.library.token}')")
        for key, value in self.settings.items():
            self.page.add_init_script(f"localStorage.getItem('deadwax.{key}') ?? localStorage.setItem('deadwax.{key}', '{value}')")

    def tearDown(self):
        self.assertEqual(self.failures, [])

    def open(self, address="/?sort=filename%2B", wait=".row .title a"):
        self.page.goto(self.library.address + address)
        self.page.wait_for_selector(wait)

    def until(self, expression, wanted=True, seconds=60):
        """Waits until an expression of the page has a value; what it names may not be there yet."""
        def value():
            try:
                return self.page.evaluate(expression)
            except Error as error:
                return error

        deadline = time.monotonic() + seconds
        while (found := value()) != wanted:
            if time.monotonic() > deadline:
                self.fail(f"{expression} is {found!r}, not {wanted!r}")
            time.sleep(0.02)

    def frames(self, count=3):
        """Lets the page be drawn so often; what a change of sizes or data brings about has happened then."""
        self.page.evaluate("async count => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame) }", count)

    def play(self, row=0, pauses=False):
        """Plays a row of the table by keys; `pauses` as soon as it is heard, because a track is over soon on a busy machine."""
        self.page.focus(".table")
        for _ in range(row):
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        if pauses:
            self.page.evaluate("async () => { const { player } = deadwax; while (player.frame() <= 1000) await new Promise(done => setTimeout(done, 5)); player.toggle() }")
        else:
            self.until("deadwax.player.frame() > 1000")

    def see_waveform(self):
        """Waits for the waveform of what plays, which comes after the sound."""
        self.until("deadwax.zoom.waveform?.id === deadwax.player.track.peek().id")

    def playing(self):
        return self.page.evaluate("deadwax.player.track.peek()?.row.filename.replace('.wav', '')")

    def capture(self, count, meanwhile=""):
        """What leaves the player next: a list of (key of the track, first frame, left and right samples); `meanwhile` happens after it has begun."""
        self.page.evaluate(f"globalThis.taken = deadwax.player.engine.capture({count}); {meanwhile}; 0")
        return self.taken()

    def begin_capture(self, frame, count):
        """Lets a player that rests begin at a frame, and keeps what leaves in `taken`."""
        self.page.evaluate(f"deadwax.player.seek({frame})")
        self.until("deadwax.player.engine.there === deadwax.player.engine.epoch")
        self.page.evaluate(f"globalThis.taken = deadwax.player.engine.capture({count}); deadwax.player.toggle()")

    def capture_from(self, frame, count):
        self.begin_capture(frame, count)
        return self.taken()

    def taken(self):
        result = self.page.evaluate(
            "async () => { const { captured, marks } = await taken; return { left: [...captured[0]], right: [...captured[1]], marks } }")
        ends = [mark["at"] for mark in result["marks"][1:]] + [len(result["left"])]
        return [
            (mark["item"], mark["frame"], result["left"][mark["at"]:end], result["right"][mark["at"]:end])
            for mark, end in zip(result["marks"], ends)]

    def assert_exact(self, blocks, names):
        """Each block has the samples of its place in the track that its key stands for, bit for bit."""
        for key, frame, left, right in blocks:
            frames = self.library.frames[names[key]]
            end = frame + len(left)
            self.assertEqual(left, frames[2 * frame:2 * end:2], f"left of {names[key]} at {frame}")
            self.assertEqual(right, frames[2 * frame + 1:2 * end:2], f"right of {names[key]} at {frame}")
