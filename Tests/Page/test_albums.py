"""Albums and artists as one goes through them: grid, album, editions, two panes, and the way back."""

import functools
import unittest

from axe_playwright_python.sync_playwright import Axe

from support import RATE, Library, PageTest, samples

# An album of two discs in two editions, an artist who appears on it, and enough others for a grid that scrolls.
COUNT = 60


@functools.cache
def library_of_albums():
    names = [f"tides/{i}" for i in range(1, 5)] + [f"copies/{i}" for i in range(1, 3)] + [f"other/{i:02}" for i in range(COUNT)]
    tags = [["album=Tides", "albumartist=Nora Vale", "artist=Nora Vale", "genre=Folk", "year=2004", f"title=Song {i}", f"track={(i - 1) % 2 + 1}", f"disc={(i - 1) // 2 + 1}", f"path:tides/{i}.wav"] for i in range(1, 5)]
    tags += [["artist=Kite", "path:tides/4.wav"]]
    tags += [["album=Tides", "albumartist=Nora Vale", "artist=Nora Vale", "year=2014", f"title=Song {i}", f"track={i}", "disc=1", f"path:copies/{i}.wav"] for i in range(1, 3)]
    tags += [[f"album=Album {i:02}", f"albumartist=Artist {i:02}", f"artist=Artist {i:02}", f"title=Piece {i:02}", "track=1", f"path:other/{i:02}.wav"] for i in range(COUNT)]
    return Library({name: (RATE, samples(name, 1.5 if name.startswith("tides") else 0.3)) for name in names}, {}, tags)


class AlbumTests(PageTest):
    @functools.cached_property
    def library(self):
        return library_of_albums()

    def assert_no_violations(self, what):
        found = Axe().run(self.page).response["violations"]
        self.assertEqual([(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found], [], what)

    def titles(self):
        return self.page.eval_on_selector_all(".line .title a", "links => links.map(link => link.textContent)")

    def open_album(self, more=""):
        self.open("/?view=albums&q=album%3A%3DTides", wait=".tile:has-text('Tides')")
        self.page.locator(".tile-link", has_text="Tides").first.click()
        self.page.wait_for_selector(".album-head h1:has-text('Tides')")
        return self.page.evaluate("location.pathname")

    def test_an_album_is_opened_from_the_grid_by_keys_and_the_way_back_leads_to_its_place(self):
        self.open("/?view=albums", wait=".tile-title:has-text('Album 00')")
        self.page.keyboard.press("End")
        self.page.wait_for_selector(".tile.active:has-text('Tides')")
        self.page.keyboard.press("ArrowLeft")
        place = "[deadwax.views.albums.grid.top, deadwax.views.albums.grid.active]"
        self.until(f"{place}[1]", COUNT - 1)
        self.frames()
        before = self.page.evaluate(place)
        self.assertGreater(before[0], 0)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".album-head h1:has-text('Album 59')")
        self.page.go_back()
        self.page.wait_for_selector(".tile.active:has-text('Album 59')")
        self.until(place, before)
        self.page.reload()
        self.page.wait_for_selector(".tile.active:has-text('Album 59')")
        self.until(place, before)

    def test_only_the_edition_that_is_chosen_is_shown_and_played(self):
        self.open_album()
        self.assertEqual(self.titles(), ["Song 1", "Song 2", "Song 3", "Song 4"])
        self.assertEqual(self.page.locator(".line.section").count(), 2)
        self.page.locator(".editions a:not([aria-current])").click()
        self.until("document.querySelectorAll('.line .title a').length", 2)
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.until("deadwax.player.track.peek()?.row.title", "Song 2")
        self.until("deadwax.player.queue.entries.map(({ row }) => row.title)", ["Song 1", "Song 2"])
        self.assertEqual(self.page.evaluate("deadwax.player.queue.place"), 1)
        self.page.go_back()
        self.until("document.querySelectorAll('.line .title a').length", 4)

    def test_a_click_on_the_strip_plays_the_track_there(self):
        self.open_album()
        self.until("document.querySelector('.strip-area').ariaValueMax", "6")
        box = self.page.locator(".strip-area").bounding_box()
        self.page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 20)
        self.until("deadwax.player.track.peek()?.row.title", "Song 3")
        self.page.locator(".strip-area").focus()
        self.page.keyboard.press("PageDown")
        self.until("deadwax.player.track.peek()?.row.title", "Song 4")

    def test_names_lead_to_the_artist_and_arrows_through_all_of_them(self):
        self.open_album()
        self.page.locator(".line .artist a", has_text="Kite").click()
        self.page.wait_for_selector(".pane-head h2:has-text('Kite')")
        self.page.wait_for_selector(".part:has-text('Appears on') .tile-title:has-text('Tides')")
        self.page.goto(self.library.address + "/?view=artists")
        self.page.wait_for_selector(".pane-head h2:has-text('Artist 00')")
        self.page.keyboard.press("ArrowDown")
        self.page.wait_for_selector(".pane-head h2:has-text('Artist 01')")
        self.assertEqual(self.page.locator(".row.chosen .title").text_content(), "Artist 01")
        self.page.wait_for_selector(".part .tile-title:has-text('Album 01')")

    def test_axe_finds_nothing_in_an_album_and_in_two_panes(self):
        self.open_album()
        self.assert_no_violations("album")
        for view, wait in [("artists&item=Nora+Vale", ".track-list"), ("genres", ".track-list"), ("folders", ".pane-head"), ("problems", ".empty .etch")]:
            with self.subTest(view):
                self.page.goto(f"{self.library.address}/?view={view}")
                self.page.locator(wait).first.wait_for()
                self.assert_no_violations(view)
        self.page.goto(self.library.address + "/?view=albums")
        self.page.get_by_role("button", name="List").click()
        self.page.wait_for_selector(".albums-table .row .title")
        self.assert_no_violations("list of albums")


class AlbumTouchTests(PageTest):
    media = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    @functools.cached_property
    def library(self):
        return library_of_albums()

    def test_fingers_open_an_album_play_a_track_and_find_the_artist(self):
        self.open("/?view=albums&q=album%3A%3DTides", wait=".tile:has-text('Tides')")
        self.page.locator(".tile-cover").first.tap()
        self.page.wait_for_selector(".album-head h1:has-text('Tides')")
        self.page.locator(".line .sound").nth(2).tap()
        self.until("deadwax.player.track.peek()?.row.title", "Song 2")
        self.page.locator(".facts-line a", has_text="Nora Vale").tap()
        self.page.wait_for_selector(".pane-head h2:has-text('Nora Vale')")
        self.page.locator(".pane-back").tap()
        self.page.locator(".row .title", has_text="Artist 59").first.tap()
        self.page.wait_for_selector(".pane-head h2:has-text('Artist 59')")


if __name__ == "__main__":
    unittest.main()
