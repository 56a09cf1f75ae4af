#!/usr/bin/env python3
"""Listens to many streams of `deadwax serve` at once, each at real time, and says how long a listener had to wait.

Usage: scripts/measure-streams.py COMMAND FOLDER [STREAMS] [SECONDS]

Indexes a copy of the music in FOLDER, assigns a preset to everything, and listens to STREAMS (20) songs for SECONDS (60), first the files as
they are, then through the preset as Opus, MP3 and WAV in turns. A listener begins to play with the first bytes, keeps at most five
seconds ahead, and reads again as those are played. Prints the longest wait for the first sound, the least that a listener was ahead afterwards,
how often one ran dry, and what the server and its workers used of the processor.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

AHEAD = 5
# Name, parameters and bits a second; those of WAV are in its header.
FORMS = [("opus", {"maxBitRate": 128}, 128_000), ("mp3", {"maxBitRate": 192}, 192_000), ("wav", {}, None)]


class Server:
    def __init__(self, command, folder, streams):
        self.command, self.folder = command, folder
        self.environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        library = folder / "library.sqlite"
        self.run("scan", "-q", "-L", library, folder / "music")
        self.run("preset", "create", "-L", library, "Curve", "--band", "pk 250 6 q1", "--band", "pk 4000 -9 q2")
        self.run("preset", "assign", "-L", library, "Curve", "--default")
        self.passwords = {
            hears: self.run("serve", "user", "add", "ana", "--for", hears, "--hears", hears) for hears in ("raw", "presets")}
        self.process = subprocess.Popen(
            [command, "serve", "-L", library, "--port", "0", "--streams", str(streams)], stdout=subprocess.PIPE, text=True,
            env=self.environment)
        self.address = self.process.stdout.readline().strip()

    def run(self, *words):
        return subprocess.run(
            [self.command, *map(str, words)], env=self.environment, check=True, capture_output=True, text=True).stdout.strip()

    def open(self, method, hears, **parameters):
        query = urllib.parse.urlencode(
            {"u": "ana", "p": self.passwords[hears], "v": "1.16.1", "c": "measuring", "f": "json", **parameters})
        return urllib.request.urlopen(f"{self.address}rest/{method}?{query}", timeout=60)

    def songs(self):
        with self.open("search3", "raw", query="", songCount=500, artistCount=0, albumCount=0) as answer:
            return json.load(answer)["subsonic-response"]["searchResult3"]["song"]

    def processor_seconds(self):
        """Of the server and its workers, those that have ended too."""
        ticks, family = 0, {self.process.pid}
        for path in sorted(pathlib.Path("/proc").glob("[0-9]*/stat"), key=lambda path: int(path.parent.name)):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(path.parent.name) in family or int(fields[1]) in family:
                family.add(int(path.parent.name))
                ticks += sum(map(int, fields[11:15])) if int(path.parent.name) == self.process.pid else sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Listener(threading.Thread):
    def __init__(self, server, hears, parameters, bytes_a_second, end):
        super().__init__()
        self.server, self.hears, self.parameters, self.rate, self.end = server, hears, parameters, bytes_a_second, end
        self.first_wait, self.least_ahead, self.dry_count, self.failure = 0.0, float("inf"), 0, None

    def run(self):
        try:
            self.listen()
        except OSError as error:
            self.failure = error

    def listen(self):
        asked = time.monotonic()
        with self.server.open("stream", self.hears, **self.parameters) as answer:
            start = answer.read(4096)
            received, begun = len(start), time.monotonic()
            if start.startswith(b"RIFF"):
                self.rate = int.from_bytes(start[28:32], "little")
            self.first_wait = begun - asked
            while time.monotonic() < self.end:
                ahead = received / self.rate - (time.monotonic() - begun)
                if ahead > AHEAD:
                    time.sleep(min(0.1, ahead - AHEAD))
                    continue
                bytes = answer.read(min(65_536, max(4096, int(self.rate / 4))))
                if not bytes:
                    return
                received += len(bytes)
                ahead = received / self.rate - (time.monotonic() - begun)
                # The first second fills what is ahead.
                if time.monotonic() - begun > 1:
                    self.least_ahead = min(self.least_ahead, ahead)
                if ahead < 0:
                    self.dry_count += 1
                    begun += -ahead


def measure(server, name, hears, requests, seconds):
    before, start = server.processor_seconds(), time.monotonic()
    listeners = [Listener(server, hears, parameters, rate, start + seconds) for parameters, rate in requests]
    for listener in listeners:
        listener.start()
    for listener in listeners:
        listener.join()
    elapsed = time.monotonic() - start
    failures = [str(listener.failure) for listener in listeners if listener.failure]
    print(
        f"{name}: {len(listeners)} streams for {elapsed:.0f} s, first sound after at most {max(l.first_wait for l in listeners):.2f} s, "
        f"at least {min(l.least_ahead for l in listeners):.1f} s ahead, ran dry {sum(l.dry_count for l in listeners)} times, "
        f"{(server.processor_seconds() - before) / elapsed * 100:.0f} % of a core" + (f", failed: {failures[:3]}" if failures else ""),
        flush=True)
    return not failures and all(listener.dry_count == 0 for listener in listeners)


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__.strip())
    count, seconds = (int(word) for word in (sys.argv[3:] + ["20", "60"][len(sys.argv) - 3 :]))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="measure-streams-"))
    server = None
    try:
        shutil.copytree(sys.argv[2], folder / "music")
        server = Server(os.path.abspath(sys.argv[1]), folder, count)
        songs = sorted((song for song in server.songs() if song["duration"] > seconds), key=lambda song: song["path"])
        if not songs:
            sys.exit(f"no song in {sys.argv[2]} lasts {seconds} s")
        chosen = [songs[index % len(songs)] for index in range(count)]
        raw = [({"id": song["id"]}, song["size"] / song["duration"]) for song in chosen]
        encoded = []
        for index, song in enumerate(chosen):
            form, parameters, rate = FORMS[index % len(FORMS)]
            encoded.append(({"id": song["id"], "format": form, **parameters}, (rate or 1_411_200) / 8))
        is_good = measure(server, "files", "raw", raw, seconds)
        is_good = measure(server, "through a preset", "presets", encoded, seconds) and is_good
        sys.exit(0 if is_good else 1)
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
