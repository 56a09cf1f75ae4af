"""What ListenBrainz is told of what people hear, with a stand-in for the service that fails in every way."""

import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

import mutagen.flac
from support import COMMAND, FIXTURES, Caller, Server

TOKEN = "7c8a1d3e-55aa-4d3e-9e55-0123456789ab"
MBID = "98255a8c-017a-4bc7-8dd6-1fa36124572b"
START = 1_700_000_000


class Service:
    """Answers as it is told, on a port that stays the same when it is stopped and started again."""

    def __init__(self):
        self.submissions = []
        # The next statuses, with their headers; then `judge` decides by the submission.
        self.answers = []
        self.judge = lambda body: 200
        self.delay = 0
        self.port = 0
        self.start()

    def start(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                time.sleep(service.delay)
                status, headers = service.answers.pop(0) if service.answers else (service.judge(body), {})
                service.submissions.append((status, self.path, self.headers["Authorization"], body))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                text = json.dumps({"status": "ok"} if status == 200 else {"code": status, "error": "no"}).encode()
                self.send_header("Content-Length", str(len(text)))
                try:
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass  # The server was killed meanwhile.

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def listens(self, kinds=("single", "import")):
        """What was taken, in the order in which it came."""
        return [
            listen for status, _, _, body in self.submissions if status == 200 and body["listen_type"] in kinds
            for listen in body["payload"]]


class ListenBrainzTest(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        music = tempfile.TemporaryDirectory()
        shutil.copytree(FIXTURES / "Émilie Søndergård", pathlib.Path(music.name, "music"))
        first = sorted(pathlib.Path(music.name).rglob("01*.flac"))[0]
        tags = mutagen.flac.FLAC(first)
        tags["MUSICBRAINZ_TRACKID"] = MBID
        tags.save()
        self.server = Server(music.name, ["--listenbrainz-url", f"http://127.0.0.1:{self.service.port}/"])
        music.cleanup()
        self.ana = Caller(self.server, "ana", self.server.password("ana"))
        self.ben = Caller(self.server, "ben", self.server.password("ben"))
        self.give("ana", TOKEN)
        self.songs = sorted(self.ana.songs(), key=lambda song: song["path"])
        self.song = self.songs[0]

    def tearDown(self):
        self.server.close()
        self.service.stop()

    def give(self, user, token):
        subprocess.run(
            [COMMAND, "serve", "user", "listenbrainz", user, "--token-from", "-"], input=token + "\n", text=True, check=True,
            env=self.server.environment, capture_output=True)

    def hear(self, number=0, caller=None, **parameters):
        (caller or self.ana).get("scrobble", id=self.song["id"], time=(START + number * 300) * 1000, **parameters)

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, f"{self.service.submissions[-3:]} {self.log()}")
            time.sleep(0.05)

    def log(self):
        return pathlib.Path(self.server.folder, "log").read_text()

    def state(self, user="ana"):
        listed = json.loads(self.server.run("serve", "user", "ls", "--json"))["passwords"]
        return next((account["listenbrainz"], account["listens_waiting"]) for account in listed if account["user"] == user)

    def times(self):
        return [(listen["listened_at"] - START) // 300 for listen in self.service.listens()]

    def test_what_is_heard_is_told_with_all_that_is_known(self):
        self.hear(submission="false")
        self.wait(lambda: self.service.submissions)
        self.hear()
        self.wait(lambda: self.service.listens())
        (_, path, token, now), (_, _, _, single) = self.service.submissions
        self.assertEqual((path, token), ("/1/submit-listens", f"Token {TOKEN}"))
        self.assertEqual((now["listen_type"], single["listen_type"]), ("playing_now", "single"))
        self.assertNotIn("listened_at", now["payload"][0])
        listen = single["payload"][0]
        self.assertEqual(listen["listened_at"], START)
        track, details = listen["track_metadata"], listen["track_metadata"]["additional_info"]
        self.assertEqual(track["track_name"], self.song["title"])
        self.assertEqual(track["artist_name"], self.song["artist"].replace("; ", ", "))
        self.assertEqual(track["release_name"], self.song["album"])
        self.assertEqual(details["recording_mbid"], MBID)
        self.assertEqual((details["media_player"], details["submission_client"]), ("tests", "Deadwax"))
        self.assertAlmostEqual(details["duration_ms"], self.song["duration"] * 1000, delta=1000)
        self.assertEqual(self.state(), ("on", 0))

    def test_nothing_is_told_of_others(self):
        self.hear(caller=self.ben)
        self.hear(caller=self.ben, submission="false")
        self.hear(7)
        self.wait(lambda: self.service.listens())
        self.assertEqual(self.times(), [7])
        self.assertEqual(self.state("ben"), (None, None))
        self.server.run("serve", "user", "listenbrainz", "ana", "--off")
        self.hear(8)
        self.give("ben", "ben-token")
        self.hear(9, caller=self.ben)
        self.wait(lambda: len(self.service.listens()) == 2)
        self.assertEqual(self.times(), [7, 9])
        self.assertEqual(self.service.submissions[-1][2], "Token ben-token")

    def test_the_page_and_reports_of_players_are_told_too(self):
        owner = Caller(self.server, "me", self.server.password("me", "--owner"))
        self.give("me", "owner-token")
        request = urllib.request.Request(
            f"{self.server.address}/api/v1/plays", headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.server.token}"}, data=json.dumps(
                {"track": 1, "started_at": "2026-11-23T20:15:00Z", "seconds": self.song["duration"], "finished": True}
            ).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.assertEqual(answer.status, 201)
        self.wait(lambda: self.service.listens())
        for state, position in (("starting", 0), ("stopped", self.song["duration"] * 1000)):
            owner.get("reportPlayback", mediaId=self.song["id"], mediaType="song", state=state, positionMs=position)
        self.wait(lambda: len(self.service.listens()) == 2)
        self.assertEqual({token for _, _, token, _ in self.service.submissions}, {"Token owner-token"})
        self.wait(lambda: self.service.listens(["playing_now"]))

    def test_five_hundred_songs_wait_for_the_network_and_a_killed_server(self):
        self.service.stop()
        for number in range(500):
            self.hear(number)
            if number in (100, 300):
                self.server.stop(kills=True)
                self.server.start()
        self.assertEqual(self.state(), ("on", 500))
        self.assertEqual(self.log().count("plays of ana are queued"), 3, "once for each start of the server")
        self.server.stop(kills=True)
        self.service.start()
        self.server.start()
        self.wait(lambda: len(self.service.listens()) >= 500)
        self.wait(lambda: self.state() == ("on", 0))
        self.assertEqual(self.times(), list(range(500)))
        self.assertLessEqual(max(len(body["payload"]) for _, _, _, body in self.service.submissions), 200)

    def test_a_server_that_is_killed_while_it_sends_loses_nothing(self):
        self.service.delay = 0.3
        for number in range(12):
            self.hear(number)
            if number % 3 == 2:
                time.sleep(0.2)
                self.server.stop(kills=True)
                self.server.start()
        self.service.delay = 0
        self.wait(lambda: set(self.times()) == set(range(12)))
        self.wait(lambda: self.state() == ("on", 0))

    def test_a_token_that_is_refused_is_named_once_and_another_one_is_tried(self):
        self.service.answers = [(401, {})]
        for number in range(3):
            self.hear(number)
            self.wait(lambda: self.state() == ("refused", number + 1))
        self.assertEqual(len(self.service.submissions), 1)
        self.assertEqual(self.log().count("rejects the token of ana"), 1)
        self.give("ana", "another-token")
        self.wait(lambda: self.times() == [0, 1, 2])
        self.assertEqual(self.service.submissions[-1][2], "Token another-token")

    def test_too_many_requests_wait_as_the_service_says(self):
        self.service.answers = [(429, {"X-RateLimit-Reset-In": "2"})]
        begin = time.monotonic()
        self.hear()
        self.wait(lambda: self.times() == [0])
        self.assertGreaterEqual(time.monotonic() - begin, 2)
        self.assertEqual(self.log(), "")

    def test_errors_of_the_service_are_tried_again(self):
        self.service.answers = [(500, {}), (503, {})]
        self.hear()
        self.hear(1)
        self.wait(lambda: sorted(self.times()) == [0, 1])
        self.assertEqual(self.log().count("status 50"), 1)

    def test_one_song_that_is_refused_keeps_no_other_back(self):
        self.service.stop()
        for number in range(8):
            self.hear(number)
        self.service.start()

        self.service.judge = lambda body: (
            400 if any(listen["listened_at"] == START + 4 * 300 for listen in body["payload"]) else 200)
        self.wait(lambda: sorted(self.times()) == [0, 1, 2, 3, 5, 6, 7], 40)
        self.wait(lambda: self.state() == ("on", 0))
        self.assertIn("rejected a play of ana: status 400: no", self.log())

    def test_players_do_not_wait_for_a_slow_service(self):
        self.service.delay = 30
        begin = time.monotonic()
        for number in range(20):
            self.hear(number)
        self.assertLess(time.monotonic() - begin, 30)

    def test_the_token_is_in_one_file_only(self):
        self.service.answers = [(401, {})]
        self.hear()
        self.wait(lambda: self.state()[0] == "refused")
        self.server.run("backup", "-L", self.server.library, self.server.folder / "backup.sqlite")
        self.server.run("merge", "-L", self.server.folder / "merged.sqlite", self.server.library)
        self.server.run("export", "-L", self.server.library, "--what", "library", "-o", self.server.folder / "exported")
        self.server.stop()
        holders = [
            path.name for path in self.server.folder.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
        self.assertEqual(holders, ["serve-users"])
        self.assertNotIn(TOKEN, self.server.run("serve", "user", "ls") + self.server.run("serve", "user", "ls", "--json"))

    def test_words_that_make_no_sense(self):
        for words, text in (
            (["nobody", "--token-from", "-"], "nobody has no password"), (["ana"], "either --token-from or --off"),
            (["ana", "--token-from", "-", "--off"], "either"), (["ana", "--token-from", "/nothing"], "/nothing"),
            (["ana", "--token-from", "-"], "one word"),
        ):
            outcome = subprocess.run(
                [COMMAND, "serve", "user", "listenbrainz", *words], input="two words", text=True, capture_output=True,
                env=self.server.environment)
            self.assertNotEqual(outcome.returncode, 0, words)
            self.assertIn(text, outcome.stderr)
        self.assertEqual(self.state(), ("on", 0))


if __name__ == "__main__":
    unittest.main()
