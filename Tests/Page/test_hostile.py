"""Ten thousand requests that no browser sends: each is refused or harmless, and the server answers on."""

import json
import os
import random
import socket
import subprocess
import sys
import unittest
import urllib.parse
import urllib.request

from support import PageTest

COUNT = int(os.environ.get("DEADWAX_HOSTILE_REQUESTS", 10_000))

# What is put wherever a value goes.
VALUES = [
    "", "0", "-1", "1", "2", "99999999999999999999", "1e308", "NaN", "Infinity", "-0", "0x10", "1;2", "null", "true", "../../etc/passwd", "..%2f..%2fetc%2fpasswd",
    "%00", "%ff%fe", "%", "%zz", "%25252e", "<script>alert(1)</script>", "'; DROP TABLE track; --", "\" OR \"\"=\"", "title::(a+)+$", "title::[", "((((((((", "a,b,c,d" * 40,
    "-" * 500, "x" * 4000, "\u202e\u0000\ud83d", "band(NaN):>1", "lufs:..", "year:5..1", "id:" + "9" * 60, "$(reboot)", "`id`", "file:///etc/passwd", "http://evil.example/",
]
RANGES = ["bytes=0-", "bytes=-1", "bytes=-0", "bytes=5-1", "bytes=0-0,1-1", "bytes=" + "0-1," * 900, "bytes=99999999999999999999-", "bytes=a-b", "items=0-1", "bytes=--1", "bytes 0-1"]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get"]
BODIES = ["", "{", "[]", "null", "{\"rating\": 1e999}", "{\"rating\": -1}", "{\"rating\": \"50\"}", "[" * 5000, "{\"a\":" * 900 + "1" + "}" * 900, "\ufeff{}", "\x00", "{\"track\": 1, \"started_at\": \"x\"}",
          "{\"name\": \"../../x\", \"tracks\": [1, 1, -1, 1e9]}", "{\"scope\": \"track\", \"preset\": null}", "<xml/>", "a=b&c=d", "{\"name\": \"" + "n" * 60_000 + "\"}"]


class HostileTests(PageTest):
    """Against a server of its own library, because some of these requests are right by chance."""

    def setUp(self):
        self.failures = []
        self.port = urllib.parse.urlsplit(self.library.address).port
        document = json.load(urllib.request.urlopen(f"{self.library.address}/api/v1/openapi.json"))
        self.paths = [(path, method, [one["name"] for one in operation["parameters"] if one["in"] == "query"])
                      for path, operations in document["paths"].items() for method, operation in operations.items()]

    def send(self, data, connection=None):
        """The status of the answer; None if the connection was closed without one."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(data)
            try:
                # What is no request is not answered before its end; a client that has closed its side is one that has left.
                connection.settimeout(0.1)
                try:
                    head = connection.recv(65536)
                except TimeoutError:
                    connection.settimeout(60)
                    connection.shutdown(socket.SHUT_WR)
                    head = connection.recv(65536)
            except ConnectionError:
                return None, b""
            status = int(head[9:12]) if head.startswith(b"HTTP/1.1 ") else None
            return status, head

    def request(self, dice):
        """Bytes that look like HTTP, more or less."""
        path, method, names = dice.choice(self.paths)
        for _ in range(path.count("{")):
            start, end = path.index("{"), path.index("}")
            path = path[:start] + (dice.choice(["1", "2", "3"]) if dice.random() < 0.5 else urllib.parse.quote(dice.choice(VALUES).encode("utf-8", "surrogatepass"), safe="%")) + path[end + 1:]
        query = "&".join(f"{name}={urllib.parse.quote(dice.choice(VALUES).encode('utf-8', 'surrogatepass'), safe='%')}" for name in names + ["what"] if dice.random() < 0.5)
        target = path + ("?" + query if query else "")
        if dice.random() < 0.05:
            target = dice.choice(["*", "//", "/" + "../" * 30, "http://evil.example/", "/?" + "a" * 9000, "/api/v1/" + "x/" * 300, "/%2e%2e/%2e%2e/etc/passwd", "\x01", ""])
        verb = method.upper() if dice.random() < 0.7 else dice.choice(METHODS)
        # A scan or a stream of events would only take time.
        if "/events" in target or "/scan" in target:
            verb = "BREW"
        body = dice.choice(BODIES).encode() if verb in ("POST", "PUT", "PATCH") or dice.random() < 0.05 else b""
        host = f"127.0.0.1:{self.port}" if dice.random() < 0.9 else dice.choice(["evil.example", "", "127.0.0.1.evil.example", "localhost:1", "[::1", "a" * 5000, "localhost\tx"])
        lines = [f"{verb} {target} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {self.library.token}"]
        if dice.random() < 0.2:
            lines.append("Range: " + dice.choice(RANGES))
        if dice.random() < 0.1:
            lines.append("If-None-Match: " + dice.choice(["*", "\"", "W/\"x\"", "\"a\", " * 500]))
        if dice.random() < 0.1:
            lines.append(dice.choice(["Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Cookie: " + "a=b; " * 900, "X: " + "y" * 20_000, "Accept-Encoding: " + "gzip, " * 500, "Expect: 100-continue", "Upgrade: websocket", "no colon"]))
        kind = dice.random()
        if body and kind < 0.8:
            lines += ["Content-Type: " + dice.choice(["application/json", "text/plain", "application/json; charset=utf-7"]), f"Content-Length: {len(body)}"]
        elif body and kind < 0.9:
            lines += ["Transfer-Encoding: chunked"]
            body = dice.choice([b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n", b"ffffffffffffffff\r\n" + body, b"-1\r\n" + body])
        elif body:
            lines += [f"Content-Length: {dice.choice(['-1', '99999999999', '1, 2', 'x', '0'])}"]
        return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body

    def test_no_request_brings_the_server_down_or_gives_away_a_file(self):
        dice = random.Random(int(os.environ.get("DEADWAX_TEST_SEED", 1)))
        tally = {}
        for number in range(COUNT):
            data = self.request(dice)
            status, head = self.send(data)
            tally[status] = tally.get(status, 0) + 1
            self.assertNotIn(status, (500, 501, 502), f"request {number}: {data[:300]!r} → {head[:600]!r}")
            self.assertNotIn(b"root:x:", head)
            if number % 1000 == 999:
                self.assert_alive()
        if COUNT > 10_000 or "DEADWAX_HOSTILE_REQUESTS" in os.environ:
            print(tally)
        self.assertGreater(tally.get(200, 0), COUNT // 100, "hardly a request was right: the others show little")
        self.assertGreater(sum(count for status, count in tally.items() if status and 400 <= status < 500), COUNT // 3)
        self.assert_alive()

    def test_a_body_that_ends_too_early_is_a_wrong_request(self):
        head = f"PUT /api/v1/tracks/1/rating HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\nAuthorization: Bearer {self.library.token}\r\n"
        for rest in ("Content-Length: 99\r\n\r\n{\"rating\":", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"ra"):
            status, answer = self.send((head + rest).encode())
            self.assertEqual(status, 400, answer)

    def assert_alive(self):
        self.assertIsNone(self.library.server.poll())
        with urllib.request.urlopen(f"{self.library.address}/api/v1/status", timeout=60) as answer:
            self.assertEqual(answer.status, 200)

    def test_the_api_is_what_its_description_says(self):
        try:
            import schemathesis  # noqa: F401
        except ImportError:
            self.skipTest("missing: schemathesis (pip install schemathesis)")
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{self.library.address}/api/v1/openapi.json", "-H", f"Authorization: Bearer {self.library.token}", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance",
                   "--max-examples", os.environ.get("DEADWAX_SCHEMATHESIS_EXAMPLES", "10"), "--exclude-path-regex", "/(events|scan)", "--seed", "1", "--suppress-health-check", "all"]
        outcome = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 0, outcome.stdout[-4000:] + outcome.stderr[-2000:])
        self.assert_alive()


if __name__ == "__main__":
    unittest.main()
