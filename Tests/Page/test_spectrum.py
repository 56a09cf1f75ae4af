"""The live spectrum and the loudness of what plays. Their numbers are tested in Node (Tests/Web/audio, Tests/Web/views/spectrum)."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from support import PageTest


class SpectrumTests(PageTest):
    def test_the_page_measures_what_plays_and_shows_what_is_stored_while_paused(self):
        self.open()
        self.play(row=1)
        self.page.keyboard.press("s")
        self.page.wait_for_selector(".spectrum-page .figure")
        self.until("!document.querySelector('.spectrum-page .figure')?.textContent.startsWith('\u2013')")
        self.until("Number.isFinite(deadwax.views.spectrum.readings.most.shortTerm)")
        stored = self.page.evaluate("deadwax.player.track.peek().detail.measures.loudness_lufs")
        measured = self.page.evaluate("deadwax.views.spectrum.readings.most.shortTerm")
        self.assertAlmostEqual(measured, stored, delta=0.5)
        self.page.keyboard.press("k")
        self.until("deadwax.views.spectrum.live.stored !== null")
        # It falls to what is stored.
        self.until(
            "(() => { const { live } = deadwax.views.spectrum; const { tile, column } = live.stored;"
            " return Math.abs(live.moving[0].shown[40] - (-120 + tile.steps[column * tile.bands + 40] / 2)) < 4 })()")
        self.page.get_by_role("group", name="Weighting").get_by_role("button", name="Z").press("Enter")
        self.assertEqual(self.page.evaluate("deadwax.views.spectrum.live.choice.weighting"), "z")
        self.assertEqual(Axe().run(self.page).response["violations"], [])


if __name__ == "__main__":
    unittest.main()
