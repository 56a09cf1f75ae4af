"""Many rows at once: selected by keys, by the mouse and by a finger, and what is done with them; lists as rules; playlists that are dropped."""

import pathlib
import unittest
import urllib.parse

from axe_playwright_python.sync_playwright import Axe

from support import PageTest

SELECTED = "document.querySelectorAll('.row.selected:not([hidden])').length"


class SelectionTests(PageTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.forget)

    def forget(self):
        for one in self.library.ask("/lists")["lists"]:
            self.library.ask(f"/lists/{one['id']}", "DELETE")
        self.library.ask("/attributes", "POST", {"q": "", "name": "rating", "value": None})

    def found(self, query):
        return [row["filename"].removesuffix(".wav")[0] for row in self.library.ask("/tracks?sort=filename%2B&q=" + urllib.parse.quote(query))["rows"]]

    def select_by_keys(self):
        """The second row and the two below it."""
        self.open()
        self.page.focus(".table")
        for keys in ["ArrowDown", "Control+ ", "Shift+ArrowDown", "Shift+ArrowDown"]:
            self.page.keyboard.press(keys)
        self.page.get_by_text("3 of 4 selected").wait_for()
        self.assertEqual(self.page.evaluate(SELECTED), 3)

    def test_keys_select_and_rate_and_one_undo_takes_it_back(self):
        self.select_by_keys()
        self.page.keyboard.press("4")
        self.page.wait_for_selector(".toast.shown:has-text('4 of 5 for 3 tracks.')")
        self.assertEqual(self.found("rating:80"), ["b", "c", "d"])
        # The rows have come again, and are still those that are selected.
        self.page.wait_for_timeout(1200)
        self.assertEqual(self.page.evaluate(SELECTED), 3)
        self.page.get_by_role("button", name="Undo").click()
        self.page.wait_for_selector(".toast.shown:has-text('Undone')")
        self.assertEqual(self.found("rating:0..100"), [])
        self.page.focus(".table")
        self.page.keyboard.press("Escape")
        self.page.locator(".selection").wait_for(state="detached")

    def test_the_menu_of_ratings_works_by_keys(self):
        self.select_by_keys()
        self.page.get_by_role("button", name="Rate").focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".toast.shown:has-text('4 of 5 for 3 tracks.')")
        self.assertEqual(self.found("rating:80"), ["b", "c", "d"])

    def test_attributes_and_presets_go_to_all_that_are_selected(self):
        self.select_by_keys()
        self.page.get_by_role("button", name="Attribute").click()
        self.page.locator("dialog").wait_for()
        self.page.keyboard.type("Mood")
        self.page.keyboard.press("Tab")
        self.page.keyboard.type("calm")
        self.assertEqual([violation["id"] for violation in Axe().run(self.page).response["violations"]], [])
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".toast.shown:has-text('mood:calm for 3 tracks.')")
        self.assertEqual(self.found("mood:calm"), ["b", "c", "d"])
        self.page.get_by_role("button", name="Preset").click()
        self.page.locator("dialog select").select_option("Bass")
        self.page.locator("dialog .main").click()
        self.page.wait_for_selector(".toast.shown:has-text('“Bass” for 3 tracks.')")
        self.assertEqual(self.found("preset:Bass"), ["b", "c", "d"])
        for _ in range(2):
            self.library.ask("/undo", "POST", {})
        self.assertEqual(self.found("preset:Bass"), [])

    def test_what_is_exported_is_imported_when_it_is_dropped_anywhere(self):
        self.select_by_keys()
        self.page.get_by_role("button", name="Export").click()
        self.page.keyboard.type("Three")
        with self.page.expect_download() as saved:
            self.page.keyboard.press("Enter")
        text = pathlib.Path(saved.value.path()).read_text()
        self.assertEqual(saved.value.suggested_filename, "Three.m3u8")
        self.assertEqual([line.rsplit("/", 1)[-1][0] for line in text.splitlines() if line.startswith("/")], ["b", "c", "d"])
        self.page.goto(self.library.address + "/settings")
        self.page.wait_for_selector(".settings")
        self.page.evaluate("""text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text + 'gone.mp3\\n'], 'Other.m3u8'));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }""", text)
        self.page.get_by_text("1 entry not found").wait_for()
        self.assertEqual(self.page.locator("dialog li").all_inner_texts(), ["gone.mp3"])
        self.page.keyboard.press("Enter")
        self.page.get_by_role("heading", name="Three").wait_for()
        self.assertEqual(self.found('list:="Three"'), ["b", "c", "d"])

    def test_tags_of_just_these_rows_are_edited(self):
        self.select_by_keys()
        self.page.locator(".selection").get_by_role("link", name="Edit tags").click()
        self.page.get_by_role("heading", name="Tags of 3 files").wait_for()


class TouchedSelectionTests(PageTest):
    media = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}

    def test_fingers_select_and_everything_that_can_be_done_is_reached(self):
        self.open()
        self.page.get_by_role("button", name="More").tap()
        self.page.get_by_role("button", name="Select", exact=True).tap()
        self.page.get_by_text("1 of 4 selected").wait_for()
        self.page.locator(".row .title").nth(2).tap()
        self.page.get_by_text("2 of 4 selected").wait_for()
        self.assertIsNone(self.page.evaluate("deadwax.player.track.peek()"), "a finger selects now, and plays nothing")
        bar = self.page.locator(".selection")
        for name in ["Play next", "Queue", "Add to list", "Rate", "Attribute", "Preset", "Export"]:
            word = bar.get_by_role("button", name=name, exact=True)
            word.scroll_into_view_if_needed()
            self.assertGreaterEqual(word.bounding_box()["height"], 44, name)
        bar.get_by_role("button", name="None").tap()
        bar.wait_for(state="detached")


class RuleTests(PageTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(SelectionTests.forget, self)

    def test_rules_and_their_query_are_one_and_are_kept_as_a_list(self):
        self.page.goto(self.library.address + "/rules")
        self.page.locator(".rules .sentence input").wait_for()
        query = self.page.get_by_label("The same as a query")
        self.page.get_by_label("Field").select_option("duration")
        self.page.get_by_label("Verb").select_option("least")
        self.page.get_by_label("Value of length").fill("5")
        self.assertEqual(query.input_value(), "duration:>=5")
        self.page.locator(".rules-sum:has-text('2 tracks')").wait_for()
        self.page.locator(".rules .left:text-is('2')").wait_for()
        query.fill('duration:>=5 (second , third) -title:"no such" filename-')
        self.page.locator(".rules-of li").nth(3).wait_for()
        self.assertEqual(self.page.locator(".rules-of code").inner_text(), "(second , third)")
        self.page.locator(".rules .left:text-is('2')").nth(2).wait_for()
        self.assertEqual([violation["id"] for violation in Axe().run(self.page).response["violations"]], [])
        query.fill("duration:>=")
        self.page.locator(".rules .trouble:not(:empty)").wait_for()
        self.assertTrue(self.page.get_by_role("button", name="Keep list").is_disabled())
        query.fill("duration:>=5 filename-")
        self.page.get_by_label("Name of the list").fill("Long ones")
        self.page.locator("button:not([disabled]):has-text('Keep list')").click()
        self.page.wait_for_selector(".toast.shown:has-text('The list “Long ones” has 2 tracks now.')")
        self.page.get_by_role("button", name="Take this away").nth(1).click()
        self.assertEqual(query.input_value(), "duration:>=5")
        self.page.locator("button:not([disabled]):has-text('Keep list')").click()
        deadline = 200
        while [one["query"] for one in self.library.ask("/lists")["lists"]] != ["duration:>=5"] and deadline:
            self.page.wait_for_timeout(50)
            deadline -= 1
        self.assertEqual([(one["name"], one["query"]) for one in self.library.ask("/lists")["lists"]], [("Long ones", "duration:>=5")])


if __name__ == "__main__":
    unittest.main()
