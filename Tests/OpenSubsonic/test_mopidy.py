"""Mopidy, a music server, plays from ours through mopidy-subidy: both unmodified, driven by Mopidy's JSON-RPC."""

import atexit
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

from support import ServerTest

MOPIDY = os.environ.get("MOPIDY", "")


@unittest.skipUnless(MOPIDY, "Mopidy is not installed (apt-get install mopidy)")
class MopidyTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="deadwax-mopidy-"))
        atexit.register(shutil.rmtree, cls.folder, ignore_errors=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.port = free.getsockname()[1]
        cls.heard = cls.folder / "heard.raw"
        (cls.folder / "mopidy.conf").write_text(f"""
[core]
data_dir = {cls.folder}
cache_dir = {cls.folder}
config_dir = {cls.folder}
[audio]
output = audioconvert ! audio/x-raw,format=S16LE,channels=2 ! filesink sync=true location={cls.heard}
[http]
hostname = 127.0.0.1
port = {cls.port}
zeroconf =
[file]
enabled = false
[stream]
enabled = false
[subidy]
url = {cls.server.address}
username = ana
password = {cls.ana.password}
""")
        cls.log = open(cls.folder / "log", "wb")
        cls.process = subprocess.Popen(
            [MOPIDY, "-m", "mopidy", "--config", str(cls.folder / "mopidy.conf")], stdout=cls.log, stderr=cls.log,
            env={**os.environ, "HOME": str(cls.folder)}, start_new_session=True)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if any("subidy" in scheme for scheme in cls.rpc("core.get_uri_schemes")):
                    return
            except OSError:
                time.sleep(0.3)
        cls.tearDownClass()
        raise RuntimeError((cls.folder / "log").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.process.send_signal(signal.SIGTERM)
        try:
            cls.process.wait(10)
        except subprocess.TimeoutExpired:
            cls.process.kill()
            cls.process.wait()
        cls.log.close()

    @classmethod
    def rpc(cls, method, **parameters):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{cls.port}/mopidy/rpc", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            found = json.load(answer)
        if "error" in found:
            raise AssertionError(found["error"])
        return found["result"]

    def browse(self, uri):
        return {found["name"]: found["uri"] for found in self.rpc("core.library.browse", uri=uri)}

    def test_browsing_leads_from_artists_to_songs(self):
        top = self.browse(None)
        self.assertEqual(list(top), ["Subsonic"])
        kinds = self.browse(top["Subsonic"])
        letters = self.ana.get("getArtists")["artists"]["index"]
        artists = {artist["name"] for letter in letters for artist in letter["artist"]}
        found = self.browse(kinds["Artists"])
        self.assertEqual(set(found), artists)
        songs = {song["id"]: song for song in self.ana.songs()}
        seen = set()
        for uri in found.values():
            for album in self.browse(uri).values():
                seen |= {track.split(":")[-1] for track in self.browse(album).values()}
        self.assertTrue(seen)
        self.assertLessEqual(seen, set(songs))

    def test_a_search_finds_what_ours_does(self):
        song = next(song for song in self.ana.songs() if song.get("artist") and len(song["title"]) > 4)
        found = self.rpc("core.library.search", query={"any": [song["title"]]})
        tracks = [track["uri"] for result in found for track in result.get("tracks", [])]
        self.assertIn(song["id"], "".join(tracks))

    def test_a_song_is_played_to_its_end(self):
        song = next(song for song in self.ana.songs() if 1 <= song["duration"] <= 20 and song["suffix"] == "flac")
        self.rpc("core.tracklist.clear")
        self.rpc("core.tracklist.add", uris=[f"subidy:song:{song['id']}"])
        self.rpc("core.playback.play")
        end, played = time.monotonic() + 60, False
        while time.monotonic() < end:
            state = self.rpc("core.playback.get_state")
            played = played or state == "playing"
            if played and state == "stopped":
                break
            time.sleep(0.1)
        self.assertTrue(played and state == "stopped", (self.folder / "log").read_text()[-3000:])
        rate = song["samplingRate"]
        self.assertAlmostEqual(self.heard.stat().st_size / 4 / rate, song["duration"], delta=1)

    def test_playlists(self):
        songs = [song["id"] for song in self.ana.songs()[:2]]
        playlist = self.ana.get("createPlaylist", name="mopidy", songId=songs)["playlist"]["id"]
        try:
            found = next(found for found in self.rpc("core.playlists.as_list") if found["name"] == "mopidy")
            items = self.rpc("core.playlists.get_items", uri=found["uri"])
            self.assertEqual([item["uri"].split(":")[-1] for item in items], songs)
        finally:
            self.ana.get("deletePlaylist", id=playlist)


if __name__ == "__main__":
    unittest.main()
