"""Tests of check-links.py."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "check-links.py"


class LinkTests(unittest.TestCase):
    def check(self, text, **others):
        """The problems of a page `docs/page.md` beside other pages of docs, each without its number."""
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder).resolve() / "docs"
            docs.mkdir()
            for name, content in {"page": text, **others}.items():
                (docs / f"{name}.md").write_text(content)
            done = subprocess.run(
                [sys.executable, SCRIPT, "--root", folder, docs / "page.md"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if done.stderr else 0)
            return done.stderr.splitlines()

    def test_links_to_files_headings_and_other_sites_are_fine(self):
        text = "# One two\n[a](other.md) [b](other.md#the-c-heading-2) [c](#one-two) [d](https://example.org/x#y) [e](../docs)\n"
        self.assertEqual(self.check(text, other="## The `C` heading, 2\n"), [])

    def test_what_leads_nowhere_is_named_with_its_line(self):
        text = "[a](missing.md)\n\n[b](other.md#gone)\n![c](missing.png)\n<img src=\"gone.webp\">\n[d](#gone)\n"
        self.assertEqual(self.check(text, other="# There\n"), [
            "docs/page.md:1: missing.md: there is no such file", "docs/page.md:3: other.md#gone: there is no such heading",
            "docs/page.md:4: missing.png: there is no such file", "docs/page.md:5: gone.webp: there is no such file",
            "docs/page.md:6: #gone: there is no such heading"])

    def test_code_has_no_links(self):
        self.assertEqual(self.check("```\n[a](missing.md)\n```\nas in `[b](missing.md)` and `two\nlines [c](missing.md)`\n"), [])

    def test_every_form_of_a_link_is_read(self):
        for link in ("[a](<go ne.md>)", "[a](gone.md 'b')", "[a](gone.md (b))", "<img src='gone.png'>", '<a href = "gone.md">',
                     "[a]: gone.md"):
            self.assertEqual(len(self.check(link + "\n")), 1, link)

    def test_a_fence_ends_with_its_own_mark(self):
        self.assertEqual(self.check("~~~\n```\n[a](gone.md)\n~~~\n````\n```\n[b](gone.md)\n````\n[c](gone.md)\n"),
                         ["docs/page.md:9: gone.md: there is no such file"])

    def test_headings_of_one_name_are_counted_and_those_in_fences_are_none(self):
        text = "# A\n# A\n```\n# B\n```\n[a](#a) [b](#a-1) [c](#b)\n"
        self.assertEqual(self.check(text), ["docs/page.md:6: #b: there is no such heading"])

    def test_links_out_of_the_repository_are_broken(self):
        self.assertEqual(self.check("[a](../../elsewhere.md)\n"), ["docs/page.md:1: ../../elsewhere.md: there is no such file"])


if __name__ == "__main__":
    unittest.main()
