"""check-mentions.py: which names and paths in documents lead nowhere."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "check-mentions.py"


class MentionsTests(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = {"Sources/Base/Text/Folding.swift": "struct Folding {\n  func fold() {}\n}\n",
                     "web/core/api.js": "export const api = 1;\n", "ARCHITECTURE.md": text}
            for name, content in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            subprocess.run("git init -q && git add -A", shell=True, cwd=root, check=True)
            done = subprocess.run([sys.executable, SCRIPT, "--root", root], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        return done.stderr.splitlines()

    def test_what_is_there_is_fine(self):
        text = "`Base/Text/Folding.swift` `Text/Folding` `Text/` `core/api.js` `Folding.fold` `fold()` `Folding` `api`\n"
        self.assertEqual(self.check(text), [])

    def test_names_and_paths_that_are_nowhere_are_found(self):
        for mention in ("Base/Text/Gone.swift", "Base/Folding.swift", "web/gone/", "gone.js", "Gone", "Folding.gone"):
            self.assertEqual(self.check(f"a\n`{mention}`\n"), [f"ARCHITECTURE.md:2: {mention}: nothing is called that"], mention)

    def test_other_text_is_none(self):
        self.assertEqual(self.check("Gone, `deadwax ls 'a:b'`, `Codecs/…`\n```\n`Gone`\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
