#!/usr/bin/env python3
"""Copies a library as players of OpenSubsonic do, by pages of search3, and says what that costs the server.

Usage: scripts/measure-sync.py LIBRARY COMMAND [COMMAND ...]

Prints, for each command, the songs a second of the server's processor time, and the processor time of the first and the last page. Several
commands are compared in turns. The library is only read; passwords are made in a folder of their own.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

PAGE = 500
REPETITIONS = 20


class Server:
    def __init__(self, command, library, home):
        environment = {**os.environ, "HOME": home, "XDG_STATE_HOME": f"{home}/state"}
        self.password = subprocess.run(
            [command, "serve", "user", "add", "somebody", "--for", str(os.urandom(4).hex())], env=environment, check=True,
            capture_output=True, text=True).stdout.strip()
        self.process = subprocess.Popen(
            [command, "serve", "-L", library, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
        self.address = self.process.stdout.readline().strip()

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def page(self, offset):
        """How many songs a page has."""
        query = urllib.parse.urlencode({
            "u": "somebody", "p": self.password, "v": "1.16.1", "c": "measuring", "f": "json", "query": "", "artistCount": 0,
            "albumCount": 0, "songCount": PAGE, "songOffset": offset})
        with urllib.request.urlopen(f"{self.address}rest/search3?{query}") as answer:
            return len(json.load(answer)["subsonic-response"]["searchResult3"]["song"])

    def measure(self):
        self.page(0)  # Makes the browse index.
        start, count = self.processor_seconds(), 0
        while found := self.page(count):
            count += found
        seconds = self.processor_seconds() - start
        ends = []
        for offset in (0, max(0, count - PAGE)):
            start = self.processor_seconds()
            for _ in range(REPETITIONS):
                self.page(offset)
            ends.append((self.processor_seconds() - start) / REPETITIONS * 1000)
        return f"{count} songs, {count / seconds:.0f} songs/s, first page {ends[0]:.1f} ms, last page {ends[1]:.1f} ms"

    def stop(self):
        self.process.terminate()
        self.process.wait()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as home:
        for command in sys.argv[2:]:
            server = Server(os.path.abspath(command), sys.argv[1], home)
            try:
                print(f"{command}: {server.measure()}", flush=True)
            finally:
                server.stop()


if __name__ == "__main__":
    main()
