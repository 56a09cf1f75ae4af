"""A library of the fixtures, a server with passwords, and calls of the protocol: what the tests of OpenSubsonic stand on."""

import atexit
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

COMMAND = os.environ["DEADWAX"]
PROJECT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = PROJECT / "fixtures" / "audio"
# The documents of the specification, which are no part of this repository.
SPECIFICATION = PROJECT.parent / "shared" / "corpora" / "opensubsonic"


class Server:
    """A library in a folder of its own, served on a free port."""

    def __init__(self, music=FIXTURES, options=()):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="deadwax-subsonic-"))
        atexit.register(self.close)
        shutil.copytree(music, self.folder / "music")
        self.library = self.folder / "library.sqlite"
        self.environment = {**os.environ, "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / "state")}
        self.run("scan", "-q", "-L", self.library, self.folder / "music")
        self.process = None
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [COMMAND, "serve", "-L", self.library, "--port", "0", *self.options], stdout=subprocess.PIPE, stderr=self.log, text=True,
            env=self.environment)
        printed = self.process.stdout.readline().strip()
        self.port = urllib.parse.urlsplit(printed).port
        self.token = printed.partition("#token=")[2]
        self.address = f"http://127.0.0.1:{self.port}"

    def stop(self, kills=False):
        if self.process:
            self.process.kill() if kills else self.process.terminate()
            self.process.wait(10)
            self.process.stdout.close()
            self.log.close()
        self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments):
        words = [COMMAND, *map(str, arguments)]
        return subprocess.run(words, check=True, env=self.environment, capture_output=True, text=True).stdout.strip()

    def password(self, user, *options):
        return self.run("serve", "user", "add", user, *options)

    def open(self, method, user, password, form=False, headers={}, **parameters):
        """The answer of a call, with everything that `urlopen` says of it; lists repeat their parameter."""
        fields = {"u": user, "p": password, "v": "1.16.1", "c": "tests", "f": "json", **parameters}
        text = urllib.parse.urlencode({name: value for name, value in fields.items() if value is not None}, doseq=True)
        address = f"{self.address}/rest/{method}"
        request = urllib.request.Request(
            address if form else f"{address}?{text}", data=text.encode() if form else None, headers=headers)
        return urllib.request.urlopen(request, timeout=60)


class Caller:
    """Somebody with a password."""

    def __init__(self, server, user, password):
        self.server, self.user, self.password = server, user, password

    def open(self, method, **parameters):
        return self.server.open(method, self.user, self.password, **parameters)

    def call(self, method, **parameters):
        """The answer in JSON, whatever its status."""
        with self.open(method, **parameters) as answer:
            return json.load(answer)["subsonic-response"]

    def get(self, method, **parameters):
        """The answer, which must be one."""
        answer = self.call(method, **parameters)
        if answer["status"] != "ok":
            raise AssertionError(f"{method}: {answer}")
        return answer

    def songs(self):
        return self.get("search3", query="", songCount=500, artistCount=0, albumCount=0)["searchResult3"]["song"]


class ServerTest(unittest.TestCase):
    """One server for all tests that leave it as it was."""

    server = None

    @classmethod
    def setUpClass(cls):
        if ServerTest.server is None:
            ServerTest.server = Server()
            ServerTest.ana = Caller(ServerTest.server, "ana", ServerTest.server.password("ana", "--right", "manage"))
        cls.maxDiff = 4000
