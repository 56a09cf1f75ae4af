"""What happens between a click and the sound: everything that can be done before is done before."""

import json
import os
import re
import time
import unittest

from support import PageTest


def children(process):
    """How many processes it has started that are there."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        count += int(parent) == process and state != "Z"
    return count


class StartTests(PageTest):
    # As browsers are: nothing may sound before somebody has touched the page.
    arguments = ("--autoplay-policy=document-user-activation-required",)

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
        # A slow machine may be at the end of the first track by now, and ask for the next one.
        first = [url.split("/")[0] for url in asked if "pcm?start=0&" in url]
        self.assertTrue(first, asked)
        self.assertEqual(first.count(first[0]), 1, asked)


class WaitingWorkerTests(PageTest):
    def setUp(self):
        self.own_library({"only": (8000, [0] * 16_000)})
        super().setUp()

    def until_children(self, wanted):
        deadline = time.monotonic() + 60
        while (count := children(self.library.server.pid)) != wanted:
            self.assertLess(time.monotonic(), deadline, f"{count} processes, not {wanted}")
            time.sleep(0.05)

    def test_a_worker_waits_for_a_file_while_a_page_is_open(self):
        self.assertEqual(children(self.library.server.pid), 0)
        self.open()
        self.until_children(1)
        self.play()
        self.until_children(2)
        self.page.close()
        # The one that has the file open ends when it has been idle for some seconds.
        self.until_children(0)


def as_opus(route):
    """Says that a track is one of Opus, whatever it is."""
    detail = route.fetch().json()
    detail["format"]["codec"] = "opus"
    route.fulfill(body=json.dumps(detail), content_type="application/json")


class ChainedCodecTests(PageTest):
    def setUp(self):
        self.own_library({"long": (8000, [0] * 2 * 8000 * 300)})
        super().setUp()
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(request.url.split("/pcm?")[-1]))

    def visits(self):
        return [int(url.split("start=")[1].split("&")[0]) for url in self.asked if "count=1&" in url]

    def go_to(self, frame):
        """Plays the track from a frame on, on a new page."""
        self.page.route("**/api/v1/tracks/1", as_opus)
        self.open()
        self.page.evaluate("""frame => {
          const { listener } = deadwax.player.engine, { approaching } = listener;
          globalThis.told = [];
          listener.approaching = (way) => { told.push(way); approaching(way); };
          deadwax.player.begin(deadwax.library.table.rows.at(0), frame, true);
        }""", frame)

    def test_the_way_to_a_distant_place_is_gone_step_by_step_and_told(self):
        self.go_to(2_300_000)
        self.until("deadwax.player.frame() > 2_301_000")
        visits = self.visits()
        self.assertEqual(visits, sorted(set(visits)))
        told = self.page.evaluate("told")
        ways = [way for way in told if way is not None]
        self.assertEqual((ways, told[-1]), ([visit / 2_300_000 for visit in [0, *visits[:-1]]], None))
        self.assertGreater(len(ways), 1)
        self.assertEqual(self.page.text_content(".titles [role=status]"), "")

    def test_who_goes_elsewhere_on_the_way_does_not_wait_for_its_end(self):
        # A server that never gets to the first step.
        self.page.route(re.compile("count=1&"), lambda route: None)
        self.go_to(2_300_000)
        self.until("document.querySelector('.titles .way')?.textContent ?? ''", "Decoding up to there: 0 %")
        self.page.evaluate("deadwax.player.seek(1000)")
        self.until("deadwax.player.frame() > 2000 && deadwax.player.frame() < 100_000")
        self.assertEqual(self.page.text_content(".titles [role=status]"), "")


if __name__ == "__main__":
    unittest.main()
