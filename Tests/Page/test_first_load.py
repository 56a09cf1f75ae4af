"""What a browser loads before it shows the library and plays: little, and nothing that only other views need."""

import re
import unittest
import urllib.parse
import urllib.request

from first_load import first_load
from support import PageTest

LIMIT = 150_000
# What goes on where one was comes when the library is shown.
SOON = {"/player/resume.js", "/player/queue-keeper.js"}


class FirstLoadTests(PageTest):
    def test_it_is_at_most_150_000_bytes_compressed(self):
        sizes = first_load(self.library.address)
        largest = sorted(sizes.items(), key=lambda entry: -entry[1])[:5]
        self.assertLessEqual(sum(sizes.values()), LIMIT, f"the largest: {largest}")

    def test_a_browser_loads_just_these_files_until_something_plays(self):
        asked = set()
        self.context.on("request", lambda request: request.url.startswith(self.library.address) and asked.add(urllib.parse.urlsplit(request.url).path))
        self.open("/")
        self.play()
        asked = {"/index.html" if path == "/" else path for path in asked if not path.startswith("/api/")} - SOON
        # Not every request of a worker is told.
        self.assertEqual(asked | {"/audio/player-worklet.js", "/audio/reader.js", "/data/pcm.js"}, set(first_load(self.library.address)))

    def test_the_page_names_each_module_that_it_needs_so_that_none_waits_for_another(self):
        named = set(re.findall(r'rel="modulepreload" href="([^"]+)"', urllib.request.urlopen(self.library.address + "/").read().decode()))
        # What the worker and the worklet load is not for the page.
        modules = {path for path in first_load(self.library.address) if path.endswith(".js")} - {"/app.js", "/audio/player-worklet.js", "/audio/reader.js"}
        self.assertEqual(named, modules)

    def test_another_view_is_loaded_when_it_is_opened(self):
        self.open()
        self.assertEqual(self.page.locator("link[href='/css/equalizer.css']").count(), 0)
        self.page.keyboard.press("e")
        self.page.wait_for_selector(".equalizer h1")
        self.assertEqual(self.page.locator("link[href='/css/equalizer.css']").count(), 1)

    def test_a_view_that_cannot_be_loaded_is_told_and_can_be_tried_again(self):
        self.open()
        self.page.route("**/css/equalizer.css", lambda route: route.abort())
        self.page.keyboard.press("e")
        self.page.wait_for_selector(".toast:has-text('cannot be loaded')")
        self.page.unroute("**/css/equalizer.css")
        self.page.go_back()
        self.page.keyboard.press("e")
        self.page.wait_for_selector(".equalizer h1")


if __name__ == "__main__":
    unittest.main()
