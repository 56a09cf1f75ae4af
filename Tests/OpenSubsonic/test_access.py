"""What becomes of passwords; who may do what is tested in MediaServerTests."""

import http.client
import stat
import subprocess
import threading
import time
import unittest

from support import COMMAND, Caller, Server


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
        self.assertIn(": intact", server.run("doctor", "-L", server.library))
        server.close()


if __name__ == "__main__":
    unittest.main()
