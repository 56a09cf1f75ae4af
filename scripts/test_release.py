"""Tests of release.py: what it refuses, and that a step which has passed is not run again."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import package  # noqa: E402
import release  # noqa: E402


class RefusalTests(unittest.TestCase):
    def refused(self, heading="1.2.0, 2026-12-01", version="1.2.0", project=None, is_dirty=False, is_trial=False):
        project = project or {"site": "https://deadwax.org", "maintainer": "A <a@deadwax.org>"}
        with mock.patch.object(package, "version", lambda: version), mock.patch.object(package, "PROJECT", project):
            return release.refusals(heading, is_dirty, is_trial)

    def test_a_release_that_is_dated_and_filled_in_is_not_refused(self):
        self.assertEqual(self.refused(), [])

    def test_each_reason_is_named(self):
        placeholders = {"site": "https://deadwax.example", "component": "example.deadwax.Deadwax", "maintainer": "A <a@examples.org>"}
        for word, change in {
            "'1.2.0, unreleased'": {"heading": "1.2.0, unreleased"}, "'1.1.0, 2026-12-01'": {"heading": "1.1.0, 2026-12-01"},
            "1.2.0-dev is a version before": {"version": "1.2.0-dev", "heading": "1.2.0-dev, 2026-12-01"},
            "placeholders: component, site": {"project": placeholders}, "not committed": {"is_dirty": True},
        }.items():
            found = self.refused(**change)
            self.assertEqual(len(found), 1, found)
            self.assertIn(word, found[0])

    def test_a_trial_permits_all_but_changes(self):
        self.assertEqual(self.refused("unreleased", project={"site": "x.example"}, is_trial=True), [])
        self.assertEqual(len(self.refused(is_dirty=True, is_trial=True)), 1)

    def test_notes_are_the_first_version_of_the_changelog(self):
        text = "# Changelog\n\nWords.\n\n## 1.2.0, today\n\n### Added\n\n- a\n\n## 1.1.0\n\n- b\n"
        self.assertEqual(release.changes(text), ("1.2.0, today", "### Added\n\n- a\n"))
        with self.assertRaises(release.ReleaseError):
            release.changes("# Changelog\n")


class StepTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Each step adds its name to a file; the second one fails as long as `broken` is there.
        self.ran = self.folder / "ran"
        self.steps = [(name, [["sh", "-c", f"echo {name} >> {self.ran}; [ {name} != two ] || [ ! -e {self.folder}/broken ]"]])
                      for name in ("one", "two", "three")]

    def release(self, **options):
        arguments = SimpleNamespace(**{"again": None, "dry_run": False, **options})
        said = io.StringIO()
        with mock.patch.object(release, "ROOT", self.folder), mock.patch.object(release, "steps", lambda *_: self.steps), \
                mock.patch.object(package, "output", lambda *words, **_: "c" * 40 if "rev-parse" in words else ""), \
                mock.patch.object(release.os, "geteuid", lambda: 0), \
                mock.patch.object(release, "refusals", lambda *_: []), contextlib.redirect_stdout(said):
            release.release(arguments, "heading")
        return said.getvalue()

    def names(self):
        return self.ran.read_text().split() if self.ran.exists() else []

    def test_a_run_goes_on_where_the_last_one_failed(self):
        (self.folder / "broken").touch()
        with self.assertRaisesRegex(release.ReleaseError, "two failed with status 1"):
            self.release()
        self.assertEqual(self.names(), ["one", "two"])
        (self.folder / "broken").unlink()
        self.release()
        self.assertEqual(self.names(), ["one", "two", "two", "three"])
        self.release()
        self.assertEqual(self.names(), ["one", "two", "two", "three"])

    def test_a_step_can_be_run_again_with_those_after_it(self):
        self.release()
        self.release(again="two")
        self.assertEqual(self.names(), ["one", "two", "three", "two", "three"])
        with self.assertRaisesRegex(release.ReleaseError, "there is no step 'four'"):
            self.release(again="four")

    def test_a_dry_run_runs_nothing(self):
        said = self.release(dry_run=True)
        self.assertEqual(self.names(), [])
        self.assertEqual(said.count("  todo  "), 3)
        self.assertFalse((self.folder / "build").exists())


if __name__ == "__main__":
    unittest.main()
