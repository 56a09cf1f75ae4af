"""The panel of tags: what is edited in the library, and what is written into files."""

import json
import pathlib
import time
import unittest
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from support import RATE, Library, PageTest, samples

SOUNDS = {name: (RATE, samples(name, 1)) for name in ["a one", "b two", "c three"]}


class TagsTest(PageTest):
    def count(self, query):
        """How many files the server finds."""
        address = f"{self.library.address}/api/v1/tracks/count?{urllib.parse.urlencode({'q': query})}"
        with urllib.request.urlopen(address) as answer:
            return json.load(answer)["files"]

    def file_bytes(self):
        folder = pathlib.Path(self.library.folder.name) / "music"
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def open_tags(self, key="Shift+T", title="Tags of 3 files"):
        self.page.keyboard.press(key)
        self.page.get_by_role("heading", name=title).wait_for()

    def field(self, name):
        return self.page.locator(".tags-panel .field").filter(has=self.page.get_by_text(name, exact=True)).locator("input, textarea")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def assert_no_violations(self):
        found = Axe().run(self.page).response["violations"]
        self.assertEqual([(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found], [])


class LibraryTests(TagsTest):
    def setUp(self):
        self.own_library(SOUNDS)
        super().setUp()

    def test_all_that_is_shown_is_edited_by_keys_and_taken_back(self):
        self.open("/?q=-album%3Atides")
        self.open_tags()
        self.assert_no_violations()
        self.field("Album").fill("Tides")
        self.page.keyboard.press("Tab")
        self.field("Genre").press_sequentially("Jazz")
        self.page.keyboard.press("Enter")
        self.page.keyboard.type("Soul")
        self.page.get_by_text("Changes 3 files of 3").wait_for()
        self.assertEqual(self.page.locator(".tags-panel .count", has_text="adds 3").count(), 2)
        self.assertEqual(self.count("album:=Tides"), 0)
        self.page.keyboard.press("Control+Enter")
        self.page.get_by_text("Corrected: 3 files. No file was written.").wait_for()
        self.assertEqual(self.count("album:=Tides genre:=Jazz genre:=Soul"), 3)
        self.page.get_by_text("Corrected in 3 files. Files say: nothing").first.wait_for()
        self.assert_no_violations()
        self.page.locator(".toast").get_by_role("button", name="Undo").click()
        self.page.get_by_text("Undone: ").wait_for()
        self.assertEqual(self.count("album:=Tides"), 0)
        self.page.focus(".tags-panel .field textarea")
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector(".tags-drawer", state="hidden")

    def test_one_track_is_edited_and_a_correction_is_taken_back(self):
        self.open()
        self.page.focus(".table")
        self.page.keyboard.press("ArrowDown")
        self.open_tags("t", "Tags of 1 file")
        self.field("Title").fill("Ebb")
        self.button("Save").click()
        self.page.get_by_text("Corrected in 1 file. The file says: nothing").wait_for()
        self.assertEqual(self.count("title:=Ebb"), 1)
        self.button("Take the correction back").click()
        self.button("Save").click()
        self.until("document.querySelectorAll('.tags-panel .standing').length", 0)
        self.assertEqual(self.count("title:=Ebb"), 0)

    def test_what_is_wrong_is_said_before_it_is_saved(self):
        self.open()
        self.open_tags()
        self.field("Track").fill("first")
        self.page.get_by_text("track must be a whole number").wait_for()
        self.button("Save").click()
        self.page.get_by_text("track must be a whole number").wait_for()
        self.assertEqual(self.count("is:corrected"), 0)

    def test_nothing_is_lost_without_a_question(self):
        self.open()
        self.open_tags()
        self.field("Album").fill("Tides")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("heading", name="1 changed field is not saved.").wait_for()
        self.button("Go on editing").click()
        self.assertEqual(self.field("Album").input_value(), "Tides")
        self.field("Album").focus()
        self.page.keyboard.press("Escape")
        self.button("Drop them").click()
        self.page.wait_for_selector(".tags-drawer", state="hidden")

    def test_without_the_option_it_says_which_one_lets_files_be_written(self):
        self.open()
        self.open_tags()
        self.field("Album").fill("Tides")
        self.button("Into the 3 files").click()
        self.page.get_by_text("deadwax serve --may-write-music").wait_for()
        self.assertTrue(self.button("Save and preview").is_disabled())


class FilesTests(TagsTest):
    def setUp(self):
        self.own_library(SOUNDS, ["--may-write-music"])
        super().setUp()

    def test_files_are_shown_proven_written_and_as_before(self):
        start = self.file_bytes()
        # What no longer finds them once they are corrected.
        self.open("/?q=-album%3Atides")
        self.open_tags()
        self.field("Album").fill("Tides")
        self.button("Into the 3 files").click()
        self.button("Save and preview").click()
        self.button("Write 3 files").wait_for()
        self.assert_no_violations()
        self.assertEqual(self.file_bytes(), start)
        self.page.get_by_text("Tried on a copy of a one.wav").wait_for()
        first, sign, second = self.page.locator(".tags-panel .hashes span").all_inner_texts()
        self.assertEqual((first, sign), (second, "="))
        self.page.get_by_text("Sound unchanged").wait_for()
        self.assertEqual(self.page.locator(".tags-panel .files li").count(), 3)
        self.button("Write 3 files").click()
        self.page.get_by_role("heading", name="3 files written").wait_for()
        self.assertEqual(self.page.locator(".tags-panel .files .matrix").count(), 3)
        written = self.file_bytes()
        self.assertEqual(written.keys(), start.keys())
        for name, content in written.items():
            self.assertNotEqual(content, start[name])
            self.assertIn(b"Tides", content)
        self.page.locator(".tags-panel").get_by_role("button", name="Undo").click()
        self.page.get_by_role("heading", name="Undone").wait_for()
        self.until("document.querySelector('.tags-panel .words').textContent", "3 files are as before")
        self.assertEqual(self.file_bytes(), start)
        self.page.locator(".toast").get_by_role("button", name="Undo").click()
        self.page.get_by_text("Undone: ").wait_for()
        self.assertEqual(self.count("is:corrected"), 0)

    def test_a_file_that_changed_meanwhile_stops_the_plan(self):
        self.open()
        self.open_tags()
        self.field("Album").fill("Tides")
        self.button("Into the 3 files").click()
        self.button("Save and preview").click()
        self.button("Write 3 files").wait_for()
        path = pathlib.Path(self.library.folder.name) / "music" / "b two.wav"
        path.write_bytes(path.read_bytes() + b"LIST\4\0\0\0INFO")
        start = self.file_bytes()
        self.button("Write 3 files").click()
        self.page.get_by_text("b two.wav has changed since the preview").wait_for()
        self.assertEqual(self.file_bytes(), start)
        self.button("Preview again").click()
        self.button("Write 2 files").wait_for()
        self.page.get_by_text("Stays as it is").wait_for()


class KilledServerTests(unittest.TestCase):
    """A server that is killed while it writes leaves whole files, and the next one knows what became of them."""

    def ask(self, library, method, path, body=None):
        request = urllib.request.Request(
            f"{library.address}/api/v1{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {library.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def ended(self, library, plan, running=("planning",)):
        while (found := self.ask(library, "GET", f"/plans/{plan}?limit=1"))["state"] in running:
            time.sleep(0.01)
        return found

    def test_each_file_is_the_old_or_the_new_one_and_all_come_back(self):
        rate = 8_000
        library = Library({f"{number:03}": (rate, samples(str(number), 0.02)) for number in range(150)}, {}, options=["--may-write-music"])
        self.addCleanup(library.close)
        folder = pathlib.Path(library.folder.name) / "music"
        content = lambda: {path.name: path.read_bytes() for path in folder.iterdir()}
        start = content()
        self.ask(library, "POST", "/tags", {"q": "", "set": {"album": ["Tides"]}})
        # At once, and after the first files have been written.
        for least in (0, 1):
            plan = self.ask(library, "POST", "/plans", {"q": "", "write": "corrections"})["id"]
            self.assertEqual(self.ended(library, plan)["state"], "ready")
            self.ask(library, "POST", f"/plans/{plan}/write", {})
            while (now := self.ask(library, "GET", f"/plans/{plan}?limit=1"))["written"] < least and now["state"] == "writing":
                time.sleep(0.005)
            library.server.kill()
            library.server.wait()
            library.serve()
            self.assertEqual([name for name in content() if not name.endswith(".wav")], [])
            for name, written in content().items():
                self.assertTrue(written == start[name] or b"Tides" in written and len(written) > len(start[name]), name)
            self.assertEqual(content().keys(), start.keys())
        plan = self.ask(library, "POST", "/plans", {"q": "", "write": "corrections"})["id"]
        self.assertEqual(self.ended(library, plan)["refused"], 0)
        for change in self.ask(library, "GET", "/file-changes")["changes"]:
            if change["files_undoable"]:
                undo = self.ask(library, "POST", f"/file-changes/{change['id']}/undo", {})["id"]
                self.assertEqual(self.ended(library, undo, ("undoing",))["refused"], 0)
        self.assertEqual(content(), start)


class PhoneTests(TagsTest):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def setUp(self):
        self.own_library(SOUNDS)
        super().setUp()

    def test_it_is_a_page_of_its_own(self):
        self.open()
        self.page.get_by_role("button", name="More").tap()
        self.page.get_by_role("link", name="Edit tags").tap()
        self.page.get_by_role("heading", name="Tags of 3 files").wait_for()
        self.assertIn("/tags", self.page.url)
        self.assert_no_violations()
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)
        self.field("Album").fill("Tides")
        save = self.button("Save")
        self.assertGreaterEqual(save.bounding_box()["height"], 48)
        save.tap()
        self.page.get_by_text("Corrected: 3 files").wait_for()
        self.assertEqual(self.count("album:=Tides"), 3)
        self.page.get_by_role("button", name="Close").tap()
        self.page.wait_for_selector(".row .title a")
        self.assertNotIn("/tags", self.page.url)


if __name__ == "__main__":
    unittest.main()
