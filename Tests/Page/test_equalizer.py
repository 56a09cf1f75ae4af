"""Sound that is shaped: what the page plays through a preset is what the command renders through it."""

import array
import json
import pathlib
import struct
import subprocess
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe

from support import COMMAND, RATE, PageTest


BRIGHT = {
    "schema": 1, "name": "Bright", "gain_db": -3,
    "bands": [{"type": "parametric", "frequency_hz": 1000, "gain_db": 6, "q": 1}, {"type": "high-shelf", "frequency_hz": 6000, "gain_db": -5}],
    "reverb": {"room": "plate", "mix_percent": 20},
}


class EqualizerTests(PageTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.preset = self.folder / "bright.json"
        self.preset.write_text(json.dumps(BRIGHT))
        self.command("preset", "import", str(self.preset))
        self.addCleanup(self.command, "preset", "delete", "Bright", "--force")
        # Ids are given in the order in which workers end.
        self.track = str(pathlib.Path(self.library.path).parent / "music" / "b second.wav")

    def command(self, *words):
        return subprocess.run([COMMAND, *words, "-L", self.library.path], check=True, capture_output=True, text=True).stdout

    def rendered(self, name):
        """The left channel of a recording as `render` writes it, in floats, because that is how it gets it."""
        frames = array.array("f", self.library.frames[name]).tobytes()
        head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(frames), b"WAVE", b"fmt ", 16, 3, 2, RATE, 8 * RATE, 8, 32, b"data", len(frames))
        (self.folder / "in.wav").write_bytes(head + frames)
        output = self.folder / "out.wav"
        subprocess.run([COMMAND, "render", str(self.folder / "in.wav"), "--preset", str(self.preset), "-o", str(output)], check=True, capture_output=True)
        data = output.read_bytes()
        self.assertEqual(struct.unpack_from("<H", data, data.index(b"fmt ") + 8)[0] & 0xFFFD, 1, "integers or floats")
        self.assertEqual(struct.unpack_from("<H", data, data.index(b"fmt ") + 22)[0], 32)
        start = data.index(b"data") + 8
        return array.array("f", data[start:start + 8 * len(frames) // 8])[::2]

    def open_equalizer(self):
        self.open()
        self.play(row=1)
        self.page.keyboard.press("e")
        self.page.wait_for_selector(".equalizer .slider")

    def test_what_is_heard_through_a_preset_is_what_render_writes(self):
        self.command("preset", "assign", "Bright", self.track)
        self.open()
        self.play(row=1, pauses=True)
        blocks = self.capture_from(0, 90_000)
        self.assertEqual(blocks[0][1], 0)
        heard = [sample for _, _, left, _ in blocks for sample in left]
        expected = self.rendered("b second")
        late = self.page.evaluate("deadwax.player.engine.context.sampleRate") * 4 // 1000 + 24
        self.assertEqual(late, 200)
        differences = [abs(a - b) for a, b in zip(heard[late:], expected)]
        self.assertLessEqual(max(differences), 1e-6)
        self.assertGreater(max(map(abs, heard)), 0.05)

    def test_sound_goes_on_when_a_band_is_taken_away(self):
        self.open_equalizer()
        self.page.get_by_role("slider", name="1 k Hz").focus()
        self.page.keyboard.press("PageUp")
        self.until("deadwax.player.engine.module?.then(() => true)")
        # It has faded in.
        self.until(f"deadwax.player.frame() > {self.page.evaluate('deadwax.player.frame()') + RATE // 5}")
        self.page.evaluate("deadwax.views.equalizer.draft.remove(0)")
        # The band has faded after 30 ms.
        blocks = self.capture(10_000)
        self.assertEqual(sum(len(left) for _, _, left, _ in blocks), 10_000)

    def test_only_a_band_that_is_there_can_be_removed(self):
        self.open("/equalizer", wait=".slider")
        removal = self.page.get_by_role("button", name="Remove it")
        self.assertFalse(removal.is_visible())
        self.assertFalse(self.page.get_by_role("button", name="Next band").is_visible())
        # Nor are there headings above nothing.
        self.assertFalse(self.page.get_by_text("Which preset applies").is_visible())
        self.page.get_by_role("button", name="Add a band").press("Enter")
        removal.press("Enter")
        self.until("deadwax.views.equalizer.draft.preset.peek().bands.length", 0)
        # Who works by keys goes on from there.
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Add a band")

    def test_sliders_move_by_keys_and_undo_takes_it_back(self):
        self.open_equalizer()
        slider = self.page.get_by_role("slider", name="1 k Hz")
        slider.focus()
        for _ in range(6):
            self.page.keyboard.press("ArrowUp")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "+3.0 dB")
        self.page.keyboard.press("Shift+ArrowDown")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "+2.9 dB")
        self.page.keyboard.press("Delete")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "0.0 dB")
        self.page.get_by_role("button", name="Undo").click()
        self.assertEqual(self.page.evaluate("deadwax.views.equalizer.draft.preset.peek().bands.length"), 0)

    def test_what_is_saved_is_a_preset_of_the_command(self):
        self.open_equalizer()
        self.page.get_by_role("slider", name="2 k Hz").focus()
        self.page.keyboard.press("PageUp")
        self.page.get_by_role("button", name="Save as").click()
        self.page.get_by_label("Name").fill("Forward")
        self.page.get_by_label("It applies to").select_option("track")
        self.page.keyboard.press("Tab")
        self.page.get_by_role("dialog").get_by_role("button", name="Save").click()
        self.until("document.querySelector('.scope.applies span')?.textContent", "Track")
        self.addCleanup(self.command, "preset", "delete", "Forward", "--force")
        self.assertIn("2000", self.command("preset", "show", "Forward"))
        self.assertIn("Forward", self.command("preset", "of", self.track))

    def test_a_pitch_is_heard_as_render_writes_it(self):
        self.command("preset", "delete", "Bright")
        self.preset.write_text(json.dumps({**BRIGHT, "pitch_cents": -500}))
        self.command("preset", "import", str(self.preset))
        self.command("preset", "assign", "Bright", self.track)
        self.open()
        self.play(row=1, pauses=True)
        heard = [sample for _, _, left, _ in self.capture_from(0, 60_000) for sample in left]
        differences = [abs(a - b) for a, b in zip(heard[200:], self.rendered("b second"))]
        self.assertLessEqual(max(differences), 1e-6)
        self.assertGreater(max(map(abs, heard)), 0.05)

    def test_a_rate_moves_the_playhead_as_much_faster_and_the_next_track_is_exact_again(self):
        self.preset.write_text(json.dumps({"schema": 1, "name": "Fast", "bands": [], "rate": 2, "pitch_cents": -1200}))
        self.command("preset", "import", str(self.preset))
        self.addCleanup(self.command, "preset", "delete", "Fast", "--force")
        self.command("preset", "assign", "Fast", self.track)
        self.open()
        self.play(row=1, pauses=True)
        self.until("deadwax.player.prepared !== null")
        third = self.page.evaluate("deadwax.player.prepared.loaded.key")
        # By two reports of the worklet, which say when which frame leaves, however late the page hears of them.
        pace = self.page.evaluate(
            "async () => { const { player } = deadwax; const { engine } = player; const until = async (what) => { while (!what()) await new Promise(done => setTimeout(done, 5)) };"
            " const { time: rested } = engine.report; player.toggle(); await until(() => engine.report.time > rested); const { frame, time } = engine.report;"
            " await until(() => engine.report.frame > frame + 40_000); const { report } = engine; player.toggle();"
            " return (report.frame - frame) / (report.time - time) / engine.context.sampleRate }")
        self.assertAlmostEqual(pace, 2, delta=0.1)
        blocks = self.capture_from(len(self.library.frames["b second"]) // 2 - RATE, 60_000)
        seam = next(i for i, (key, *_) in enumerate(blocks) if key == third)
        # The former track is heard to its end: a second in half the time.
        self.assertAlmostEqual(sum(len(left) for _, _, left, _ in blocks[:seam]), RATE / 2, delta=2)
        left = [sample for _, _, samples, _ in blocks[seam:] for sample in samples]
        self.assertEqual(blocks[seam][1], 0)
        # The limiter's delay stays, because the effects do.
        self.assertEqual(left[200:], self.library.frames["c third"][0:2 * (len(left) - 200):2])

    def test_pitch_and_rate_are_saved_and_the_rate_may_keep_the_pitch(self):
        self.open_equalizer()
        rate, pitch = [self.page.get_by_label(name, exact=True) for name in ("Rate", "Pitch in cents")]
        for field, typed, kept in [(pitch, "-3000", "-2400"), (pitch, "100", "100"), (rate, "1.5", "1.5")]:
            field.fill(typed)
            field.press("Tab")
            self.assertEqual(field.input_value(), kept)
        heard = self.page.locator(".effects .note").first
        self.assertEqual(heard.text_content(), "Heard: +8.02 semitones, in 67 % of the time.")
        self.page.get_by_label("Keep the pitch").press("Space")
        self.assertEqual((pitch.input_value(), heard.text_content()), ("100", "Heard: +1.00 semitones, in 67 % of the time."))
        self.until("/^Costs .* % of a processor core[.]$/.test(document.querySelector('.effects .cost').textContent)")
        self.page.get_by_role("button", name="Save as").click()
        self.page.get_by_label("Name").fill("Slow")
        self.page.get_by_role("dialog").get_by_role("button", name="Save").click()
        self.until("document.querySelector('dialog') === null")
        self.addCleanup(self.command, "preset", "delete", "Slow", "--force")
        stored = json.loads(self.command("preset", "export", "Slow", "-o", "-", "--format", "json"))
        self.assertEqual((stored["pitch_cents"], stored["rate"]), (-601.96, 1.5))

    def test_axe_finds_nothing(self):
        self.command("preset", "assign", "Bright", self.track)
        self.open_equalizer()
        self.page.wait_for_selector(".points .point")
        found = Axe().run(self.page).response["violations"]
        self.assertEqual([(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found], [])


if __name__ == "__main__":
    unittest.main()
