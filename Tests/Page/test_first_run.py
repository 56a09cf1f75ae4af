"""Somebody begins: from no library to music that plays, by the page alone."""

import atexit
import pathlib
import struct
import tempfile
import unittest
import wave

from axe_playwright_python.sync_playwright import Axe

from support import Library, PageTest, browser, samples

RATE = 8000
# Folders below the one that the page may show, and a sound in each.
SOUNDS = {"Music/one": 3.0, "Music/Jazz/two": 2.0, "Music/Podcasts/three": 2.0}


class NoLibrary(Library):
    """A server that has made an empty library, and folders with sounds that it may show."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="deadwax-page-")
        atexit.register(self.close)
        root = pathlib.Path(self.folder.name)
        self.places = root / "places"
        for name, seconds in SOUNDS.items():
            path = self.places / f"{name}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            values = samples(name, seconds * RATE / 44_100)
            with wave.open(str(path), "wb") as file:
                file.setparams((2, 2, RATE, 0, "NONE", ""))
                file.writeframes(struct.pack(f"<{len(values)}h", *values))
        (self.places / ".hidden").mkdir()
        (self.places / "elsewhere").symlink_to("/")
        self.path = str(root / "library.sqlite")
        self.options = ["--create", "--browse", str(self.places)]
        self.serve()


class FirstRun(PageTest):
    def setUp(self):
        self.library = NoLibrary()
        self.addCleanup(self.library.close)
        super().setUp()

    def begin(self):
        self.page.goto(self.library.address)
        self.page.wait_for_selector(".chooser-list li")

    def names(self):
        return self.page.locator(".chooser-list .chooser-open").all_text_contents()

    def add_music(self):
        """Chooses the folder with music, and waits until it was read."""
        self.begin()
        self.page.get_by_role("button", name=str(self.library.places), exact=True).click()
        self.page.get_by_role("button", name="Add: Music").click()
        self.page.get_by_role("heading", name="Your music is here").wait_for()


class FirstRunTests(FirstRun):
    def test_by_keys_alone_from_no_library_to_a_track_that_plays(self):
        self.begin()
        self.assertTrue(self.page.url.endswith("/start"))
        self.assertEqual(self.names(), [str(self.library.places)])
        self.until("document.activeElement?.getAttribute('aria-label')", "Folder")
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("ArrowRight")
        # Neither what is hidden nor what a link leads to.
        self.page.get_by_role("button", name="← All places").wait_for()
        self.assertEqual(self.names(), ["← All places", "Music"])
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.page.get_by_role("button", name="Podcasts", exact=True).wait_for()
        self.page.keyboard.press("ArrowUp")
        self.assertEqual(self.page.input_value(".chooser input"), f"{self.library.places}/Music/")
        self.page.keyboard.press("Enter")
        self.page.get_by_role("heading", name="Your music is here").wait_for()
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press("Enter")
        self.until("deadwax.player.frame() > 1000")
        self.assertEqual(self.library.ask("/status")["files"], 3)

    def test_a_file_that_is_cut_off_is_counted_and_its_reason_is_one_click_away(self):
        whole = (self.library.places / "Music/one.wav").read_bytes()
        (self.library.places / "Music/cut.wav").write_bytes(whole[:len(whole) // 2])
        self.add_music()
        self.page.get_by_role("link", name="1 with problems").click()
        self.page.get_by_text("cut.wav").first.wait_for()

    def test_what_is_typed_completes(self):
        self.begin()
        self.page.keyboard.type(f"{self.library.places}/mu")
        self.page.get_by_role("button", name="Music", exact=True).wait_for()
        self.page.keyboard.type("x")
        self.page.get_by_text("No folder in it begins with “mux”.").wait_for()
        self.page.fill(".chooser input", "/etc/")
        self.page.get_by_text("there is no such folder").wait_for()
        self.assertTrue(self.page.get_by_role("button", name="Add", exact=True).is_disabled())

    def test_a_folder_is_left_out_scanned_again_removed_and_taken_back(self):
        self.add_music()
        self.page.get_by_role("button", name="Music", exact=True).click()
        self.page.get_by_role("button", name="Leave out: Podcasts").click()
        self.page.get_by_role("button", name="Scan again: Podcasts").wait_for()
        self.assertEqual(self.library.ask("/status")["files"], 2)
        self.page.goto(self.library.address + "/settings")
        self.page.get_by_role("button", name=f"Scan again: {self.library.places}/Music/Podcasts").click()
        self.page.locator(".root-list li").get_by_text("3 files").wait_for()
        self.page.get_by_role("button", name=f"Remove: {self.library.places}/Music").click()
        self.page.locator(".toast button").click()
        self.page.locator(".root-list li").get_by_text("3 files").wait_for()
        self.assertEqual(self.library.ask("/status")["files"], 3)

    def test_without_the_token_nobody_is_shown_a_folder(self):
        context = browser(*self.arguments).new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.library.address)
        page.get_by_role("heading", name="Only the owner chooses folders.").wait_for()
        self.assertEqual([url for url in asked if "/browse" in url or "/roots" in url], [])

    def test_axe_finds_nothing_before_and_after(self):
        self.begin()
        self.assertEqual(Axe().run(self.page).response["violations"], [])
        self.add_music()
        self.assertEqual(Axe().run(self.page).response["violations"], [])


class PhoneTests(FirstRun):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

    def test_by_touch_alone_everything_is_wide_enough_for_a_finger(self):
        self.begin()
        self.page.get_by_role("button", name=str(self.library.places), exact=True).tap()
        self.page.get_by_role("button", name="Add: Music").wait_for()
        sizes = self.page.locator(".chooser button").evaluate_all(
            "all => all.map(one => { const { width, height } = one.getBoundingClientRect(); return [width, height] })")
        self.assertEqual([size for size in sizes if min(size) < 44], [])
        self.page.get_by_role("button", name="Add: Music").tap()
        self.page.get_by_role("button", name="Play all").tap()
        self.until("deadwax.player.frame() > 1000")
        self.assertEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
