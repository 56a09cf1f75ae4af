"""Parts of a track: chapters, and the tracks of a CUE sheet."""

import unittest

from support import PARTS, RATE, PageTest


class PartTests(PageTest):
    def test_the_page_of_a_track_lists_its_parts_and_plays_one(self):
        self.open()
        self.play(row=2)
        self.page.keyboard.press("Alt+Enter")
        self.page.wait_for_selector(".chapters li")
        self.assertEqual(self.page.locator(".chapters .name").all_text_contents(), list(PARTS))
        self.page.get_by_role("button", name="Three").first.press("Enter")
        self.until(f"deadwax.player.frame() >= {PARTS['Three']}")
        self.until("document.querySelector('.chapters [aria-current] .name')?.textContent", "Three")

    def test_both_waveforms_mark_where_parts_begin(self):
        self.open()
        self.play(row=2)
        self.until("document.querySelectorAll('.seekbar .tick').length", len(PARTS) - 1)
        self.page.keyboard.press("k")
        self.page.evaluate(f"deadwax.player.seek({PARTS['Two']} + 1000)")
        self.until("document.querySelector('.seekbar').getAttribute('aria-valuetext')", "0:02 of 0:05, Two")
        self.page.keyboard.press("0")
        self.until("Math.abs(deadwax.viewport.zoom * deadwax.viewport.width - deadwax.player.track.peek().frames) < 2")
        column = self.page.evaluate(
            "(() => { const { zoom: { scale }, viewport: { start, zoom } } = deadwax; const x = Math.round((2 * 44100 - start) / zoom);"
            " return [x - 3, x].map(at => scale.getContext('2d').getImageData(at, 17, 1, 1).data[3]) })()")
        self.assertEqual(column[0], 0)
        self.assertGreater(column[1], 0)

    def test_a_part_in_the_queue_is_played_from_its_first_frame_to_its_last(self):
        self.open()
        self.play(row=0)
        third = self.page.evaluate("(async () => (await (await fetch('/api/v1/tracks?q=filename:third')).json()).rows[0])()")
        self.page.evaluate(
            "async row => { const { partsOf, rowOfPart } = await import('/data/tracks.js');"
            " const detail = await (await fetch('/api/v1/tracks/' + row.id)).json(); deadwax.player.ask(rowOfPart(row, partsOf(detail)[1])); }", third)
        self.until("deadwax.player.prepared?.loaded.row.title", "Two")
        first, part = self.page.evaluate("[deadwax.player.track.peek().key, deadwax.player.prepared.loaded.key]")
        self.page.evaluate(f"globalThis.taken = deadwax.player.engine.capture({RATE} + 60000); deadwax.player.seek(4 * {RATE} - 20000)")
        blocks = self.taken()
        self.assert_exact(blocks, {key: {first: "a first", part: "c third"}.get(key, "b second") for key, *_ in blocks})
        played = [(frame, frame + len(left)) for key, frame, left, _ in blocks if key == part]
        self.assertEqual((played[0][0], played[-1][1]), (PARTS["Two"], PARTS["Three"]))
        after = [(key, frame) for key, frame, *_ in blocks if key not in (first, part)]
        self.assertEqual(after[0][1], 0, "then the next row follows without a gap")


if __name__ == "__main__":
    unittest.main()
