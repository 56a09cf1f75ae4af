"""What is found by sound: more like this, duplicates by ear, the map, and what a file or a microphone hears."""

import base64
import functools
import math
import pathlib
import random
import re
import struct
import tempfile
import unittest
import wave

from axe_playwright_python.sync_playwright import Axe

from support import BROWSER, Library, PageTest, driver

RATE = 22_050
SECONDS = 30
# How far into the first tune its copy begins, in seconds.
CUT = 1.5


@functools.cache
def tune(seed):
    """Chords of four tones between 60 Hz and 3.3 kHz that change four times a second, over quiet noise: mono, -1 to 1."""
    dice = random.Random(seed)
    length = RATE // 4
    samples = []
    for _ in range(4 * SECONDS):
        tones = [(dice.uniform(0.02, 0.15), 2 * math.pi * 60 * 55 ** dice.random() / RATE) for _ in range(4)]
        samples += [dice.uniform(-0.015, 0.015) + sum(level * math.sin(step * i) for level, step in tones) for i in range(length)]
    return samples


def stereo(mono, gain=20_000):
    return [int(gain * sample) for sample in mono for _ in range(2)]


def file_bytes(mono):
    """A WAV file."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.wav")
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(struct.pack(f"<{len(mono)}h", *(int(20_000 * sample) for sample in mono)))
        return path.read_bytes()


@functools.cache
def of_tunes():
    sounds = {f"tune {seed}": (RATE, stereo(tune(seed))) for seed in range(4)}
    # The copy is louder, and lacks its start.
    sounds["copy"] = (RATE, stereo(tune(0)[int(CUT * RATE):], 30_000))
    return Library(sounds, {})


class TunesTest(PageTest):
    """Four tunes and a copy of the first."""

    @functools.cached_property
    def library(self):
        return of_tunes()

    def violations(self):
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in Axe().run(self.page).response["violations"]]

    def open_map(self):
        self.open("/?view=map", ".map canvas")
        self.until("deadwax.library.panel?.model.points.length ?? 0", 5)


class SimilarityTests(TunesTest):
    def id_of(self, name):
        return self.page.evaluate(
            "async name => (await (await fetch('/api/v1/tracks?q=' + encodeURIComponent('filename:=\"' + name + '\"'))).json()).rows[0].id", name + ".wav")

    # Duplicates

    def open_duplicates(self):
        self.open("/?view=duplicates", ".copies-of")

    def test_copies_are_shown_with_the_one_to_keep_and_the_reason(self):
        self.open_duplicates()
        self.assertEqual(self.page.locator(".copies-of").count(), 1)
        rows = self.page.locator(".copies-of tbody tr").all_text_contents()
        self.assertEqual(len(rows), 2)
        self.assertIn("tune 0.wav", rows[0])
        self.assertTrue(rows[0].endswith("Keep"), rows[0])
        self.assertTrue(rows[1].endswith("the kept one is longer"), rows[1])
        group = self.page.evaluate("async () => (await (await fetch('/api/v1/duplicates')).json()).rows[0]")
        self.assertEqual([file["reason_code"] for file in group["files"]], [None, "longer"])
        self.assertEqual(self.violations(), [])

    def test_a_search_chooses_among_the_groups(self):
        self.open("/?view=duplicates&q=" + "filename%3A%22tune%203%22", ".duplicates .tally:not(:empty)")
        self.page.get_by_text("No matching tracks have copies.").wait_for()
        self.open("/?view=duplicates&q=filename%3Acopy", ".copies-of")

    def test_copies_are_heard_in_step_and_one_key_changes_which(self):
        self.open_duplicates()
        self.page.get_by_role("button", name="Listen", exact=True).press("Enter")
        self.page.wait_for_selector(".listening")
        self.until("deadwax.library.panel.listening.playback.place() > 0.5")
        voices = self.page.evaluate("deadwax.library.panel.listening.playback.voices.map(({ start }) => start)")
        self.assertEqual(voices[0], 0)
        self.assertAlmostEqual(voices[1], CUT, delta=0.05)
        self.assertEqual(self.violations(), [])
        before = self.page.evaluate("deadwax.library.panel.listening.playback.place()")
        self.page.keyboard.press("x")
        self.assertEqual(self.page.evaluate("deadwax.library.panel.listening.playback.heard.peek()"), 1)
        self.assertEqual(self.page.get_by_role("button", name="Hear B").get_attribute("aria-pressed"), "true")
        self.until(f"deadwax.library.panel.listening.playback.place() > {before}")
        # Only the one that is heard has a gain, and the louder one less than the other had.
        self.until("deadwax.library.panel.listening.playback.gains.map(({ gain }) => gain.value > 0.001).join()", "false,true")
        levels = self.page.evaluate("[0, 1].map(i => deadwax.library.panel.listening.playback.level(i))")
        self.assertLess(levels[1], levels[0])
        self.page.keyboard.press(" ")
        self.until("deadwax.library.panel.listening.playback.playing.peek()", False)
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.locator(".listening").count(), 0)

    def test_what_is_decoded_for_both_is_the_same_moment(self):
        self.open_duplicates()
        self.page.get_by_role("button", name="Listen", exact=True).press("Enter")
        self.page.wait_for_selector(".listening")
        # The samples of both at ten seconds of the first, a fifth of a second long: alike, but for the gain and half a column.
        likeness = self.page.evaluate("""async () => {
          const { playback } = deadwax.library.panel.listening;
          const [a, b] = await Promise.all(playback.voices.map((voice) => playback.piece(voice, 10)));
          const [x, y] = [a.getChannelData(0), b.getChannelData(0)];
          let best = 0;
          for (let lag = -600; lag <= 600; lag += 1) {
            let [xy, xx, yy] = [0, 0, 0];
            for (let i = 1000; i < 6000; i += 1) { xy += x[i] * y[i + lag]; xx += x[i] ** 2; yy += y[i + lag] ** 2; }
            best = Math.max(best, xy / Math.sqrt(xx * yy));
          }
          return best;
        }""")
        self.assertGreater(likeness, 0.95)

    # The map

    def test_the_map_names_what_is_pointed_at_and_opens_it(self):
        self.open_map()
        box = self.page.locator(".map canvas").bounding_box()
        x, y = self.page.evaluate("deadwax.library.panel.model.at(deadwax.library.panel.model.points[2])")
        name = self.page.evaluate("deadwax.library.panel.model.points[2].filename")
        self.page.mouse.move(box["x"] + x, box["y"] + y)
        self.page.locator(".map .chip", has_text=name).wait_for()
        self.assertEqual(self.violations(), [])
        self.page.mouse.click(box["x"] + x, box["y"] + y)
        self.page.locator(".track-page h1", has_text=name).wait_for()

    def test_the_map_is_moved_and_zoomed_by_the_mouse(self):
        self.open_map()
        box = self.page.locator(".map canvas").bounding_box()
        self.page.mouse.move(box["x"] + 300, box["y"] + 200)
        under = "deadwax.library.panel.model.view.x + (300 - deadwax.library.panel.model.size.width / 2) / (deadwax.library.panel.model.size.width - 56) / deadwax.library.panel.model.view.zoom"
        before = self.page.evaluate(under)
        self.page.mouse.wheel(0, -600)
        self.until("deadwax.library.panel.model.view.zoom > 2")
        self.assertAlmostEqual(self.page.evaluate(under), before, delta=1e-6)
        place = self.page.evaluate("deadwax.library.panel.model.view.x")
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 240, box["y"] + 200, steps=4)
        self.page.mouse.up()
        self.assertGreater(self.page.evaluate("deadwax.library.panel.model.view.x"), place)

    def test_the_map_says_what_its_colours_mean_as_the_command_does(self):
        self.open_map()
        legend = self.page.get_by_role("group", name="Colours")
        self.assertEqual(legend.locator("p").text_content(), "slow, 70 BPM170 BPM, fast")
        # A tempo of the legend's end has the colour of that end; a point without one is hollow, which then stands there, too.
        self.page.evaluate("(() => { const { points } = deadwax.library.panel.model; [60, 70, 170, 200, null].forEach((bpm, i) => (points[i].bpm = bpm)); deadwax.library.panel.draw() })()")
        unknown = legend.locator(".unknown")
        unknown.wait_for()
        self.assertEqual(unknown.text_content().strip(), "not known")
        colours = self.point_colours()
        self.assertEqual((colours[0], colours[2]), (colours[1], colours[3]))
        self.assertEqual(len(set(colours)), 3)
        ends = legend.locator(".shades i").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
        self.assertEqual(len(set(ends)), 8)
        for point, end in ((0, ends[0]), (3, ends[7])):
            self.assert_near(colours[point], end)
        self.assertEqual(colours[4], (0, 0, 0))
        legend.get_by_role("button", name="Centroid").press("Enter")
        self.assertEqual(legend.locator("p").text_content(), "low, 147 Hz8.2 kHz, high")
        self.page.evaluate("(() => { const { points } = deadwax.library.panel.model; [100, 147, 8200, 12000, 1000].forEach((hertz, i) => (points[i].centroid_hz = hertz)); deadwax.library.panel.draw() })()")
        unknown.wait_for(state="hidden")
        low, high = legend.locator(".shades i").evaluate_all("all => [all[0], all[7]].map(one => getComputedStyle(one).backgroundColor)")
        colours = self.point_colours()
        self.assert_near(colours[0], low)
        self.assert_near(colours[3], high)
        self.assertEqual(self.violations(), [])
        # The choice is kept.
        self.open_map()
        self.assertEqual(legend.get_by_role("button", name="Centroid").get_attribute("aria-pressed"), "true")

    def point_colours(self):
        """What is drawn in the middle of each point, far from each other and from any ring."""
        return [tuple(colour) for colour in self.page.evaluate("""async () => {
          const { panel, panel: { model } } = deadwax.library;
          model.points.forEach((point, i) => { point.x = i / 4; point.y = 0.5; });
          panel.draw();
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const context = panel.canvas.getContext('2d');
          return model.points.map((point) => { const [x, y] = model.at(point); return [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3); });
        }""")]

    def assert_near(self, colour, css):
        for one, other in zip(colour, (int(part) for part in re.findall(r"\d+", css))):
            self.assertAlmostEqual(one, other, delta=30)

    def test_the_map_without_points_says_why(self):
        self.open("/?view=map&q=title%3Anothing", ".map .empty .etch")
        self.assertEqual(self.page.text_content(".map .empty .etch"), "No matching tracks on the map.")
        self.assertFalse(self.page.locator(".map canvas").is_visible())
        self.assertEqual(self.violations(), [])
        self.page.evaluate("deadwax.library.go({ q: '' })")
        self.page.locator(".map canvas").wait_for()
        self.assertFalse(self.page.locator(".map .empty").is_visible())

    def test_the_map_is_used_by_keys(self):
        self.open_map()
        self.page.focus(".map canvas")
        self.page.keyboard.press("ArrowRight")
        reached = {self.page.evaluate("deadwax.library.panel.chosen")}
        for key in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown"]:
            self.page.keyboard.press(key)
            reached.add(self.page.evaluate("deadwax.library.panel.chosen"))
        self.assertGreater(len(reached), 2)
        self.page.keyboard.press("+")
        self.assertAlmostEqual(self.page.evaluate("deadwax.library.panel.model.view.zoom"), 1.5)
        self.page.keyboard.press("0")
        self.assertEqual(self.page.evaluate("deadwax.library.panel.model.view.zoom"), 1)
        for name, zoom in [("Zoom in", 1.5), ("Zoom in", 2.25), ("Zoom out", 1.5), ("Whole map", 1)]:
            self.page.get_by_role("button", name=name).press("Enter")
            self.assertAlmostEqual(self.page.evaluate("deadwax.library.panel.model.view.zoom"), zoom)
        self.page.focus(".map canvas")
        name = self.page.evaluate("deadwax.library.panel.model.points[deadwax.library.panel.chosen].filename")
        self.assertIn(name, self.page.text_content(".map [role=status]"))
        self.page.keyboard.press("Enter")
        self.page.locator(".track-page h1", has_text=name).wait_for()

    # More like this

    def test_a_track_lists_what_sounds_like_it(self):
        self.open("/", ".row .title a")
        self.page.evaluate(f"deadwax.go('/track/{self.id_of('copy')}')")
        self.page.wait_for_selector(".more-like li")
        names = self.page.locator(".more-like .name").all_text_contents()
        # The tune of which it is a copy is not among them.
        self.assertEqual(sorted(names), ["tune 1.wav", "tune 2.wav", "tune 3.wav"])
        self.assertEqual(self.violations(), [])
        self.page.get_by_role("button", name="Queue tune 2.wav").press("Enter")
        self.until("deadwax.player.track.peek()?.row.filename ?? ''", "tune 2.wav")
        self.page.get_by_role("button", name="Play tune 1.wav").press("Enter")
        self.until("deadwax.player.track.peek()?.row.filename ?? ''", "tune 1.wav")
        self.page.wait_for_selector(".more-like li[aria-current]")
        # What follows is the rest of the likeness, not of the library.
        self.until("deadwax.player.queue.source.q.startsWith('similar:')")
        self.until("deadwax.player.queue.place > 0", True)

    # Identify

    def excerpt(self, number, start, seconds):
        return file_bytes(tune(number)[int(start * RATE):int((start + seconds) * RATE)])

    def test_a_chosen_file_is_named_with_its_place_and_opened_there(self):
        self.open("/identify", ".identify h1")
        self.assertEqual(self.violations(), [])
        self.page.set_input_files(".identify input[type=file]", {"name": "clip.wav", "mimeType": "audio/wav", "buffer": self.excerpt(2, 12, 8)})
        self.page.wait_for_selector(".found li")
        self.assertEqual(self.page.locator(".found .name").all_text_contents(), ["tune 2.wav"])
        self.assertEqual(self.violations(), [])
        self.page.get_by_role("button", name="Play tune 2.wav from").press("Enter")
        self.page.locator(".track-page h1", has_text="tune 2.wav").wait_for()
        self.until("deadwax.player.frame() > 0 && deadwax.player.playing.peek()")
        self.assertAlmostEqual(self.page.evaluate("deadwax.player.track.peek().rate && deadwax.player.frame() / deadwax.player.track.peek().rate"), 12, delta=3)

    def test_a_file_that_is_dropped_anywhere_is_named(self):
        self.open()
        self.page.evaluate("""text => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'drop.wav'));
          const table = document.querySelector('.table');
          table.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }));
          globalThis.veiled = !document.querySelector('.veil').hidden;
          table.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }""", base64.b64encode(self.excerpt(3, 5, 8)).decode())
        self.assertTrue(self.page.evaluate("veiled"))
        self.page.wait_for_selector(".found li")
        self.assertEqual(self.page.locator(".found .name").all_text_contents(), ["tune 3.wav"])
        self.assertTrue(self.page.locator(".veil").is_hidden())

    def test_what_is_no_sound_and_what_is_unknown_is_told(self):
        self.open("/identify", ".identify h1")
        choose = lambda name, buffer: self.page.set_input_files(".identify input[type=file]", {"name": name, "mimeType": "", "buffer": buffer})
        choose("notes.txt", b"no sound at all" * 100)
        self.page.get_by_text("the sound cannot be read").wait_for()
        choose("other.wav", file_bytes(tune(99)[:RATE * 8]))
        self.page.get_by_text("nothing in the library matches").wait_for()
        choose("silence.wav", file_bytes([0.0] * RATE * 8))
        self.page.get_by_text("too short or too uniform").wait_for()

    def test_the_microphone_names_what_it_hears(self):
        with tempfile.NamedTemporaryFile(suffix=".wav") as heard:
            heard.write(self.excerpt(1, 3, 25))
            heard.flush()
            browser = driver().chromium.launch(executable_path=BROWSER, args=[
                "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={heard.name}"])
            self.addCleanup(browser.close)
            page = browser.new_page()
            page.goto(self.library.address + "/identify")
            page.get_by_role("button", name="Listen").press("Enter")
            page.get_by_text("Listening").wait_for()
            page.set_default_timeout(60_000)
            page.wait_for_selector(".found li")
            self.assertEqual(page.locator(".found .name").all_text_contents()[0], "tune 1.wav")
            page.get_by_role("button", name="Listen").wait_for()

    def test_without_a_microphone_the_page_says_so(self):
        self.open("/identify", ".identify h1")
        self.page.evaluate("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError')); 0")
        self.page.get_by_role("button", name="Listen").press("Enter")
        self.page.get_by_text("blocks the microphone").wait_for()

    # Tempo and key, and what the first load brings

    def test_tempo_and_key_are_columns_that_sort(self):
        self.open()
        self.page.evaluate("localStorage.setItem('deadwax.columns', JSON.stringify(['title', 'bpm', 'key']))")
        self.open("/?sort=bpm%2B")
        heads = self.page.locator(".head [role=columnheader]").all_text_contents()
        self.assertTrue(any(head.startswith("Tempo") for head in heads) and "Key" in heads, heads)
        self.page.get_by_role("button", name="Key", exact=True).click()
        self.until("new URLSearchParams(location.search).get('sort')", "key+")
        rows = self.page.evaluate("async () => (await (await fetch('/api/v1/tracks?sort=bpm%2B')).json()).rows.map(({ bpm }) => bpm)")
        known = [bpm for bpm in rows if bpm is not None]
        self.assertEqual(rows, sorted(known) + [None] * (len(rows) - len(known)))

    def test_the_views_are_loaded_only_when_they_are_opened(self):
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        self.open()
        # What the page does when it is idle has been done, too.
        self.until("deadwax.player.engine.opening !== null")
        self.frames()
        late = ["duplicates.js", "map.js", "identify.js", "similar.js", "synced-playback.js", "similarity.css"]
        self.assertEqual([url for url in asked if url.rsplit("/", 1)[1] in late], [])


class SimilarityByTouchTests(TunesTest):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def place_of(self, index):
        box = self.page.locator(".map canvas").bounding_box()
        x, y = self.page.evaluate(f"deadwax.library.panel.model.at(deadwax.library.panel.model.points[{index}])")
        return box["x"] + x, box["y"] + y

    def test_a_finger_names_a_point_of_the_map_plays_it_and_opens_it(self):
        self.open_map()
        self.assertIn("tap a point", self.page.locator("#map-keys:visible").text_content())
        name = self.page.evaluate("deadwax.library.panel.model.points[1].filename")
        place = self.place_of(1)
        self.page.touchscreen.tap(*place)
        self.page.locator(".map .chip", has_text=name).wait_for()
        # Nor do the events of a mouse, which follow a tap, take it away.
        self.frames(6)
        self.assertTrue(self.page.locator(".map .chip").is_visible())
        # A second touch must meet what the first one met.
        self.assertEqual(self.place_of(1), place)
        self.assertEqual(self.violations(), [])
        small = self.page.eval_on_selector_all(".map button", "all => all.filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.textContent)")
        self.assertEqual(small, [])
        self.assertEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)
        self.page.locator(".map").get_by_role("button", name="Play").tap()
        self.until("deadwax.player.track.peek()?.row.filename ?? ''", name)
        # The player has grown, and the map is still large enough to be touched.
        self.assertGreater(self.page.locator(".map canvas").bounding_box()["height"], 120)
        # Nor is it lost when the phone lies on its side.
        self.page.set_viewport_size({"width": 844, "height": 390})
        self.until("deadwax.library.panel.model.size.height >= 80")
        below, player = (self.page.locator(one).bounding_box() for one in (".map .below", ".player"))
        self.assertLessEqual(below["y"] + below["height"], player["y"] + 1)
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.until("deadwax.library.panel.model.size.width < 390")
        self.page.touchscreen.tap(*self.place_of(1))
        self.page.locator(".track-page h1", has_text=name).wait_for()


if __name__ == "__main__":
    unittest.main()
