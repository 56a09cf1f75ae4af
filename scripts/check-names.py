#!/usr/bin/env python3
"""Finds retired words in identifiers and names of files of the sources, the page and the tests, and lists long files.

Usage: check-names.py [--sources FOLDER …]
Fails if an identifier has a word of retired-words.txt: `StreamStatement`, `streamStatement`, `OldStreamStatements`, `HTTPStreamStatement`,
and a file `stream-statement.js` have the same. Files over 400 lines are only listed: a subject may need them.
"""

import argparse
import re
import sys
from pathlib import Path

from swift_sources import code

ROOT = Path(__file__).resolve().parent.parent
LONG = 400


def retired(text):
    """The retired words with what replaces them."""
    pairs = (line.split(" → ") for line in text.splitlines() if line and not line.startswith("#"))
    return {old.strip(): new.strip() for old, new in pairs}


def pattern(words):
    """Matches a retired word at the start of an identifier, or with a capital, and before no small letter but a plural's."""
    either = "|".join(f"[{word[0].lower()}{word[0].upper()}]{word[1:]}" for word in sorted(words))
    return re.compile(rf"(?:(?<![A-Za-z])|(?=[A-Z]))({either})(?=s?(?![a-z]))")


def identifier(path):
    """The name of a file as one word: those of the page have hyphens."""
    return re.sub(r"[-_](\w)", lambda letter: letter[1].upper(), path.name.split(".")[0])


def found(text, words):
    """The line numbers and words of a file's code, in order."""
    return [
        (number, match.group(1)[0].upper() + match.group(1)[1:])
        for number, line in enumerate(code(text).splitlines(), 1)
        for match in pattern(words).finditer(line)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=Path, nargs="+", default=[ROOT / "Sources", ROOT / "web", ROOT / "Tests"])
    options = parser.parse_args()
    words = retired((ROOT / "scripts/retired-words.txt").read_text())
    status, long = 0, []
    for path in sorted(path for folder in options.sources for end in ("swift", "js", "mjs") for path in folder.rglob(f"*.{end}")):
        text = path.read_text()
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for number, word in [*((1, word) for _, word in found(identifier(path), words)), *found(text, words)]:
            status = 1
            print(f"{name}:{number}: {word} is retired; the word is {words[word]}")
        if len(text.splitlines()) > LONG:
            long.append(f"{len(text.splitlines())} {name}")
    if long:
        print(f"over {LONG} lines: " + ", ".join(sorted(long, key=lambda entry: -int(entry.split()[0]))))
    sys.exit(status)


if __name__ == "__main__":
    main()
