"""What one hears: exact samples, without a gap, from where one has gone to."""

import random
import unittest

from support import RATE, RECORDINGS, PageTest


class PlayerTests(PageTest):
    def key_of(self, expression="deadwax.player.track.peek().key"):
        return self.page.evaluate(expression)

    def test_a_row_is_played_paused_and_played_again(self):
        self.open()
        self.play()
        self.assertEqual(self.playing(), "a first")
        self.page.keyboard.press("k")
        self.until("deadwax.player.playing.peek()", False)
        before = self.page.evaluate("deadwax.player.frame()")
        self.until(f"deadwax.player.engine.context.currentTime > {self.page.evaluate('deadwax.player.engine.context.currentTime') + 0.3}")
        after = self.page.evaluate("deadwax.player.frame()")
        self.assertLess(abs(after - before), 4096)
        self.page.keyboard.press("k")
        self.until(f"deadwax.player.frame() > {after + 5000}")

    def test_the_next_track_follows_without_a_gap_and_bit_for_bit(self):
        self.open()
        self.play(pauses=True)
        first = self.key_of()
        total = int(RECORDINGS["a first"] * RATE)
        self.until("deadwax.player.prepared !== null")
        second = self.key_of("deadwax.player.prepared.loaded.key")
        self.begin_capture(total - 30_000, 60_000)
        # The comparison may take longer than the track.
        self.page.evaluate("taken.then(() => deadwax.player.toggle())")
        blocks = self.taken()
        self.assert_exact(blocks, {first: "a first", second: "b second"})
        self.assertEqual([key for key, *_ in blocks if key not in (first, second)], [])
        ends = [(key, frame + len(left)) for key, frame, left, _ in blocks]
        starts = [(key, frame) for key, frame, *_ in blocks]
        for end, start in zip(ends, starts[1:]):
            self.assertEqual(start, (second, 0) if end == (first, total) else end)
        self.assertIn((second, 0), starts)
        self.assertEqual(self.playing(), "b second")

    def test_after_fifty_random_seeks_the_samples_are_those_of_the_place(self):
        self.open()
        self.play(row=1)
        key = self.key_of()
        self.page.evaluate("deadwax.player.setLoop(null)")
        dice = random.Random(1)
        total = int(RECORDINGS["b second"] * RATE)
        for _ in range(50):
            frame = dice.randrange(total - 40_000)
            self.page.evaluate(
                "async frame => { await deadwax.player.seek(frame);"
                " const { report } = deadwax.player.engine;"
                " while (deadwax.player.engine.report === report) await new Promise(done => setTimeout(done, 2)); }", frame)
            blocks = self.capture(1000)
            self.assert_exact(blocks, {key: "b second"})
            self.assertGreaterEqual(blocks[0][1], frame)
            self.assertLess(blocks[0][1], frame + 40_000)

    def test_a_paused_player_starts_at_the_very_frame_that_was_asked_for(self):
        self.open()
        self.play(row=1, pauses=True)
        key = self.key_of()
        blocks = self.capture_from(123_457, 2000)
        self.assertEqual(blocks[0][1], 123_457)
        self.assert_exact(blocks, {key: "b second"})

    def test_a_loop_goes_from_its_last_frame_to_its_first(self):
        self.open()
        self.play(row=1)
        key = self.key_of()
        self.page.evaluate("deadwax.player.setLoop({ start: 50_000, end: 61_000 })")
        self.until("Number.isFinite(deadwax.player.engine.report.time)")
        blocks = self.capture(40_000)
        self.assert_exact(blocks, {key: "b second"})
        ends = [frame + len(left) for _, frame, left, _ in blocks]
        starts = [frame for _, frame, *_ in blocks]
        jumps = [(end, start) for end, start in zip(ends, starts[1:]) if end != start]
        self.assertGreaterEqual(len(jumps), 3)
        self.assertEqual(set(jumps), {(61_000, 50_000)})

    def test_the_last_track_ends_and_stays(self):
        self.open()
        self.play(row=3)
        self.page.evaluate("deadwax.player.seek(deadwax.player.track.peek().frames - 5000)")
        self.until("deadwax.player.playing.peek()", False)
        self.assertTrue(self.playing().startswith("d "))
        self.until("deadwax.player.frame()", 0)

    def test_next_and_previous_walk_through_the_result(self):
        self.open()
        self.play()
        self.page.keyboard.press("n")
        self.until("deadwax.player.track.peek().row.filename", "b second.wav")
        self.page.keyboard.press("p")
        self.until("deadwax.player.track.peek().row.filename", "a first.wav")


class GainTests(PageTest):
    settings = {"volume": "1", "replayGain": '"track"'}

    def test_what_leaves_is_the_recording_times_its_gain(self):
        self.open()
        self.play()
        gain = self.page.evaluate("deadwax.player.track.peek().gain")
        loudness = self.page.evaluate("deadwax.player.track.peek().detail.measures.loudness_lufs")
        self.assertAlmostEqual(gain, 10 ** ((-18 - loudness) / 20), delta=1e-9)
        for _, frame, left, _ in self.capture(2000):
            for played, stored in zip(left, self.library.frames["a first"][2 * frame::2]):
                self.assertAlmostEqual(played, stored * gain, delta=1e-6)

    def test_another_choice_of_replaygain_is_heard_from_the_same_place_and_begins_once(self):
        self.open()
        self.play(pauses=True)
        self.page.evaluate("deadwax.player.seek(50_000)")
        self.until("deadwax.player.engine.there === deadwax.player.engine.epoch")
        epoch = self.page.evaluate("deadwax.player.engine.epoch")
        self.page.get_by_role("button", name="ReplayGain").press("Enter")
        self.page.get_by_role("button", name="ReplayGain: off").or_(self.page.get_by_role("button", name="of the album")).wait_for()
        self.frames()
        self.assertEqual(self.page.evaluate("[deadwax.player.frame(), deadwax.player.engine.epoch]"), [50_000, epoch + 1])


if __name__ == "__main__":
    unittest.main()
