"""Fingers on a small screen."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from support import PageTest


class TouchTests(PageTest):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def setUp(self):
        super().setUp()
        self.devtools = self.context.new_cdp_session(self.page)

    def touch(self, kind, *points):
        self.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})

    def open_paused(self):
        self.open()
        self.page.locator(".row .sound").nth(1).tap()
        self.until("deadwax.player.frame() > 1000")
        self.page.get_by_role("button", name="Pause").tap()
        self.until("deadwax.player.playing.peek()", False)
        self.see_waveform()
        self.page.evaluate("(() => { const { zoom, viewport } = deadwax; zoom.zoomTo(viewport.farthest, 0); viewport.clamp(); zoom.draw(); })()")
        self.until("Math.abs(deadwax.viewport.zoom - deadwax.viewport.farthest) < 1")
        box = self.page.locator(".zoomed").bounding_box()
        return box["y"] + 40

    def zoom(self, expression="deadwax.viewport.zoom"):
        return self.page.evaluate(expression)

    def test_two_fingers_zoom_and_what_is_between_them_stays_there(self):
        y = self.open_paused()
        before = self.zoom()
        middle = self.zoom("deadwax.viewport.start + 200 * deadwax.viewport.zoom")
        self.touch("touchStart", (180, y), (220, y))
        for step in range(1, 11):
            self.touch("touchMove", (180 - 6 * step, y), (220 + 6 * step, y))
        self.touch("touchEnd")
        self.until(f"Math.abs(deadwax.viewport.zoom - {before / 4}) < {before / 400}")
        self.assertAlmostEqual(self.zoom("deadwax.viewport.start + 200 * deadwax.viewport.zoom"), middle, delta=2 * before)

    def test_two_fingers_zoom_the_spectrogram_and_one_moves_it(self):
        y = self.open_paused()
        self.page.get_by_role("button", name="Spectrogram").tap()
        before = self.zoom()
        self.touch("touchStart", (100, y), (200, y))
        self.touch("touchMove", (100, y), (300, y))
        self.touch("touchEnd")
        self.until(f"Math.abs(deadwax.viewport.zoom - {before / 2}) < {before / 100}")
        start = self.zoom("deadwax.viewport.start")
        self.touch("touchStart", (250, y))
        for x in (240, 220, 200):
            self.touch("touchMove", (x, y))
        self.touch("touchEnd")
        self.until(f"Math.abs(deadwax.viewport.start - {start} - 50 * deadwax.viewport.zoom) < deadwax.viewport.zoom")

    def name_a_long_folder(self, route):
        answer = route.fetch()
        document = answer.json()
        document["roots"][0]["path"] = "/srv" + "/a-folder-without-blanks" * 8
        route.fulfill(response=answer, json=document)

    def test_a_tap_seeks_and_nothing_is_wider_than_the_screen(self):
        y = self.open_paused()
        self.page.touchscreen.tap(195, y)
        self.until("Math.abs(deadwax.player.frame() / deadwax.player.track.peek().frames - 0.5) < 0.01")
        self.page.route("**/api/v1/status", self.name_a_long_folder)
        for path, wait in [("/", ".row .title"), ("/track/1", ".plots .spectrum"), ("/equalizer", ".slider"), ("/settings", ".settings dd")]:
            with self.subTest(path):
                self.open(path, wait=wait)
                # Nor must one guess that buttons go on to the side.
                self.assertEqual(self.page.eval_on_selector_all("main :is(button, select)", "all => all.filter(e => e.offsetParent && e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)"), [])
                self.assertEqual(self.zoom("[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]"), [390, 390])

    def test_the_queue_over_an_album_has_its_own_rows(self):
        self.library.edit_queue({"insert": [{"entry": 1, "track": 1}, {"entry": 2, "track": 2}], "after": None})
        self.open("/album/1", wait=".track-list .title a")
        self.page.get_by_role("button", name="Queue", exact=False).last.tap()
        self.page.locator(".queue .entry").nth(1).wait_for()
        places = self.page.eval_on_selector_all(".queue .entry", """all => all.map(entry => {
          const middle = (element) => { const { top, height } = element.getBoundingClientRect(); return top + height / 2; };
          return [entry.clientHeight, ...[...entry.children].filter(e => e.clientHeight).map(e => Math.round(middle(e) - middle(entry)))];
        })""")
        for height, *middles in places:
            self.assertEqual(height, 60)
            self.assertTrue(all(abs(middle) <= 1 for middle in middles), middles)

    def test_all_keys_are_listed_without_a_keyboard(self):
        self.open("/settings", wait=".settings dd")
        self.page.get_by_role("button", name="Show all keys").tap()
        self.assertIn("Play or pause", self.page.get_by_role("dialog", name="Keys").inner_text())
        self.page.get_by_role("button", name="Close").tap()
        self.until("document.querySelector('dialog') === null")

    def test_buttons_of_every_view_are_as_large_as_a_thumb(self):
        small = """[...document.querySelectorAll('button, .albums-head a, .tabs a, .top .back')].filter(e => {
          const { width, height } = e.getBoundingClientRect();
          return e.checkVisibility() && !e.closest('.head') && width && (width < 44 || height < 44) && !e.matches('.link, .star');
        }).map(e => e.textContent || e.ariaLabel)"""
        for path, wait in [
            ("/?view=tracks", ".row .title"), ("/?view=albums", ".albums-head a"), ("/?view=artists", ".pane-list .row"), ("/track/1", ".plots .spectrum"),
            ("/equalizer", ".slider"), ("/spectrum", ".pair"), ("/settings", ".settings dd"), ("/identify", "main button"), ("/tags?q=id:1", ".tags-panel .field"),
        ]:
            with self.subTest(path):
                self.open(path, wait=wait)
                self.assertEqual(self.page.evaluate(small), [])

    def test_a_tap_empties_the_search(self):
        self.open()
        button = self.page.get_by_role("button", name="Empty the search")
        self.assertFalse(button.is_visible())
        rows = self.page.locator(".row").count()
        self.page.get_by_role("combobox", name="Search").fill("zxqwv")
        self.page.wait_for_selector(".empty:visible")
        button.tap()
        self.page.wait_for_selector(".row .title")
        self.assertEqual(self.page.locator(".row").count(), rows)
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "query")

    def test_a_tablet_shows_every_view_and_tool(self):
        for width in (820, 1024):
            self.page.set_viewport_size({"width": width, "height": 1100})
            self.open()
            edges = self.page.eval_on_selector_all(".tabs a, .views .tools > button", "all => all.filter(e => e.offsetParent).map(e => e.getBoundingClientRect()).map(({ left, right, top, bottom }) => [left, right, top, bottom])")
            self.assertGreaterEqual(len(edges), 10)
            for i, (left, right, top, bottom) in enumerate(edges):
                self.assertTrue(left >= 0 and right <= width, edges[i])
                for other in edges[:i]:
                    self.assertTrue(left >= other[1] or right <= other[0] or top >= other[3] or bottom <= other[2], (edges[i], other))

    def test_until_a_track_is_opened_the_player_is_a_line(self):
        self.open()
        self.assertLessEqual(self.zoom("document.querySelector('.player').offsetHeight"), 48)
        self.assertGreaterEqual(self.zoom("document.querySelector('.table').clientHeight"), 600)
        for path, wait in [("/track/1", ".plots .spectrum"), ("/settings", ".settings dd")]:
            self.open(path, wait=wait)
            self.assertLessEqual(self.zoom("document.querySelector('.player').offsetHeight"), 48, path)
        # Seconds of a recording that is shorter than what is shown at first: it must fill the screen, not be cut by it.
        self.open_paused()
        self.assertGreater(self.zoom("document.querySelector('.player').offsetHeight"), 200)
        self.assertLessEqual(self.zoom("deadwax.viewport.zoom * deadwax.viewport.width"), self.zoom("deadwax.player.track.peek().frames") + 1)

    def test_the_player_never_covers_the_track_that_was_tapped(self):
        self.page.set_viewport_size({"width": 390, "height": 600})
        self.open()
        row = self.page.locator(".row", has_text="d <img").locator(".sound")
        self.assertTrue(row.is_visible())
        row.tap()
        self.until("deadwax.player.frame() > 1000")
        self.until("(() => { const row = document.querySelector('.row.playing').getBoundingClientRect(), table = document.querySelector('.table').getBoundingClientRect();"
                   " return row.bottom <= table.bottom + 1 && row.top >= table.top - 1 })()")

    def test_a_phone_on_its_side_shows_rows_and_the_player(self):
        self.page.set_viewport_size({"width": 844, "height": 390})
        self.open()
        self.page.locator(".row .sound").nth(1).tap()
        self.until("deadwax.player.frame() > 1000")
        self.assertGreater(self.zoom("deadwax.library.table.viewHeight"), 90)
        self.page.get_by_role("button", name="Pause").wait_for()
        # Upright again it has everything.
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.get_by_role("slider", name="Position").wait_for()

    def test_no_word_of_the_player_is_cut_off(self):
        self.open_paused()
        for width in (390, 375, 360, 320):
            self.page.set_viewport_size({"width": width, "height": 844})
            for state in ("'off'", "'one'", "'all'"):
                self.page.evaluate(f"(async () => {{ (await import('/core/settings.js')).settings.repeat.value = {state} }})()")
                cut = self.page.eval_on_selector_all(
                    ".player .tool", "all => all.filter(e => { const { left, right } = e.getBoundingClientRect(); return left < 0 || right > innerWidth }).map(e => e.textContent)")
                self.assertEqual(cut, [], f"{width} {state}")
        self.page.get_by_role("button", name="Loop").tap()
        self.page.get_by_role("button", name="Loop: drag over the waveform").wait_for()
        box = self.page.get_by_role("button", name="Loop: drag").bounding_box()
        self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= 320, box)
        self.page.get_by_role("button", name="Loop: drag").tap()
        self.page.get_by_role("button", name="Save a part").tap()
        self.page.wait_for_selector("dialog[open] h2:has-text('Save a part')")
        box = self.page.locator("dialog").bounding_box()
        self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= 320, box)

    def test_a_finger_plays_also_when_it_meets_the_title(self):
        self.open()
        self.page.locator(".row .title a").nth(1).tap()
        self.until("deadwax.player.frame() > 1000")
        self.assertEqual(self.page.locator("main.library").count(), 1)
        # The title in the player leads to the track's own page.
        self.page.locator(".player .now").tap()
        self.page.wait_for_selector(".track-page h1")

    def test_a_finger_sorts_and_keeps_lists(self):
        self.open("/")
        self.page.get_by_role("button", name="More").tap()
        self.page.get_by_role("combobox", name="Sort by").select_option("duration")
        self.until("new URLSearchParams(location.search).get('sort')", "duration+")
        self.page.get_by_role("button", name="Reversed").tap()
        self.until("new URLSearchParams(location.search).get('sort')", "duration-")
        self.until("document.querySelector('.row[data-index=\"0\"] .title').textContent", "b second.wav")
        self.page.get_by_role("button", name="More").tap()
        small = self.page.eval_on_selector_all(".tools:popover-open :is(button, select)", "all => all.filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.textContent)")
        self.assertEqual(small, [])
        self.assertEqual([one["id"] for one in Axe().run(self.page).response["violations"]], [])
        self.page.get_by_role("button", name="Add to list").tap()
        self.page.wait_for_selector("dialog[open] h2:has-text('Add')")

    def test_a_message_covers_neither_rows_nor_the_player(self):
        tell = "async () => (await import('/components/toast.js')).toast('Something was done, and it takes a line or two to say what it was.')"
        bottom = "(selector => document.querySelector(selector).getBoundingClientRect())"
        self.open_paused()
        for path, first in (("/", '.row[data-index="0"]'), ("/?view=albums", ".tile"), ("/settings", ".settings h1")):
            self.page.evaluate(f"deadwax.go('{path}')")
            self.page.wait_for_selector(first)
            self.page.evaluate(tell)
            self.page.wait_for_selector(".toast.shown")
            self.assertGreaterEqual(self.zoom(f"{bottom}('.toast').top - {bottom}('.top').bottom"), 0, path)
            if path != "/settings":
                self.assertLessEqual(self.zoom(f"{bottom}('.toast').bottom - {bottom}('{first}').top"), 0, path)

    def test_every_control_of_the_player_is_as_large_as_a_finger(self):
        self.open_paused()
        small = self.page.eval_on_selector_all(
            ".player :is(button, a, [role=slider])",
            "all => all.filter(e => e.offsetParent && !e.matches('.now')).map(e => [e.ariaLabel ?? e.textContent, e.offsetHeight]).filter(([, height]) => height < 44)")
        self.assertEqual(small, [])


if __name__ == "__main__":
    unittest.main()
