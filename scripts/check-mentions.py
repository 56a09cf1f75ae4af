#!/usr/bin/env python3
"""Finds names and paths in ARCHITECTURE.md that the repository does not have.

Usage: check-mentions.py [--root FOLDER] [FILE …]
What stands in backticks outside of fences is a path if it has a slash or a file's ending, and must end the path of a file or a folder,
without `.swift` if need be; it is a name if it is one word, perhaps with members, and each of its words must occur in the sources, or be
the name of a file or a folder. Fails with a line for each that is nowhere.
"""

import re
import sys

from documents import check, prose, repository_files

SOURCES = ("Sources/", "Tests/", "web/", "integrations/", "scripts/")
MENTION = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.+-]+(?:/[\w.+-]*)+|[\w+-]+\.(?:swift|js|mjs|py|sh|sql|c|h|json|md|html|css|wasm)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\+\w+)?(?:\.[A-Za-z_]\w*)*(?:\([\w:]*\))?")
# Examples of the text.
EXAMPLES = {"X+Subject.swift", "fixtures/fuzz/name"}


def known(root):
    """All ends of paths, and all words of the sources."""
    ends, words = set(), set()
    for name in repository_files(root):
        parts = name.split("/")
        for stop in range(1, len(parts) + 1):
            ends |= {"/".join(parts[start:stop]) for start in range(stop)}
        if name.startswith(SOURCES) or name in ("Package.swift", "Makefile", "schema.sql"):
            words |= set(re.findall(r"\w+", (root / name).read_text(encoding="utf-8", errors="replace")))
    return ends | {end.removesuffix(".swift") for end in ends}, words


def problems(root, files):
    ends, words = known(root)
    for file in files:
        for number, line in enumerate(prose(file.read_text(encoding="utf-8")).split("\n"), 1):
            for mention in MENTION.findall(line):
                if mention in EXAMPLES or mention in ends:
                    continue
                if PATH.fullmatch(mention):
                    missing = mention.rstrip("/") not in ends
                else:
                    missing = NAME.fullmatch(mention) and not set(re.findall(r"\w+", mention)) <= words
                if missing:
                    yield f"{file.relative_to(root)}:{number}: {mention}: nothing is called that"


if __name__ == "__main__":
    sys.exit(check(__doc__, ["ARCHITECTURE.md"], problems))
