"""What the page costs: bench.py COMMAND MUSIC [MILLION] [SECTION…] prints a table; scripts/bench-page.sh calls it.

MUSIC is a folder of music, or a library that was made of one; MILLION a library of a million tracks, `-` for none. The sections are
the methods below that begin with `measure_`; all of them if none is named. DEADWAX_BENCH_SECONDS says how long listeners listen.
"""

import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

os.environ["DEADWAX"] = COMMAND = os.path.realpath(sys.argv[1])

from playwright.sync_api import sync_playwright  # noqa: E402

from first_load import compressed_bytes, first_load  # noqa: E402
from support import BROWSER, HANDLES  # noqa: E402
from test_load import DRIVE  # noqa: E402
from test_soak import resident_bytes  # noqa: E402

SECONDS = float(os.environ.get("DEADWAX_BENCH_SECONDS", 60))

# How long after `act`, or after the next click, the first sample of what it asks for leaves for the device, in ms.
HEARD = """
globalThis.heardAfter = (act) => new Promise((done, fail) => {
  const { engine } = deadwax.player, { epoch } = engine; let began = performance.now();
  addEventListener('click', (event) => (began = event.timeStamp), { capture: true, once: true });
  const timer = setTimeout(() => fail(new Error(`nothing is heard: ${deadwax.player.trouble.peek()}`)), 30000);
  engine.hear = (message) => {
    Object.getPrototypeOf(engine).hear.call(engine, message);
    if (message.item === undefined || !(message.epoch > epoch)) return;
    delete engine.hear;
    clearTimeout(timer);
    done(performance.now() - began);
  };
  act?.();
});
"""

# When the first row of the table has its title, in ms after the navigation began.
ROWS = """
globalThis.firstRows = new Promise((done) => {
  const look = () => (document.querySelector('.row .title')?.textContent ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look));
  look();
});
"""

# How long after each input its rows are drawn, in ms.
TYPED = """
globalThis.answered = [];
addEventListener('input', (event) => (globalThis.typedAt = event.timeStamp), true);
{
  const { table } = deadwax.library, { show } = table;
  table.show = (...words) => {
    show.apply(table, words);
    const at = typedAt;
    requestAnimationFrame(() => { const port = new MessageChannel(); port.port1.onmessage = () => answered.push(performance.now() - at); port.port2.postMessage(0); });
  };
}
0
"""

# The gaps between frames in ms, the longest first, while STEP is called in each with the seconds since the first.
ANIMATE = """
async (seconds) => {
  const act = STEP, began = performance.now(), gaps = []; let last = null;
  while (performance.now() - began < seconds * 1000) {
    const time = await new Promise(requestAnimationFrame);
    if (last !== null) gaps.push(time - last);
    last = time;
    act((time - began) / 1000);
  }
  return gaps.sort((a, b) => b - a);
}
"""

# What is heard through in the measurement of the worklet: ten bands, and a room.
BANDS = [{"type": "parametric", "frequency_hz": 31.25 * 2**i, "gain_db": (-4, 3)[i % 2], "q": 1.4} for i in range(10)]
PRESET = {"schema": 1, "name": "Bench", "gain_db": -4, "compensated": False, "bands": BANDS, "pitch_cents": 0, "reverb": None, "rate": 1}

rows = []


def tell(what, value, goal=""):
    """A row of the table, printed at once."""
    rows.append((what, value, goal))
    print(f"| {what} | {value} | {goal} |", flush=True)


def click(page):
    """Clicks the first row with a pointer, as browsers demand before anything sounds; how long until it is heard, in ms."""
    page.evaluate("globalThis.heard = heardAfter(); 0")
    page.hover(".row .title")
    page.click(".row .index")
    return page.evaluate("heard")


def milliseconds(values):
    """Median and largest of some times in ms."""
    return f"{statistics.median(values):.0f} ms, at most {max(values):.0f} ms ({len(values)})"


class Server:
    """`deadwax serve` on a free port."""

    def __init__(self, library):
        page = ["--page", os.environ["DEADWAX_PAGE"]] if "DEADWAX_PAGE" in os.environ else []
        self.process = subprocess.Popen([COMMAND, "serve", "-L", library, "--port", "0", *page], stdout=subprocess.PIPE, text=True)
        printed = next(word for line in self.process.stdout for word in line.split() if word.startswith("http"))
        self.netloc = urllib.parse.urlsplit(printed).netloc
        self.address = f"http://{self.netloc}"

    def get(self, path):
        with urllib.request.urlopen(f"{self.address}/api/v1{path}", timeout=30) as answer:
            return json.load(answer)

    def close(self):
        self.process.terminate()
        self.process.wait(10)


class Bench:
    def __init__(self, music, million, stack):
        self.music, self.million, self.stack = music, million, stack
        self.server = Server(music)
        stack.callback(self.server.close)
        driver = stack.enter_context(sync_playwright())
        self.browser = driver.chromium.launch(executable_path=BROWSER)
        # The longest of each codec, the longest first.
        self.longest = {}
        for row in self.server.get("/tracks?sort=duration-&limit=500")["rows"]:
            self.longest.setdefault(row["codec"], row)

    @contextlib.contextmanager
    def page(self, server=None, address="/", script="", **settings):
        context = self.browser.new_context(viewport={"width": 1360, "height": 850})
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(path=HANDLES)
        for key, value in settings.items():
            page.add_init_script(f"localStorage.setItem('deadwax.{key}', '{value}')")
        if script:
            page.add_init_script(script)
        page.goto((server or self.server).address + address)
        page.wait_for_selector(".row .title a")
        yield page
        context.close()

    def measure_size(self):
        sizes = first_load(self.server.address)
        tell("loaded to show the library and to play", f"{sum(sizes.values()):,} bytes, {len(sizes)} files", "150,000 bytes")
        web = pathlib.Path(__file__).parents[2] / "web"
        files = [file for file in web.rglob("*") if file.is_file() and file.suffix not in (".wasm", ".txt", ".ts")]
        tell("all files of the page, without `effects.wasm`", f"{sum(compressed_bytes(file.read_bytes(), str(file)) for file in files):,} bytes, {len(files)} files")

    def measure_click(self):
        """Each first click has a server and a page of its own; each seek is to where nobody has been."""
        for codec, row in self.longest.items():
            server = Server(self.music)
            with self.page(server, f"/?q=filename:=%22{urllib.parse.quote(row['filename'])}%22", HEARD) as page:
                page.wait_for_timeout(1000)
                first = click(page)
                page.wait_for_timeout(500)
                again = [page.evaluate("heardAfter(() => deadwax.player.begin(deadwax.player.track.peek().row, 0, true))") for _ in range(5)]
                seconds = [row["duration"] * part for part in (0.9, 0.3, 0.6, 0.45, 0.8)]
                seeks = [page.evaluate(f"heardAfter(() => deadwax.player.seek({int(second)} * deadwax.player.track.peek().rate))") for second in seconds]
            server.close()
            tell(f"{codec}: from click to sound, the first click", f"{first:.0f} ms", "150 ms")
            tell(f"{codec}: from click to sound, further clicks", milliseconds(again), "150 ms")
            tell(f"{codec}: first seek, from the start to {seconds[0] / 60:.1f} min", f"{seeks[0]:.0f} ms", "1 s at 10 min")
            tell(f"{codec}: further seeks", milliseconds(seeks[1:]), "150 ms")

    def measure_paint(self):
        with self.large() as server:
            paints, shown, again = [], [], []
            for _ in range(7):
                with self.page(server, "/", ROWS) as page:
                    shown.append(page.evaluate("firstRows"))
                    paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
                    page.reload()
                    again.append(page.evaluate("firstRows"))
            tell(f"{self.many}: first paint, nothing cached", milliseconds(paints), "300 ms")
            tell(f"{self.many}: first rows, nothing cached", milliseconds(shown), "")
            tell(f"{self.many}: first rows, loaded again", milliseconds(again), "")

    def measure_typing(self):
        with self.large() as server, self.page(server) as page:
            page.wait_for_timeout(3000)
            page.evaluate(TYPED)
            page.focus("#query")
            for text in ("flup", "genre:jazz", "year:1990..1999 sto"):
                page.fill("#query", "")
                page.wait_for_timeout(1500)
                page.evaluate("answered.length = 0")
                page.keyboard.type(text, delay=300)
                page.wait_for_timeout(1000)
                tell(f"{self.many}: from a key to its rows, `{text}`", milliseconds(page.evaluate("answered")), "60 ms")

    def measure_frames(self):
        scroll = "(phase) => deadwax.library.table.moveTo((0.5 - 0.5 * Math.cos(phase / 2)) * {})"
        with self.large() as server, self.page(server) as page:
            self.animate(page, f"{self.many}: scrolled by some rows a frame", scroll.format(20_000))
            self.animate(page, f"{self.many}: scrolled from end to end", scroll.format("deadwax.library.table.fullHeight"))
        with self.page(script=HEARD, spectrogram="false") as page:
            click(page)
            zoom = "(phase) => deadwax.zoom.zoomTo(deadwax.viewport.farthest ** (0.5 + 0.5 * Math.cos(phase)), deadwax.viewport.width / 2)"
            self.animate(page, "waveform zoomed from the whole to samples and back, playing", zoom)
            page.keyboard.press("g")
            self.animate(page, "the same over the spectrogram", zoom)

    def animate(self, page, what, step, seconds=6.3):
        """Gaps between frames, and what the trace says of the longest task of the page."""
        run = ANIMATE.replace("STEP", step)
        page.evaluate(run, 1)
        self.browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"])
        gaps = page.evaluate(run, seconds)
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        mains = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
        tasks = [event["dur"] / 1000 for event in events if event["name"] == "RunTask" and (event["pid"], event["tid"]) in mains and "dur" in event]
        late = sum(gap > 33.4 for gap in gaps)
        tell(what, f"{len(gaps)} frames, {late} above 33 ms, longest {gaps[0]:.0f} ms; longest task {max(tasks):.0f} ms", "none above 33 ms")

    def measure_tiles(self):
        tracks = self.server.get("/tracks?limit=500")["rows"]
        dice = random.Random(1)
        paths = []
        for row in tracks:
            points = max(1, int(row["duration"] * row["rate"] / 256))
            start = dice.randrange(max(1, points - 1024)) * 256
            paths.append(f"/api/v1/tracks/{row['id']}/waveform.dat?zoom=256&start={start}&points=1024")
        connection = http.client.HTTPConnection(self.server.netloc)
        times = []
        for _ in range(2000):
            began = time.perf_counter()
            connection.request("GET", dice.choice(paths))
            connection.getresponse().read()
            times.append(1000 * (time.perf_counter() - began))
        times.sort()
        tell("a waveform tile of 1,024 points, one client in Python", f"median {times[1000]:.2f} ms, 99 % below {times[1980]:.2f} ms", "5 ms")
        if not shutil.which("wrk"):
            return print("wrk is missing: apt-get install wrk", file=sys.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write("local paths = {" + ",".join(json.dumps(path) for path in paths) + "}\nlocal i = 0\nfunction request() i = i % #paths + 1 return wrk.format('GET', paths[i]) end\n")
            script.flush()
            told = subprocess.run(["wrk", "-t2", "-c20", "-d10s", "--latency", "-s", script.name, self.server.address], capture_output=True, text=True, check=True).stdout
        words = {line.split()[0]: line.split()[1] for line in told.splitlines() if len(line.split()) > 1}
        tell("the same, `wrk` with 20 connections on the same two cores", f"{float(words['Requests/sec:']):,.0f} a second, median {words['50%']}, 99 % below {words['99%']}", "2,000 a second")

    def measure_soak(self):
        """Twenty who play at random: parts of tracks, and between them what the page asks for."""
        tracks = self.server.get("/tracks?limit=500")["rows"]
        end = time.monotonic() + SECONDS
        answers, failures = [0], []

        def listen(seed):
            dice = random.Random(seed)
            while time.monotonic() < end:
                row = dice.choice(tracks)
                start = dice.randrange(max(1, int(row["duration"] * row["rate"]))) // 32768 * 32768
                wanted = [f"/tracks/{row['id']}"] + [f"/tracks/{row['id']}/pcm?start={start + 32768 * i}&count=32768&format=f32" for i in range(8)]
                wanted += [f"/tracks/{row['id']}/waveform.dat?zoom=256", f"/tracks/{row['id']}/bands", "/tracks?limit=200&sort=title"]
                for path in wanted:
                    try:
                        with urllib.request.urlopen(f"{self.server.address}/api/v1{path}", timeout=60) as answer:
                            answer.read(None if dice.random() < 0.95 else 5000)
                        answers[0] += 1
                    except urllib.error.HTTPError as error:
                        if error.code != 503:
                            failures.append(f"{path}: {error}")
                    except OSError as error:
                        failures.append(f"{path}: {error}")
                    if time.monotonic() > end:
                        return
                time.sleep(dice.random())

        threads = [threading.Thread(target=listen, args=(seed,)) for seed in range(20)]
        before = resident_bytes(self.server.process.pid)
        for thread in threads:
            thread.start()
        marks = []
        while time.monotonic() < end:
            time.sleep(min(SECONDS / 10, max(0.1, end - time.monotonic())))
            marks.append(resident_bytes(self.server.process.pid))
        for thread in threads:
            thread.join()
        time.sleep(2)
        after = resident_bytes(self.server.process.pid)
        mebibytes = [f"{mark / 2**20:.0f}" for mark in marks]
        tell(f"20 listeners for {SECONDS / 60:.0f} minutes: memory of the server and its workers",
             f"{before / 2**20:.0f} MiB before, {after / 2**20:.0f} after ({(after - before) / 2**20:+.0f}); on the way {' '.join(mebibytes)}; {answers[0]:,} answers, {len(failures)} failures {failures[:2] or ''}", "+64 MiB in an hour")

    def measure_worklet(self):
        """The processor time of the thread that the worklet runs in, as a share of one core."""
        with self.page(script=HEARD, repeat='"one"') as page:
            click(page)
            room = {"room": "large-hall", "mix_percent": 25}
            for what, preset, goal in [("as it is", None, ""), ("ten bands", PRESET, "5 %"), ("ten bands and a large hall", {**PRESET, "reverb": room}, "15 %")]:
                page.evaluate("""async preset => {
                  const { settingsOf } = await import('/data/presets.js');
                  deadwax.player.shape(preset && settingsOf(preset));
                }""", preset)
                page.wait_for_timeout(2000)
                played = "deadwax.player.engine.context.currentTime"
                before, at = thread_seconds("Realtime AudioW"), page.evaluate(played)
                page.wait_for_timeout(15_000)
                share = (thread_seconds("Realtime AudioW") - before) / (page.evaluate(played) - at)
                tell(f"the worklet's share of a core, {what}", f"{100 * share:.1f} %", goal)

    def measure_underruns(self):
        with self.page(address="/?sort=duration-", script=HEARD, repeat='"one"', spectrogram="true") as page:
            page.set_default_timeout(SECONDS * 1000 + 60_000)
            click(page)
            result = page.evaluate(DRIVE, SECONDS)
            tell(f"{SECONDS / 60:.0f} minutes of playing while table and waveform move in each frame",
                 f"{result['underruns']} underruns; {result['late']} of {result['frames']:,} frames above 33 ms; the device: {result['device']}", "no underrun")

    @contextlib.contextmanager
    def large(self):
        server = Server(self.million)
        self.many = f"{server.get('/tracks/count')['files']:,} tracks"
        yield server
        server.close()


def thread_seconds(name):
    """Processor time of the threads of this process' descendants whose name begins so."""
    parents = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{process}/stat") as file:
            parents[int(process)] = int(file.read().rsplit(")", 1)[1].split()[1])
    total = 0
    for process in parents:
        ancestor = process
        while ancestor and ancestor != os.getpid():
            ancestor = parents.get(ancestor, 0)
        if not ancestor:
            continue
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{process}/task"):
                folder = f"/proc/{process}/task/{thread}"
                with open(f"{folder}/comm") as file:
                    if not file.read().startswith(name):
                        continue
                with open(f"{folder}/schedstat") as file:
                    total += int(file.read().split()[0]) / 1e9
    return total


def main():
    music, million, *names = [*sys.argv[2:], "-"][:2] + sys.argv[4:]
    with contextlib.ExitStack() as stack:
        if os.path.isdir(music):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="deadwax-bench-"))
            library = f"{folder}/library.sqlite"
            subprocess.run([COMMAND, "scan", "-q", "-L", library, music], check=True)
            music = library
        bench = Bench(music, million, stack)
        print("| what | measured | goal |\n|---|---|---|")
        needs_million = {"paint", "typing", "frames"}
        for name in names or [name.removeprefix("measure_") for name in vars(Bench) if name.startswith("measure_")]:
            if name in needs_million and million == "-":
                print(f"{name} needs a library of a million tracks", file=sys.stderr)
            else:
                getattr(bench, f"measure_{name}")()


main()
