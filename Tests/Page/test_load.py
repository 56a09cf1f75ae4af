"""Playing on while everything else is drawn: nothing that one hears may wait for what one sees."""

import os
import unittest

from support import PageTest

SECONDS = float(os.environ.get("DEADWAX_LOAD_SECONDS", 6))

# Scrolls the table, zooms and moves the waveform, for as long as it is asked to; gives the longest frames in ms.
DRIVE = """
async seconds => {
  const { zoom, viewport, library, player } = deadwax; const began = performance.now(); let last = began; const frames = [];
  while (performance.now() - began < seconds * 1000) {
    const time = await new Promise(requestAnimationFrame);
    frames.push(time - last); last = time;
    const phase = (time - began) / 1000;
    library.table.moveTo((0.5 + 0.5 * Math.sin(phase)) * library.table.fullHeight);
    zoom.zoomTo(viewport.farthest ** (0.5 + 0.5 * Math.sin(phase / 3)), viewport.width / 2);
  }
  frames.sort((a, b) => b - a);
  const { playbackStats } = player.engine.context;
  return { underruns: player.engine.underruns, frames: frames.length, longest: frames.slice(1, 6), late: frames.filter(ms => ms > 33.4).length,
    device: playbackStats ? { events: playbackStats.underrunEvents ?? playbackStats.fallbackFramesEvents, seconds: playbackStats.underrunDuration ?? playbackStats.fallbackFramesDuration } : null };
}
"""


class LoadTests(PageTest):
    settings = {**PageTest.settings, "repeat": '"all"', "spectrogram": "false"}

    def test_nothing_is_late_while_the_page_scrolls_zooms_and_draws(self):
        self.page.set_default_timeout(SECONDS * 1000 + 30_000)
        self.open()
        self.play()
        for _ in ("waveform", "spectrogram"):
            result = self.page.evaluate(DRIVE, SECONDS / 2)
            self.assertEqual(result["underruns"], 0)
            self.page.keyboard.press("g")
            if "DEADWAX_LOAD_SECONDS" in os.environ:
                print(result)
        self.assertTrue(self.page.evaluate("deadwax.player.playing.peek()"))

    def test_the_counter_counts_when_samples_are_late(self):
        self.open()
        self.play(row=1)
        self.page.evaluate("deadwax.player.engine.worker.terminate()")
        self.until("deadwax.player.engine.underruns", 1)


if __name__ == "__main__":
    unittest.main()
