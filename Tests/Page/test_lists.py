"""Lists: made, filled, ordered and deleted on the page; and the letters that one jumps by."""

import json
import time
import unittest
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from support import PageTest


class ListTests(PageTest):
    def ask(self, path, method="GET", body=None):
        request = urllib.request.Request(self.library.address + "/api/v1" + path, json.dumps(body).encode() if body else None, {"Content-Type": "application/json", "Authorization": f"Bearer {self.library.token}"}, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def setUp(self):
        super().setUp()
        rows = self.ask("/tracks?sort=filename%2B")["rows"]
        self.ids = [row["id"] for row in rows]
        self.list = self.ask("/lists", "POST", {"name": "Evening", "tracks": self.ids[:3]})
        self.addCleanup(self.delete_lists)

    def delete_lists(self):
        for one in self.ask("/lists")["lists"]:
            self.ask(f"/lists/{one['id']}", "DELETE")

    def stored(self, name="Evening"):
        find = next((one["find"] for one in self.ask("/lists")["lists"] if one["name"] == name), None)
        if find is None:
            return None
        return [row["id"] for row in self.ask("/tracks?q=" + urllib.parse.quote(find))["rows"]]

    def wait_for(self, wanted, name="Evening"):
        deadline = time.monotonic() + 60
        while self.stored(name) != wanted and time.monotonic() < deadline:
            self.page.wait_for_timeout(50)
        self.assertEqual(self.stored(name), wanted)

    def open_list(self):
        self.open("/?q=" + urllib.parse.quote(self.list["find"]))
        self.page.get_by_role("button", name="Delete list").wait_for()

    def test_a_search_is_saved_under_the_name_that_is_asked_for(self):
        self.open("/?q=first")
        self.page.get_by_role("button", name="Save as list").click()
        dialog = self.page.locator("dialog")
        self.assertEqual(dialog.locator("input").input_value(), "first")
        self.assertEqual(len(self.ask("/lists")["lists"]), 1, "nothing is saved before the name is given")
        self.page.keyboard.type("Openers")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".toast.shown:has-text('The search is now the list “Openers”.')")
        self.assertEqual({one["name"]: one["query"] for one in self.ask("/lists")["lists"]}, {"Evening": None, "Openers": "first"})

    def test_keys_move_a_track_in_its_list_and_take_it_out(self):
        self.open_list()
        a, b, c = self.ids[:3]
        self.page.focus(".table")
        self.page.keyboard.press("Alt+ArrowDown")
        self.wait_for([b, a, c])
        self.until("deadwax.library.table.active", 1)
        self.page.keyboard.press("Delete")
        self.wait_for([b, c])
        self.page.get_by_role("button", name="Undo").click()
        self.wait_for([b, a, c])

    def test_a_row_is_dragged_to_another_place(self):
        self.open_list()
        a, b, c = self.ids[:3]
        box = self.page.locator(".row:not([hidden])").nth(0).bounding_box()
        self.page.mouse.move(box["x"] + 300, box["y"] + 18)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 300, box["y"] + 60)
        self.page.mouse.move(box["x"] + 300, box["y"] + 3 * 36)
        self.page.locator(".drop").wait_for()
        self.page.mouse.up()
        self.wait_for([b, c, a])

    def test_the_order_of_a_sorted_list_stays(self):
        self.open_list()
        self.page.get_by_role("button", name="Length").click()
        self.until("deadwax.library.canMove", False)

    def test_a_row_is_added_to_a_list_and_to_a_new_one(self):
        self.open()
        self.page.focus(".table")
        for _ in range(3):
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("a")
        self.page.get_by_role("combobox", name="To", exact=True).wait_for()
        self.assertEqual(Axe().run(self.page).response["violations"], [])
        self.page.get_by_role("button", name="Add", exact=True).press("Enter")
        self.wait_for(self.ids[:4])
        self.page.get_by_role("button", name="Add to list").press("Enter")
        self.page.get_by_role("combobox", name="To", exact=True).select_option(label="A new list")
        self.page.get_by_role("textbox", name="Name of the new list").fill("Morning")
        self.page.keyboard.press("Enter")
        self.wait_for([self.ids[3]], "Morning")

    def test_a_list_is_renamed_and_deleted(self):
        self.open_list()
        self.page.get_by_role("button", name="Rename").press("Enter")
        self.page.get_by_role("textbox", name="Name").fill("Night")
        self.page.keyboard.press("Enter")
        self.until("document.querySelector('#query').value.includes('Night')")
        self.assertEqual([one["name"] for one in self.ask("/lists")["lists"]], ["Night"])
        self.page.get_by_role("button", name="Delete list").press("Enter")
        self.page.get_by_text("There are no lists yet.").wait_for()
        self.assertEqual(self.ask("/lists")["lists"], [])

    def test_letters_lead_to_the_first_row_that_begins_with_them(self):
        self.open()
        # The library is small: more rows are made up.
        rows = [{"file": i, "id": self.ids[0], "title": f"{chr(65 + i // 40)} {i}", "filename": None} for i in range(400)]
        self.page.route("**/api/v1/tracks?*", lambda route: route.fulfill(json={"schema": 1, "revision": "x", "from": 0, "total": 400, "rows": rows[:200]}))
        self.page.route("**/api/v1/tracks/jumps?*", lambda route: route.fulfill(json={"field": "title", "jumps": [{"text": chr(65 + i), "row": 40 * i} for i in range(10)]}))
        self.page.evaluate("deadwax.go('/?sort=title%2B')")
        first = self.page.get_by_role("button", name="Jump to A")
        first.wait_for()
        self.assertEqual(Axe().run(self.page).response["violations"], [])
        first.focus()
        for _ in range(3):
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.until("deadwax.library.table.active", 120)
        self.until("Math.round(deadwax.library.table.top / deadwax.library.table.rowHeight)", 120)


if __name__ == "__main__":
    unittest.main()
