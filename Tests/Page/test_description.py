"""The API against its description, by schemathesis; ten thousand wrong requests are in MediaServerTests (HostileRequestsTests)."""

import os
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from support import PageTest


class DescriptionTests(PageTest):
    def assert_alive(self):
        self.assertIsNone(self.library.server.poll())
        with urllib.request.urlopen(f"{self.library.address}/api/v1/status", timeout=60) as answer:
            self.assertEqual(answer.status, 200)

    # Faults: 130
    def test_the_api_is_what_its_description_says(self):
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{self.library.address}/api/v1/openapi.json", "-H", f"Authorization: Bearer {self.library.token}", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance",
                   "--max-examples", os.environ.get("DEADWAX_SCHEMATHESIS_EXAMPLES", "10"), "--exclude-path-regex", "/(events|scan|roots/)", "--seed", "1", "--suppress-health-check", "all"]
        # It keeps a cache where it is started.
        with tempfile.TemporaryDirectory() as folder:
            outcome = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        self.assertEqual(outcome.returncode, 0, outcome.stdout[-4000:] + outcome.stderr[-2000:])
        self.assert_alive()


if __name__ == "__main__":
    unittest.main()
