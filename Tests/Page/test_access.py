"""That everybody can use it: no violation that axe finds, and nothing that needs a pointer."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from support import PageTest

VIEWS = ["tracks", "artists", "albums", "genres", "composers", "works", "folders", "lists", "problems"]


class AccessTests(PageTest):
    def assert_no_violations(self, what):
        # What is still fading in has the contrast of nothing.
        self.page.evaluate(
            """Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity)
                 .map((one) => one.finished.catch(() => {})))"""
        )
        found = Axe().run(self.page).response["violations"]
        told = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]
        self.assertEqual(told, [], what)

    def test_axe_finds_nothing_in_any_view(self):
        for view in VIEWS:
            with self.subTest(view):
                self.open(f"/?view={view}", wait=":is(.row .title, .tile-title, .empty .etch):visible")
                self.assert_no_violations(view)

    def test_axe_finds_nothing_while_a_track_plays_and_on_its_page(self):
        self.open()
        self.play()
        self.assert_no_violations("player")
        self.page.keyboard.press("Alt+Enter")
        self.page.wait_for_selector(".plots .spectrum")
        self.assert_no_violations("track")
        self.page.goto(self.library.address + "/settings")
        self.page.wait_for_selector(".settings dd")
        self.assert_no_violations("settings")

    def test_axe_finds_nothing_in_the_drawers_while_nothing_plays(self):
        self.open()
        for key, sentence in [("u", "Nothing is queued."), ("v", "Nothing is playing.")]:
            with self.subTest(key):
                self.page.keyboard.press(key)
                self.page.locator(".drawer").get_by_text(sentence).wait_for()
                self.assert_no_violations(key)
                self.page.keyboard.press(key)

    def test_axe_finds_nothing_in_two_compared_tracks_and_dialogs(self):
        self.open("/compare/1/2", wait=".compared .spectrum")
        self.assert_no_violations("compare")
        self.page.keyboard.press("?")
        self.page.wait_for_selector("dialog[open]")
        self.assert_no_violations("keys")

    def test_everything_in_the_tab_order_has_a_name_and_shows_that_it_has_the_focus(self):
        self.open()
        self.play()
        seen = []
        self.page.evaluate("document.querySelector('.skip').focus()")
        for _ in range(60):
            self.page.keyboard.press("Tab")
            name = self.page.evaluate(
                "(() => { const e = document.activeElement; return e === document.body ? null :"
                " e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent.trim() || e.id })()")
            if name is None or name in seen[:1]:
                break
            self.assertTrue(name)
            seen.append(name)
        for wanted in ["Search", "Tracks", "Columns", "Previous", "Pause", "Next", "Volume", "Zoom of the waveform", "Shuffle", "Save a part", "Position"]:
            self.assertTrue(any(name.startswith(wanted) for name in seen), f"{wanted} is not among {seen}")

    def test_sliders_move_by_keys(self):
        self.open()
        self.play(row=1, pauses=True)
        self.page.focus(".seekbar")
        self.page.keyboard.press("Home")
        self.until("deadwax.player.frame()", 0)
        self.page.keyboard.press("ArrowRight")
        self.until("deadwax.player.frame()", 5 * 44_100)
        self.page.focus(".zoomed")
        before = self.page.evaluate("deadwax.viewport.zoom")
        self.page.keyboard.press("ArrowUp")
        self.until(f"Math.abs(deadwax.viewport.zoom - {before / 2}) < 0.001")

    def test_letters_are_only_letters_when_they_are_turned_off(self):
        self.open("/settings", wait=".settings dd")
        self.page.get_by_role("group", name="Keys of one letter").get_by_role("button", name="Off").click()
        # A key opens its dialog before it has been pressed.
        self.page.keyboard.press("?")
        self.assertEqual(self.page.locator("dialog").count(), 0)


class ForcedColoursTests(PageTest):
    media = {"forced_colors": "active"}

    def test_the_page_is_drawn_in_the_systems_colours_alone(self):
        self.open()
        self.play()
        self.assertEqual(self.page.evaluate("getComputedStyle(document.querySelector('.play')).borderTopColor"), self.colour("CanvasText"))
        # No hue in any canvas: red, green and blue are alike where the system's colours are.
        hues = self.page.eval_on_selector_all(
            "canvas", "all => Math.max(...all.filter(one => one.width > 1).map(one => { const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);"
            " let most = 0; for (let i = 0; i < data.length; i += 4) if (data[i + 3]) most = Math.max(most, Math.abs(data[i] - data[i + 1]), Math.abs(data[i + 1] - data[i + 2])); return most }))")
        self.assertLessEqual(hues, 2)
        for word in ["Follow", "Shuffle"]:
            button = self.page.get_by_role("button", name=word)
            self.assertEqual(button.evaluate("e => getComputedStyle(e).borderBottomColor !== 'rgba(0, 0, 0, 0)'"), button.get_attribute("aria-pressed") == "true", word)

    def colour(self, name):
        return self.page.evaluate(
            "name => { const e = document.createElement('i'); e.style.color = name; document.body.append(e); const { color } = getComputedStyle(e); e.remove(); return color }", name)


class ContrastTests(PageTest):
    media = {"contrast": "more"}

    def test_with_more_contrast_no_text_is_fainter_than_the_second_ink(self):
        self.open()
        tokens = self.page.evaluate("['--ink2', '--ink3', '--control', '--line'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name))")
        self.assertEqual(tokens[0], tokens[1])
        self.assertEqual(tokens[2], tokens[3])
        self.assertEqual(Axe().run(self.page).response["violations"], [])


if __name__ == "__main__":
    unittest.main()
