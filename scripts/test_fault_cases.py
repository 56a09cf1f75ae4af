"""Tests of fault-cases.py."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "fault-cases.py"
BEGIN, END = "<!-- cases: written by scripts/fault-cases.py -->", "<!-- end of the cases -->"
CASES = "# C1 Files\n1 | empty | `empty`\n2 | a disk goes | status 4 | as root only\n; a comment\n# C2 Later\n3 | a moon | tides | later: no moon\n"


class FaultCasesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("Tests/fault-cases.txt", CASES)
        self.write("docs/reliability.md", f"# Before\n\n{BEGIN}\n{END}\n\nAfter\n")
        self.write("Tests/A/FilesTests.swift", "// Faults: 1, 2\n@Test func one() {}\n  // Faults: 1\n@Test func two() {}\n")
        self.write("Tests/Faults/Disks.swift", 'FaultCase(2, 1, named: "a disk goes") { trial in }')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, "--root", self.root, *arguments], capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_the_document_has_each_case_with_its_tests_and_is_then_current(self):
        self.assertEqual(self.run_script(), (0, ""))
        text = (self.root / "docs/reliability.md").read_text()
        self.assertTrue(text.startswith("# Before\n") and text.endswith("\n\nAfter\n"))
        self.assertIn("3 cases: 2 are covered, 0 partly, 0 open and 1 left for later.", text)
        self.assertIn("| 1 | empty | `empty` | FilesTests, `make faults` |", text)
        self.assertIn("| 2 | a disk goes | status 4 | FilesTests, `make faults`; as root only |", text)
        self.assertIn("| 3 | a moon | tides | **later**; no moon |", text)
        self.assertEqual(self.run_script("--check"), (0, ""))

    def test_what_is_not_current_is_told_and_not_written(self):
        status, error = self.run_script("--check")
        self.assertEqual((status, "is not current" in error), (1, True))
        self.assertNotIn("| 1 |", (self.root / "docs/reliability.md").read_text())

    def test_a_case_without_a_test_is_not_covered(self):
        self.write("Tests/fault-cases.txt", CASES + "4 | a sun | light\n")
        status, error = self.run_script()
        self.assertEqual((status, "case 4 is called covered, but no test names it" in error), (1, True))

    def test_a_case_that_does_not_exist_is_named_with_its_test(self):
        self.write("Tests/B/test_page.py", "# Faults: 9\ndef test_nine(): pass\n")
        status, error = self.run_script()
        self.assertEqual((status, "case 9, named by test_page," in error), (1, True))


if __name__ == "__main__":
    unittest.main()
