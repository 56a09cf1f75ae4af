"""The page in Firefox, without a driver: a proxy adds a script to the page, which plays and posts what it heard."""

import http.client
import http.server
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

from support import HANDLES, RATE, RECORDINGS, PageTest

FIREFOX = os.environ.get("DEADWAX_FIREFOX", "firefox-esr")
MISSING = [name for name in (FIREFOX, "pulseaudio") if not shutil.which(name)]

PREFERENCES = {
    "media.autoplay.default": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "browser.startup.page": 0, "app.update.enabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.aboutwelcome.enabled": False,
}

# Asking Firefox for the latency of its output may hang it, so the page must not.
SCRIPT = """
let askedCount = 0;
Object.defineProperty(AudioContext.prototype, 'outputLatency', { get: () => ((askedCount += 1), 0) });
const report = (body) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });
// The test hears of each step as it begins, so that it can say at which one the browser stopped.
const until = async (step, what) => {
  await report({ step });
  while (!(await what())) await new Promise((done) => setTimeout(done, 20));
};
addEventListener('error', (event) => report({ error: event.message }));
try {
  await until('the page', () => globalThis.deadwax);
  const { player } = deadwax;
  const { rows, total } = await (await fetch('/api/v1/tracks?sort=filename%2B')).json();
  await player.playFrom(rows[0], { q: '', sort: 'filename+', total }, 0);
  await until('sound, and the second track prepared', () => player.frame() > 10_000 && player.prepared);
  const keys = { [player.track.peek().key]: 'a first', [player.prepared.loaded.key]: 'b second' };
  const place = player.track.peek().frames - 40_000;
  await player.seek(place);
  await until('sound after the seek', () => Number.isFinite(player.engine.report.time) && player.frame() > place);
  const { captured, marks } = await player.engine.capture(70_000);
  const started = player.frame();
  await until('sound after the seam', () => player.frame() > started + 20_000);
  await report({ keys, marks, left: [...captured[0]], right: [...captured[1]], drawn: document.querySelectorAll('.row .sound canvas').length,
    engine: player.engine.constructor.name, askedCount, trouble: player.trouble.peek() });
} catch (error) {
  await report({ error: String(error.stack ?? error) });
}
"""


class Proxy(http.server.BaseHTTPRequestHandler):
    """The server under test, with one script more; its event stream, which never ends, is left out."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/report":
            self.server.reports.put(json.loads(body))
        self.answer(204, [], b"")

    def do_GET(self):
        if self.path == "/drive.js":
            return self.answer(200, [("Content-Type", "text/javascript")], (HANDLES.read_text() + SCRIPT).encode())
        if self.path.endswith("/events"):
            return self.answer(404, [], b"")
        server = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.address).netloc, timeout=30)
        server.request("GET", self.path)
        response = server.getresponse()
        body = response.read()
        server.close()
        if self.path == "/":
            body = body.replace(b"</head>", b'<script type="module" src="/drive.js"></script></head>')
        dropped = {"content-length", "transfer-encoding", "connection", "date"}
        return self.answer(response.status, [(name, value) for name, value in response.getheaders() if name.lower() not in dropped], body)


@unittest.skipIf(MISSING and not os.environ.get("CI"), f"missing: {', '.join(MISSING)} (apt-get install firefox-esr pulseaudio)")
class FirefoxTests(PageTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="deadwax-firefox-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "HOME": folder.name, "XDG_RUNTIME_DIR": folder.name, "PULSE_RUNTIME_PATH": folder.name,
                            "PULSE_SERVER": f"unix:{folder.name}/native", "MOZ_HEADLESS": "1"}
        self.failures = []
        # Without a device Firefox keeps its audio suspended, and it looks for one only once.
        self.start("pulseaudio", "-n", "--exit-idle-time=-1", "-L", "module-null-sink",
                   "-L", f"module-native-protocol-unix socket={folder.name}/native auth-anonymous=1")
        deadline = time.monotonic() + 30
        while not (self.folder / "native").is_socket():
            self.assertLess(time.monotonic(), deadline, f"PulseAudio made no socket: {self.said()}")
            time.sleep(0.02)

    def start(self, *words):
        with open(self.folder / "said", "ab") as said:
            process = subprocess.Popen(words, env=self.environment, stdout=said, stderr=said)

        def end():
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.addCleanup(end)

    def said(self):
        return (self.folder / "said").read_text(errors="replace")[-2000:]

    def report(self, reports):
        """What the page heard; each step on the way has a minute, the first one, in which Firefox starts, has two."""
        step, seconds = "the start of Firefox", 120
        while True:
            try:
                report = reports.get(timeout=seconds)
            except queue.Empty:
                self.fail(f"Firefox waited for {step} for {seconds} s: {self.said()}")
            if "step" not in report:
                return report
            step, seconds = report["step"], 60

    def test_two_tracks_are_played_without_a_gap_and_bit_for_bit(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        server.address, server.reports = self.library.address, queue.Queue()
        # A browser that is ended leaves answers unread.
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        profile = self.folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.start(FIREFOX, "--headless", "--no-remote", "--profile", str(profile), f"http://127.0.0.1:{server.server_port}/")
        report = self.report(server.reports)
        self.assertNotIn("error", report, report.get("error"))
        self.assertEqual((report["engine"], report["trouble"]), ("StreamEngine", ""))
        self.assertEqual(report["askedCount"], 0)
        self.assertGreaterEqual(report["drawn"], len(RECORDINGS))
        self.check(report)

    def check(self, report):
        """The volume is that of the page at first, and so is ReplayGain: the samples are compared up to one factor for each track."""
        ends = [mark["at"] for mark in report["marks"][1:]] + [len(report["left"])]
        names = []
        for mark, end in zip(report["marks"], ends):
            name, frame = report["keys"][str(mark["item"])], mark["frame"]
            stored = self.library.frames[name][2 * frame:2 * (frame + end - mark["at"])]
            played = [sample for pair in zip(report["left"][mark["at"]:end], report["right"][mark["at"]:end]) for sample in pair]
            factor = max(played, key=abs) / max(stored, key=abs)
            for got, wanted in zip(played, stored, strict=True):
                self.assertAlmostEqual(got, factor * wanted, delta=1e-6)
            names.append((name, frame, frame + end - mark["at"]))
        for (name, _, end), (following, start, _) in zip(names, names[1:]):
            self.assertEqual((following, start), ("b second", 0) if end == int(RECORDINGS["a first"] * RATE) else (name, end))
        self.assertEqual({name for name, *_ in names}, {"a first", "b second"})


if __name__ == "__main__":
    unittest.main()
