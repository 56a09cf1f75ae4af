"""What one sees: a search as one types, a table, waveforms down to single samples."""

import time
import unittest

from support import RATE, PageTest


class LibraryTests(PageTest):
    def titles(self):
        return self.page.eval_on_selector_all(
            ".row:not([hidden])", "rows => rows.sort((a, b) => a.dataset.index - b.dataset.index).map(row => row.querySelector('.title').textContent)")

    def test_a_search_shows_what_it_finds_while_one_types(self):
        self.open()
        self.page.keyboard.press("/")
        self.page.keyboard.type("second")
        self.until("document.querySelector('.sum').textContent.startsWith('1 track ')")
        self.assertEqual(self.titles(), ["b second.wav"])
        self.page.keyboard.press("Escape")
        self.until("document.querySelector('.sum').textContent.startsWith('4 tracks')")

    def test_keys_work_in_the_table_before_anything_was_touched(self):
        self.open()
        self.assertTrue(self.page.evaluate("document.activeElement === document.body"))
        self.page.keyboard.press("ArrowDown")
        self.until("deadwax.library.table.active", 1)
        self.assertTrue(self.page.evaluate("document.activeElement === deadwax.library.table.element"))
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press("Enter")
        self.until("deadwax.player.track.peek()?.row.filename", "b second.wav")

    def test_an_address_of_nothing_is_a_page_that_says_so_and_leads_on(self):
        for address, sentence in [("/nosuchpage", "There is no page /nosuchpage."), ("/album/999", "There is no such album."), ("/track/999", "There is no such track.")]:
            with self.subTest(address):
                self.open(address, wait=f"h1:has-text('{sentence}')")
                self.assertIn(sentence.split()[-1], self.page.text_content("h1"))
        self.page.locator("main a", has_text="Albums").click()
        self.page.wait_for_selector(".tile")

    def test_an_error_is_told_at_its_place(self):
        self.open()
        self.page.focus("#query")
        self.page.keyboard.type("first durations:3")
        self.until("document.querySelector('#query').getAttribute('aria-invalid')", "true")
        self.assertIn("durations", self.page.text_content("#query-fault"))
        self.assertEqual("".join(self.page.locator(".mirror .wrong").all_text_contents()), "durations:3")

    def test_a_sentence_stands_where_it_stays(self):
        """While the next answer is on its way, and when there is none."""
        self.open("/?q=nothing", wait=".empty .etch")
        before = self.page.locator(".empty .etch").bounding_box()
        held = []
        self.page.route("**/api/v1/tracks?*", lambda route: held.append(route))
        self.page.focus("#query")
        self.page.keyboard.type("s")
        deadline = time.monotonic() + 60
        while not held and time.monotonic() < deadline:
            self.frames(1)
        self.assertTrue(held, "nothing was asked for")
        self.assertEqual(self.page.locator(".empty .etch").bounding_box(), before)
        for route in held:
            route.continue_()
        self.page.unroute("**/api/v1/tracks?*")
        self.page.fill("#query", "durations:3")
        self.until("document.querySelector('#query').getAttribute('aria-invalid')", "true")
        self.assertFalse(self.page.locator(".library .empty").is_visible())
        # What is wrong covers whole words of the tabs, or none.
        fault, views = (self.page.locator(name).bounding_box() for name in ("#query-fault", ".views"))
        self.assertGreaterEqual(fault["x"] + fault["width"], views["x"] + views["width"] - 33)

    def test_fields_are_completed_by_keys(self):
        self.open()
        self.page.focus("#query")
        self.page.keyboard.type("durat")
        self.page.wait_for_selector("#completions [role=option]")
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.assertEqual(self.page.input_value("#query"), "duration:")
        self.page.keyboard.type(">5")
        self.until("document.querySelector('.sum').textContent.startsWith('1 track ')")

    def test_a_heading_sorts(self):
        self.open()
        self.page.get_by_role("button", name="Length").click()
        self.until("document.querySelector('[aria-sort]').getAttribute('aria-sort')", "ascending")
        self.until("document.querySelector('.row[data-index=\"3\"] .title').textContent", "b second.wav")
        self.page.get_by_role("button", name="Length").click()
        self.until("document.querySelector('.row[data-index=\"0\"] .title').textContent", "b second.wav")

    # Faults: 44, 131
    def test_a_name_with_markup_stays_a_name(self):
        self.open()
        self.until("[...document.querySelectorAll('.row .title')].map(title => title.textContent).includes('d <img src=x onerror=document.title=1>.wav')")
        self.play(row=3)
        self.assertEqual(self.page.locator("img[src=x]").count(), 0)
        self.assertNotEqual(self.page.title(), "1")
        self.page.keyboard.press("Alt+Enter")
        self.page.wait_for_selector(".track-page h1")
        self.assertEqual(self.page.locator("img[src=x]").count(), 0)

    # Faults: 131
    def test_a_query_with_markup_stays_a_query(self):
        self.open("/?q=%3Cimg%20src%3Dx%3E", wait=".empty .etch")
        self.assertEqual(self.page.locator("img[src=x]").count(), 0)

    def test_the_player_is_a_line_until_a_track_is_opened(self):
        self.open()
        self.assertLessEqual(self.page.locator(".player").bounding_box()["height"], 48)
        self.page.get_by_text("Nothing is playing.").wait_for()
        before = self.page.locator(".row[data-index='0']").bounding_box()
        self.play()
        self.assertGreater(self.page.locator(".player").bounding_box()["height"], 280)
        self.assertEqual(self.page.locator(".row[data-index='0']").bounding_box(), before)

    def test_the_table_is_where_one_left_it_when_one_comes_back(self):
        self.page.set_viewport_size({"width": 1280, "height": 560})
        self.open()
        self.play(row=3, pauses=True)
        self.until("deadwax.library.table.viewHeight < 80")
        self.page.evaluate("deadwax.library.table.moveTo(50)")
        for _ in range(2):
            self.page.evaluate("deadwax.go('/settings')")
            self.page.wait_for_selector(".settings dd")
            self.page.go_back()
            self.page.wait_for_selector("main.library")
            places = "[deadwax.library.table.top, deadwax.library.table.element.scrollTop, deadwax.library.table.active]"
            self.until(places, [50, 50, 3])
            # And it stays there.
            self.frames(6)
            self.assertEqual(self.page.evaluate(places), [50, 50, 3])

    def test_the_table_is_where_one_left_it_when_nothing_was_drawn_meanwhile(self):
        self.page.set_viewport_size({"width": 1280, "height": 560})
        self.open()
        self.play(row=3, pauses=True)
        self.until("deadwax.library.table.viewHeight < 80")
        self.page.evaluate("deadwax.library.table.moveTo(50)")
        self.until("deadwax.library.table.element.scrollTop", 50)
        self.page.evaluate("""
            const { element } = deadwax.library.table;
            const library = element.closest('main');
            const { parentNode, nextSibling } = library;
            library.remove();
            // The browser tells of having scrolled only now.
            element.dispatchEvent(new Event('scroll'));
            parentNode.insertBefore(library, nextSibling);
            deadwax.library.show();
        """)
        self.frames(6)
        self.assertEqual(self.page.evaluate("[deadwax.library.table.top, deadwax.library.table.element.scrollTop]"), [50, 50])

    def test_the_waveform_of_a_row_is_whole_when_one_comes_back(self):
        self.open()
        self.play(row=1, pauses=True)
        self.until("deadwax.player.playing.peek()", False)
        self.page.evaluate("deadwax.go('/settings')")
        self.page.wait_for_selector(".settings dd")
        # While something plays the table is drawn twice a second, whether it is seen or not.
        self.page.evaluate("deadwax.player.seek(3 * 44_100)")
        self.until("deadwax.player.frame()", 3 * RATE)
        self.page.evaluate("new Promise(done => { deadwax.library.table.draw(); requestAnimationFrame(() => requestAnimationFrame(done)); })")
        self.page.go_back()
        self.page.wait_for_selector(".row.playing")
        self.until("(() => { const canvas = document.querySelector('.row.playing canvas'); return canvas && [canvas.width, canvas.height].join() })()", "216,28")

    def test_what_is_drawn_again_and_again_asks_the_browser_for_no_size_and_no_memory(self):
        self.open()
        self.play(row=1, pauses=True)
        self.see_waveform()
        self.until("deadwax.player.playing.peek()", False)
        # Sizes are told by the browser once.
        self.frames(6)
        asked = self.page.evaluate("""() => {
          const asked = {};
          const count = (object, name) => {
            const known = Object.getOwnPropertyDescriptor(object, name), kind = known.get ? 'get' : 'value';
            Object.defineProperty(object, name, { ...known, [kind]: function (...words) { asked[name] = (asked[name] ?? 0) + 1; return known[kind].apply(this, words); } });
          };
          for (const name of ['clientWidth', 'clientHeight', 'getBoundingClientRect']) count(Element.prototype, name);
          for (const name of ['offsetWidth', 'offsetHeight']) count(HTMLElement.prototype, name);
          count(globalThis, 'getComputedStyle');
          count(Number.prototype, 'toLocaleString');
          count(CanvasRenderingContext2D.prototype, 'createImageData');
          const { zoom, viewport, library: { table } } = deadwax;
          for (let i = 1; i <= 10; i += 1) {
            table.top = i;
            table.over = i % 3;
            table.render();
            zoom.zoomTo(viewport.zoom * 0.9, 100);
            zoom.render();
          }
          return asked;
        }""")
        self.assertEqual(asked, {})

    def test_the_brackets_stay_between_the_ends_of_the_track(self):
        self.open()
        self.play(row=1, pauses=True)
        self.see_waveform()
        bar = self.page.locator(".seekbar > canvas").bounding_box()
        for frame in ("0", "deadwax.zoom.waveform.frames / 2", "deadwax.zoom.waveform.frames"):
            self.page.evaluate(f"(() => {{ const {{ zoom, viewport }} = deadwax; zoom.zoomTo(viewport.farthest / 3, 0); viewport.centre({frame}); zoom.draw(); deadwax.player.sought.value += 1; }})()")
            self.frames()
            box = self.page.locator(".brackets").bounding_box()
            self.assertGreaterEqual(box["x"], bar["x"] - 0.5, frame)
            self.assertLessEqual(box["x"] + box["width"], bar["x"] + bar["width"] + 0.5, frame)

    def test_the_waveform_zooms_from_the_whole_to_single_samples_about_the_pointer(self):
        self.open()
        self.play(pauses=True)
        self.see_waveform()
        self.page.keyboard.press("0")
        self.until("Math.abs(deadwax.viewport.zoom * deadwax.viewport.width - deadwax.player.track.peek().frames) < 2")
        box = self.page.locator(".zoomed").bounding_box()
        x = 900
        self.page.evaluate("document.querySelector('[aria-pressed=true].tool')?.click()")
        before = self.page.evaluate(f"deadwax.viewport.start + {x} * deadwax.viewport.zoom")
        self.page.mouse.move(box["x"] + x, box["y"] + 60)
        for _ in range(40):
            self.page.mouse.wheel(0, -240)
        self.until("deadwax.viewport.zoom", 1 / 16)
        after = self.page.evaluate(f"deadwax.viewport.start + {x} * deadwax.viewport.zoom")
        self.assertAlmostEqual(before, after, delta=1)
        self.until(f"deadwax.zoom.waveform.sample({int(after)}) !== null")
        frame = int(after)
        left, right = self.library.frames["a first"][2 * frame:2 * frame + 2]
        self.assertAlmostEqual(self.page.evaluate(f"deadwax.zoom.waveform.sample({frame})"), (left + right) / 2, delta=2 / 32768)

    def test_a_click_in_the_waveform_seeks_to_its_frame(self):
        self.open()
        self.play(pauses=True)
        self.see_waveform()
        self.page.keyboard.press("0")
        self.until("Math.abs(deadwax.viewport.zoom * deadwax.viewport.width - deadwax.player.track.peek().frames) < 2")
        box = self.page.locator(".zoomed").bounding_box()
        self.page.mouse.click(box["x"] + 640, box["y"] + 60)
        self.until(f"Math.abs(deadwax.player.frame() - {640 / 1280 * 4.0 * RATE}) < 2")


class StillTests(PageTest):
    media = {"reduced_motion": "reduce"}

    def test_with_reduced_motion_the_waveform_stands_while_the_playhead_moves(self):
        self.open()
        self.play(row=1)
        self.see_waveform()
        self.until("deadwax.player.frame() > 2000")
        starts, end = set(), self.page.evaluate("deadwax.player.frame()") + RATE // 3
        while self.page.evaluate("deadwax.player.frame()") < end:
            starts.add(self.page.evaluate("deadwax.viewport.start"))
            self.frames(1)
        self.assertEqual(len(starts), 1)
        self.assertEqual(self.page.evaluate("getComputedStyle(document.querySelector('.toast')).transitionDuration"), "0s")


if __name__ == "__main__":
    unittest.main()
