"""What happens between a click and the sound: everything that can be done before is done before."""

import unittest

from support import BROWSER, PageTest


class StartTests(PageTest):
    def setUp(self):
        super().setUp()
        # As browsers are: nothing may sound before somebody has touched the page.
        self.strict = self.driver.chromium.launch(executable_path=BROWSER, args=["--autoplay-policy=document-user-activation-required"])
        self.addCleanup(self.strict.close)
        self.page = self.strict.new_page()
        self.page.set_default_timeout(10_000)

    def test_the_output_is_open_and_rests_before_anything_plays(self):
        self.open()
        self.until("deadwax.player.engine.opening !== null")
        self.assertEqual(self.page.evaluate("deadwax.player.engine.opening.output.then(({ context }) => context.state)"), "suspended")
        self.page.evaluate("globalThis.early = deadwax.player.engine.opening.output")
        self.page.hover(".row .title")
        self.page.click(".row .index")
        self.until("deadwax.player.frame() > 1000")
        self.assertTrue(self.page.evaluate("early.then((output) => output === deadwax.player.engine.output)"))

    def test_the_first_part_is_asked_for_once(self):
        self.open()
        asked = []
        self.page.on("request", lambda request: asked.append(request.url.split("/api/v1/tracks/")[-1]))
        self.page.hover(".row .title")
        self.page.click(".row .index")
        self.until("deadwax.player.frame() > 1000")
        first = [url for url in asked if "pcm?start=0&" in url]
        self.assertEqual(len(first), 1, asked)

    def test_a_pause_while_a_track_begins_counts(self):
        self.open()
        self.page.hover(".row .title")
        self.page.click(".row .index")
        self.page.evaluate("deadwax.player.playing.value && deadwax.player.toggle()")
        self.until("deadwax.player.track.peek() !== null")
        self.page.wait_for_timeout(500)
        self.assertFalse(self.page.evaluate("deadwax.player.playing.peek()"))
        self.assertEqual(self.page.evaluate("deadwax.player.frame()"), 0)


if __name__ == "__main__":
    unittest.main()
