"""Many listeners for a while: what the server takes does not grow."""

import os
import random
import threading
import time
import unittest
import urllib.request

from support import RATE, RECORDINGS, PageTest

SECONDS = float(os.environ.get("DEADWAX_SOAK_SECONDS", 8))
LISTENERS = 20


def resident_bytes(process):
    """Of a process and of those that it has started, without what they share."""
    total = 0
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
        except OSError:
            pass
    left = [process]
    while left:
        one = left.pop()
        left += children.get(one, [])
        try:
            with open(f"/proc/{one}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith(("Private_Dirty", "Private_Clean")))
        except OSError:
            pass
    return total


class SoakTests(PageTest):
    def setUp(self):
        self.failures = []

    def listen(self, seed, end):
        dice = random.Random(seed)
        while time.monotonic() < end:
            track = dice.randint(1, len(RECORDINGS))
            start = dice.randrange(2 * RATE)
            targets = [f"/tracks/{track}/pcm?start={start}&count=32768&format=f32", f"/tracks/{track}", f"/tracks/{track}/waveform.dat?zoom=256",
                       f"/tracks/{track}/stream?format=opus&from={start / RATE:.2f}", "/tracks?limit=50&sort=title"]
            try:
                with urllib.request.urlopen(f"{self.library.address}/api/v1{dice.choices(targets, [8, 1, 1, 1, 1])[0]}", timeout=30) as answer:
                    # Some leave in the middle.
                    answer.read(None if dice.random() < 0.9 else 5000)
                self.answered += 1
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    self.failures.append(str(error))
            except OSError as error:
                self.failures.append(str(error))

    def test_memory_stays_while_twenty_listen_here_and_there(self):
        self.answered = 0
        process = self.library.server.pid
        # First all caches are filled.
        for seconds in (SECONDS / 4, SECONDS):
            before = resident_bytes(process)
            end = time.monotonic() + seconds
            threads = [threading.Thread(target=self.listen, args=(seed, end)) for seed in range(LISTENERS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        time.sleep(1)
        grown = resident_bytes(process) - before
        if "DEADWAX_SOAK_SECONDS" in os.environ:
            print(f"{self.answered} answers in {SECONDS:.0f} s; {before / 2**20:.1f} MiB before, {grown / 2**20:+.1f} MiB")
        self.assertGreater(self.answered, 5 * SECONDS)
        self.assertLess(grown, 64 << 20)


if __name__ == "__main__":
    unittest.main()
