"""The queue: edited by mouse, keys and fingers, kept over reloading, and the same in two browsers."""

from axe_playwright_python.sync_playwright import Axe

from support import HANDLES, RATE, PageTest

NAMES = "deadwax.player.queue.entries.map(({ row }) => row.filename[0]).join('')"
SHOWN = "[...document.querySelectorAll('.queue .entry')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map(row => row.querySelector('.title').textContent[0]).join('')"


class QueueTests(PageTest):
    def open_queue(self, row=0):
        """Plays a row, pauses, and opens the queue of all four."""
        self.open()
        self.play(row, pauses=True)
        self.until(NAMES, "abcd")
        self.page.keyboard.press("u")
        self.page.wait_for_selector(".queue .entry")

    def until_in(self, page, names):
        """Waits until another page has these entries."""
        mine, self.page = self.page, page
        self.until(NAMES, names)
        self.page = mine

    def stored(self):
        """The first letters of what the server has."""
        return "".join(row["filename"][0] for row in self.library.ask("/queue")["rows"])

    def until_stored(self, names):
        self.until("(async () => (await (await fetch('/api/v1/queue')).json()).rows.map(({ filename }) => filename[0]).join(''))()", names)

    def test_keys_move_remove_and_take_back(self):
        self.open_queue()
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Alt+ArrowDown")
        self.until(SHOWN, "acbd")
        self.until_stored("acbd")
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("Delete")
        self.until(SHOWN, "abd")
        self.until("deadwax.player.following.peek()?.filename", "b second.wav")
        self.page.keyboard.press("Control+z")
        self.until(SHOWN, "acbd")
        self.page.keyboard.press("Control+z")
        self.until(SHOWN, "abcd")
        self.until_stored("abcd")
        # What plays is not removed.
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Delete")
        self.assertEqual(self.page.evaluate(NAMES), "abcd")
        self.page.keyboard.press("Escape")
        self.until("document.querySelector('.drawer')", None)

    def test_a_row_is_dragged_by_the_mouse(self):
        self.open_queue()
        grip = self.page.locator(".queue .entry", has_text="d <img").locator(".grip").bounding_box()
        goal = self.page.locator(".queue .entry", has_text="b second").bounding_box()
        self.page.mouse.move(grip["x"] + 8, grip["y"] + 20)
        self.page.mouse.down()
        self.page.mouse.move(grip["x"] + 8, goal["y"] + 8, steps=5)
        self.page.wait_for_selector(".queue .drop", state="visible")
        self.page.mouse.up()
        self.until(SHOWN, "adbc")
        self.until_stored("adbc")
        self.until("deadwax.player.following.peek()?.filename[0]", "d")

    def test_reloading_forgets_nothing(self):
        self.open()
        self.play(1, pauses=True)
        self.until(NAMES, "abcd")
        self.page.evaluate(f"deadwax.player.seek({3 * RATE + 17})")
        self.page.reload()
        self.until("deadwax.player.track.peek()?.row.filename", "b second.wav")
        self.until("deadwax.player.frame()", 3 * RATE + 17)
        self.assertEqual(self.page.evaluate(f"[deadwax.player.playing.peek(), {NAMES}]"), [False, "abcd"])
        self.until("document.querySelector('.player .way')?.textContent", "Stopped here, with 2 in the queue")
        # It goes on from that very frame.
        self.page.evaluate("globalThis.taken = deadwax.player.engine.capture(3000); deadwax.player.toggle()")
        (_, first, left, right), *_ = self.taken()
        self.assertEqual(first, 3 * RATE + 17)
        wanted = self.library.frames["b second"][2 * first:]
        heard = [value for pair in zip(left, right) for value in pair][:4000]
        self.assertEqual(heard, wanted[:len(heard)])

    def test_a_browser_that_knows_nothing_goes_on_where_another_one_was(self):
        self.open()
        self.play(2, pauses=True)
        self.until(NAMES, "abcd")
        self.until_stored("abcd")
        self.until("(async () => (await (await fetch('/api/v1/queue')).json()).position_ms > 0)()")
        place = self.page.evaluate("deadwax.player.frame()") / RATE
        self.page.evaluate("localStorage.removeItem('deadwax.place')")
        self.page.evaluate("localStorage.removeItem('deadwax.queue')")
        self.page.reload()
        self.until("deadwax.player.track.peek()?.row.filename", "c third.wav")
        self.until(f"Math.abs(deadwax.player.frame() / {RATE} - {place}) < 0.01")

    def test_two_browsers_and_another_client_come_to_the_same_queue(self):
        self.open_queue()
        other = self.context.new_page()
        self.addCleanup(other.close)
        # Pages of one context share what the browser keeps, and have edits of their own.
        other.add_init_script(path=HANDLES)
        other.goto(self.library.address + "/")
        self.until_in(other, "abcd")
        keys = {row["filename"][0]: row["entry"] for row in self.library.ask("/queue")["rows"]}
        self.page.evaluate(f"deadwax.player.queue.edit([{{ move: [{keys['d']}], after: {keys['a']} }}])")
        other.evaluate(f"deadwax.player.queue.edit([{{ remove: [{keys['c']}] }}])")
        self.library.edit_queue({"move": [keys["b"]], "after": None})
        for page in (self.page, other):
            self.until_in(page, "bad")
        self.assertEqual(self.stored(), "bad")
        # What the first one plays goes on.
        self.assertEqual(self.playing(), "a first")

    def test_the_drawer_has_no_barrier(self):
        self.open_queue(1)
        for theme in ("dark", "light"):
            self.page.emulate_media(color_scheme=theme)
            self.frames()
            problems = Axe().run(self.page).response["violations"]
            self.assertEqual([(one["id"], one["nodes"][0]["html"]) for one in problems], [])


class TouchedQueueTests(PageTest):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def touch(self, kind, *points):
        self.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})

    def test_a_finger_moves_by_the_grip_and_pulls_aside_to_remove(self):
        self.devtools = self.context.new_cdp_session(self.page)
        self.open()
        self.play(pauses=True)
        self.until(NAMES, "abcd")
        self.page.locator(".queue-word").tap()
        grip = self.page.locator(".queue .entry", has_text="b second").locator(".grip").bounding_box()
        self.assertGreaterEqual(min(grip["width"], grip["height"]), 44)
        x, y = grip["x"] + 22, grip["y"] + 30
        self.touch("touchStart", (x, y))
        for step in range(1, 8):
            self.touch("touchMove", (x, y + 12 * step))
            self.frames(2)
        self.touch("touchEnd")
        self.until(SHOWN, "acbd")
        row = self.page.locator(".queue .entry", has_text="c third").bounding_box()
        x, y = row["x"] + 200, row["y"] + 30
        self.touch("touchStart", (x, y))
        for step in range(1, 6):
            self.touch("touchMove", (x - 20 * step, y))
            self.frames(2)
        self.touch("touchEnd")
        # What was pulled and let go at once can be the first half of a double tap for the browser, which then gives no click.
        for _ in range(5):
            self.frames(30)
            self.page.locator(".queue .pulled").get_by_role("button", name="Remove").tap()
            self.frames(10)
            if self.page.evaluate(SHOWN) == "abd":
                break
        self.until(SHOWN, "abd")
        self.page.get_by_role("button", name="Undo").tap()
        self.until(SHOWN, "acbd")
