"""Who may do what, and what becomes of passwords."""

import hashlib
import http.client
import json
import os
import pathlib
import stat
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from support import COMMAND, Caller, Server, ServerTest


class AccessTest(ServerTest):
    def code(self, address):
        with urllib.request.urlopen(f"{self.server.address}/rest/{address}&f=json", timeout=60) as answer:
            return json.load(answer)["subsonic-response"].get("error", {}).get("code")

    def test_nobody_comes_without_a_password(self):
        self.assertEqual(self.code("ping?c=x"), 10)
        self.assertEqual(self.code("ping?u=ana"), 10)
        self.assertEqual(self.code("ping?u=ana&p=wrong"), 40)
        self.assertEqual(self.code("ping?apiKey=wrong"), 44)
        self.assertEqual(self.code(f"ping?u=ana&apiKey={self.ana.password}"), 43)
        self.assertEqual(self.code(f"ping?u=ana&p={self.ana.password}"), None)
        self.assertEqual(self.code(f"ping?u=ana&p=enc:{self.ana.password.encode().hex()}"), None)
        token = hashlib.md5((self.ana.password + "salt12").encode()).hexdigest()
        self.assertEqual(self.code(f"ping?u=ana&t={token}&s=salt12"), None)
        self.assertEqual(self.code(f"ping?apiKey={self.ana.password}"), None)
        self.assertEqual(self.code("getOpenSubsonicExtensions?c=x"), None)

    def test_a_form_is_as_good_as_an_address(self):
        with self.server.open("ping.view", "ana", self.ana.password, form=True) as answer:
            self.assertEqual(json.load(answer)["subsonic-response"]["status"], "ok")

    def test_jsonp_and_xml(self):
        with self.ana.open("ping", f="jsonp", callback="app.take") as answer:
            self.assertRegex(answer.read().decode(), r"^app\.take\(\{.*\}\);$")
        with self.ana.open("ping", f="jsonp", callback="alert(1)//") as answer:
            self.assertEqual(answer.headers["Content-Type"], "application/json")
        with self.ana.open("ping", f=None) as answer:
            self.assertIn("text/xml", answer.headers["Content-Type"])

    def test_players_of_other_sites_may_come(self):
        with self.ana.open("ping", headers={"Origin": "https://player.example", "Sec-Fetch-Site": "cross-site"}) as answer:
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
            self.assertIsNone(answer.headers["Set-Cookie"])

    def test_rights(self):
        listener = Caller(self.server, "lena", self.server.password("lena", "--right", "listen"))
        rater = Caller(self.server, "rita", self.server.password("rita"))
        song = listener.songs()[0]["id"]
        self.assertEqual(listener.call("star", id=song)["error"]["code"], 50)
        self.assertEqual(listener.call("createPlaylist", name="x")["error"]["code"], 50)
        self.assertEqual(rater.call("star", id=song)["status"], "ok")
        self.assertEqual(rater.call("startScan")["error"]["code"], 50)
        self.assertEqual(rater.call("getUsers")["error"]["code"], 50)
        self.assertFalse(rater.get("getUser")["user"]["adminRole"])

    def test_each_person_has_their_own(self):
        first, second = (
            Caller(self.server, name, self.server.password(name)) for name in ("emil", "fay"))
        song = first.songs()[0]["id"]
        first.get("star", id=song)
        first.get("setRating", id=song, rating=5)
        first.get("scrobble", id=song)
        # Microseconds, as if they were milliseconds: some time in the future.
        self.assertEqual(first.call("scrobble", id=song, time=1_700_000_000_000_000)["error"]["code"], 0)
        playlist = first.get("createPlaylist", name="mine", songId=song)["playlist"]["id"]
        seen = second.get("getSong", id=song)["song"]
        self.assertFalse({"starred", "userRating"} & set(seen))
        self.assertEqual(seen["playCount"], 0)
        self.assertEqual(second.call("getPlaylist", id=playlist)["error"]["code"], 70)
        self.assertEqual(second.call("deletePlaylist", id=playlist)["error"]["code"], 70)
        first.get("updatePlaylist", playlistId=playlist, public="true")
        self.assertTrue(second.get("getPlaylist", id=playlist)["playlist"]["readonly"])
        self.assertEqual(second.call("updatePlaylist", playlistId=playlist, name="yours")["error"]["code"], 70)

    def test_a_revoked_password_stops_at_once(self):
        phone, car = (self.server.password("gus", "--for", purpose) for purpose in ("phone", "car"))
        for password in (phone, car):
            Caller(self.server, "gus", password).get("ping")
        self.server.run("serve", "user", "revoke", "gus", "--for", "phone")
        self.assertEqual(Caller(self.server, "gus", phone).call("ping")["error"]["code"], 40)
        self.assertEqual(Caller(self.server, "gus", car).call("ping")["status"], "ok")

    def test_the_owner_is_the_one_who_uses_the_command(self):
        owner = Caller(self.server, "me", self.server.password("me", "--owner"))
        song = owner.songs()[0]
        owner.get("setRating", id=song["id"], rating=4)
        name = pathlib.Path(song["path"]).name
        found = self.server.run("ls", "-L", self.server.library, f'filename:="{name}"', "rating:80", "--format", "paths")
        self.assertTrue(found.endswith(name), found)


class GuessTest(unittest.TestCase):
    def test_wrong_passwords_do_not_slow_others(self):
        server = Server()
        ana = Caller(server, "ana", server.password("ana"))
        ana.get("ping")

        def wrong(address):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(address, 0))
            connection.request("GET", "/rest/ping?u=ana&p=wrong&f=json")
            status = connection.getresponse().status
            connection.close()
            return status

        # Another address of this computer, so that it counts as another client.
        statuses = []
        threads = [
            threading.Thread(target=lambda: statuses.append(wrong("127.0.0.2"))) for _ in range(100)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            ana.get("ping")
        for thread in threads:
            thread.join()
        self.assertEqual(len(statuses), 100)
        self.assertLessEqual(set(statuses), {200, 429})
        self.assertIn(429, statuses)
        server.close()


class SecretTest(unittest.TestCase):
    def test_passwords_are_in_one_file_only(self):
        server = Server()
        password = server.password("ana", "--right", "manage")
        ana = Caller(server, "ana", password)
        song = ana.songs()[0]["id"]
        ana.get("star", id=song)
        ana.get("createPlaylist", name="x", songId=song)
        ana.call("getSong", id="nothing")
        for options in ({"apiKey": "wrong"}, {}):
            with server.open("ping", None if options else "ana", None if options else password + "x", **options):
                pass
        server.run("backup", "-L", server.library, server.folder / "backup.sqlite")
        server.run("merge", "-L", server.folder / "merged.sqlite", server.library)
        server.run("export", "-L", server.library, "--what", "library", "-o", server.folder / "exported")
        server.run("serve", "user", "ls", "--json")
        server.stop()
        accounts = server.folder / "state" / "deadwax" / "serve-users"
        self.assertEqual(stat.S_IMODE(accounts.stat().st_mode), 0o600)
        self.assertIn(password.encode(), accounts.read_bytes())
        holders = [
            path for path in server.folder.rglob("*")
            if path.is_file() and path != accounts and password.encode() in path.read_bytes()]
        self.assertEqual(holders, [])
        listed = subprocess.run(
            [COMMAND, "serve", "user", "ls", "--json"], env=server.environment, capture_output=True, check=True).stdout
        self.assertNotIn(password.encode(), listed)
        server.close()


class KillTest(unittest.TestCase):
    def test_what_was_acknowledged_is_there_after_a_kill(self):
        server = Server()
        ana = Caller(server, "ana", server.password("ana"))
        songs = [song["id"] for song in ana.songs()]
        for attempt in range(4):
            acknowledged = {song: [ana.get("getSong", id=song)["song"].get("userRating")] for song in songs}
            counts = [0, 0, 0]

            def rate(part):
                for round in range(1000):
                    for song in songs[part::3]:
                        stars = 1 + round % 5
                        try:
                            if ana.call("setRating", id=song, rating=stars)["status"] == "ok":
                                acknowledged[song] = [stars]
                                counts[part] += 1
                        except (OSError, http.client.HTTPException, ValueError):
                            acknowledged[song].append(stars)
                            return

            threads = [threading.Thread(target=rate, args=(part,)) for part in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(0.4 + 0.2 * attempt)
            server.stop(kills=True)
            for thread in threads:
                thread.join()
            self.assertGreater(sum(counts), 0)
            server.start()
            for song, possible in acknowledged.items():
                # The last one may or may not have been written when its answer was lost.
                self.assertIn(ana.get("getSong", id=song)["song"].get("userRating"), possible)
        self.assertIn("sound", server.run("doctor", "-L", server.library))
        server.close()


if __name__ == "__main__":
    unittest.main()
