"""One track leads to the next as `render --transitions` writes it, bit for bit."""

import array
import functools
import pathlib
import random
import subprocess
import unittest

from support import COMMAND, Library, PageTest

RATE = 8_000
# Captured before and behind what changes.
MARGIN = 4_000


def noise(name, seconds, level):
    """Noise in 16 bits, stereo, interleaved, whose mean level in dBFS is given for each second; None is silence."""
    dice = random.Random(name)
    values = array.array("h")
    for tenth in range(int(10 * seconds)):
        decibels = level(tenth / 10)
        peak = 0 if decibels is None else min(32_767, 32_768 * 10 ** (decibels / 20) * 3 ** 0.5)
        values.extend(int(peak * (2 * dice.random() - 1)) for _ in range(2 * RATE // 10))
    return values.tolist()


# In the order in which they are played, each with how it leads to the next one.
TRACKS = {
    # Loud to the end, with silence behind it.
    "a": (noise("a", 33, lambda at: None if at >= 31 else -14), "butt"),
    # It begins with silence, and fades by itself.
    "b": (noise("b", 40, lambda at: None if at < 1 else -14 if at < 30 else -14 - 3 * (at - 30)), "tail"),
    # Both sum up to more than full scale, so the limiter works.
    "c": (noise("c", 34, lambda at: -5), "cross"),
    # A quiet beginning, and a long quiet ending.
    "d": (noise("d", 36, lambda at: -14 if at < 3 else -20 if at >= 32 else -5), "cross"),
    "e": (noise("e", 32, lambda at: -14), "join"),
    "f": (noise("f", 8, lambda at: -20), "cut"),
    "g": (noise("g", 4, lambda at: None), None),
}


class TransitionTests(PageTest):
    settings = {**PageTest.settings, "transitions": '"smart"'}

    @functools.cached_property
    def library(self):
        return shared()

    def plan(self, style):
        ids = {row["filename"][0]: row["id"] for row in self.library.ask("/tracks?sort=filename%2B&limit=20")["rows"]}
        path = f"/transitions?style={style}&rate={RATE}&ids=" + ",".join(str(ids[name]) for name in TRACKS)
        return [track["next"] for track in self.library.ask(path)["tracks"]]

    def rendered(self, style):
        """The left and right samples of the programme."""
        path = pathlib.Path(self.library.path).with_name(f"{style}.wav")
        subprocess.run(
            [COMMAND, "render", "-q", "-L", self.library.path, "path:.wav", "filename+", "--transitions", style, "--bits", "float",
             "--overwrite", "-o", str(path)], check=True)
        content = path.read_bytes()
        samples = array.array("f", content[content.index(b"data") + 8:])
        return samples[::2].tolist(), samples[1::2].tolist()

    def stand_before(self, number):
        """Opens a track, paused, when how it leads to the next one is known."""
        self.open()
        self.play(row=number, pauses=True)
        self.until(f"deadwax.player.prepared?.loaded.row.filename === '{list(TRACKS)[number + 1]}.wav'")

    def assert_joined(self, style, number, more=0):
        """The next track begins as in the programme; `more` frames after the point where it would begin if nobody had come late."""
        plan = self.plan(style)
        places = [0]
        for (name, (samples, _)), join in zip(TRACKS.items(), plan[:number]):
            skipped = plan[len(places) - 2]["next_start_frame"] if len(places) > 1 else 0
            places.append(places[-1] + join["end_frame"] - skipped - join["overlap_frames"])
        join = plan[number]
        skipped = plan[number - 1]["next_start_frame"] if number else 0
        frame = join["end_frame"] - join["overlap_frames"] - MARGIN
        count = join["overlap_frames"] + 2 * MARGIN
        self.stand_before(number)
        self.begin_capture(frame, count)
        self.page.evaluate("taken.then(() => deadwax.player.toggle())")
        blocks = self.taken()
        start = places[number] + frame - skipped
        for channel, programme in enumerate(self.rendered(style)):
            heard = [sample for block in blocks for sample in block[2 + channel]]
            self.assertEqual(len(heard), count)
            different = [at for at, (one, other) in enumerate(zip(heard, programme[start:start + count])) if one != other]
            self.assertEqual(different[:5], [], f"{len(different)} samples of {count} differ, the overlap begins at {MARGIN}")
        self.assertEqual(self.playing(), list(TRACKS)[number + 1])

    def test_the_tracks_lead_to_each_other_in_all_ways(self):
        self.assertEqual([join and join["kind"] for join in self.plan("smart")], [kind for _, kind in TRACKS.values()])

    def test_silence_between_loud_tracks_is_short(self):
        self.assert_joined("smart", 0)

    def test_a_track_begins_in_the_ending_of_one_that_fades_by_itself(self):
        self.assert_joined("smart", 1)

    def test_a_loud_track_fades_into_a_quiet_beginning(self):
        self.assert_joined("smart", 2)

    def test_a_quiet_ending_is_faded(self):
        self.assert_joined("smart", 3)

    def test_a_short_track_is_joined(self):
        self.assert_joined("smart", 4)

    def test_a_silent_track_is_joined(self):
        # There is less behind the join than the others have.
        self.assert_joined("smart", 5)

    def test_a_choice_counts_at_once(self):
        self.page.add_init_script("localStorage.setItem('deadwax.transitions', '\"gapless\"')")
        self.stand_before(1)
        self.assertIsNone(self.page.evaluate("deadwax.player.transition.peek()"))
        self.page.evaluate("deadwax.go('/settings')")
        for label, name, kind in [("Smart", "smart", "tail"), ("Gapless", "gapless", None), ("Short silences", "silence", "butt")]:
            self.page.click(f".settings button:text-is('{label}')")
            self.until("deadwax.player.transition.peek()?.kind ?? null", kind)
            self.until("deadwax.player.engine.output.mixes", name == "smart")
        # What plays on is as it was.
        self.page.evaluate("deadwax.player.toggle()")
        self.until("deadwax.player.frame() > 20000")
        self.assertEqual((self.playing(), self.page.evaluate("deadwax.player.trouble.peek()")), ("b", ""))

    def test_only_silences_are_shortened_if_that_is_chosen(self):
        self.page.add_init_script("localStorage.setItem('deadwax.transitions', '\"silence\"')")
        self.assert_joined("silence", 1)


@functools.cache
def shared():
    return Library({name: (RATE, samples) for name, (samples, _) in TRACKS.items()}, {})


if __name__ == "__main__":
    unittest.main()
