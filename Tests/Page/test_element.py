"""Where no secure context is, the browser's own player plays the file."""

import unittest
import urllib.parse

from support import INSECURE, RATE, PageTest


class ElementTests(PageTest):
    def open_insecure(self):
        port = urllib.parse.urlsplit(self.library.address).port
        self.page.goto(f"http://{INSECURE}:{port}/?sort=filename%2B")
        self.page.wait_for_selector(".row .title a")
        self.assertFalse(self.page.evaluate("isSecureContext"))
        self.assertEqual(self.page.evaluate("deadwax.player.engine.constructor.name"), "ElementEngine")

    def test_it_plays_pauses_and_seeks(self):
        self.open_insecure()
        self.play(row=1)
        self.page.keyboard.press("k")
        self.until("deadwax.player.engine.element.paused")
        self.page.evaluate(f"deadwax.player.seek(5 * {RATE})")
        self.until(f"deadwax.player.frame() === 5 * {RATE}")
        self.until("document.querySelector('.seekbar').getAttribute('aria-valuenow')", "5")
        self.page.keyboard.press("k")
        self.until(f"deadwax.player.frame() > {5 * RATE + 10_000}")

    def test_the_next_track_follows_and_a_loop_repeats(self):
        self.open_insecure()
        self.play()
        self.until("deadwax.player.prepared !== null")
        self.page.evaluate("deadwax.player.seek(deadwax.player.track.peek().frames - 10_000)")
        self.until("deadwax.player.track.peek().row.filename", "b second.wav")
        self.until("deadwax.player.frame() > 1000")
        self.page.evaluate(f"deadwax.player.setLoop({{ start: {2 * RATE}, end: {3 * RATE} }})")
        self.until(f"deadwax.player.frame() > {2.5 * RATE}")
        self.until(f"deadwax.player.frame() < {2.5 * RATE}")
        self.assertGreaterEqual(self.page.evaluate("deadwax.player.frame()"), 1.9 * RATE)

    def test_a_part_ends_where_it_ends(self):
        self.open_insecure()
        self.page.evaluate(
            "async () => { const row = (await (await fetch('/api/v1/tracks?q=filename:third')).json()).rows[0];"
            " globalThis.most = 0; deadwax.player.engine.element.addEventListener('timeupdate', () => (most = Math.max(most, deadwax.player.frame())));"
            f" await deadwax.player.playFrom({{ ...row, part: {{ start: 0, end: {RATE // 2} }} }}, {{ q: 'filename:third', sort: '', total: 1 }}, 0) }}")
        self.until("deadwax.player.playing.peek()", False)
        # Half a second is too short to be looked at while it plays.
        self.assertGreater(self.page.evaluate("most"), 0)
        self.assertEqual(self.page.evaluate("deadwax.player.frame()"), 0)

    def test_the_page_says_how_it_plays(self):
        self.open_insecure()
        self.page.evaluate("deadwax.go('/settings')")
        self.page.get_by_text("by the browser: open the page over https").wait_for()


if __name__ == "__main__":
    unittest.main()
