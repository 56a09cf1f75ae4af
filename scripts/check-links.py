#!/usr/bin/env python3
"""Checks links and pictures in the Markdown files of the repository: their files, and their headings.

Usage: check-links.py [--root FOLDER] [FILE …]
Without FILE it checks all tracked .md files. Links to other sites are not followed. Fails with a line for each link that leads nowhere.
"""

import re
import sys
import urllib.parse

from documents import check, prose

CODE = re.compile(r"(`+)(?:(?!\n\n).)*?\1", re.DOTALL)
LINK = re.compile(
    r"""\]\(\s*(?:<([^<>\n]+)>|([^)<>\s]+))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)"""
    r"""|(?:src|srcset|href)\s*=\s*(?:"([^"]+)"|'([^']+)')|^\[[^\]]+\]:\s+(\S+)""", re.MULTILINE)


def anchors(text):
    """The fragments of the headings as GitHub makes them; the second of one name ends in -1."""
    found, count = set(), {}
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", prose(text), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        found.add(name if name not in count else f"{name}-{count[name]}")
        count[name] = count.get(name, 0) + 1
    return found | set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text))


def links(text):
    """The number of the line and the target of each link outside of code."""
    text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), prose(text))
    for match in LINK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, next(filter(None, match.groups()))


def problems(root, files):
    for file in files:
        text = file.read_text(encoding="utf-8")
        for line, target in links(text):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            path, _, fragment = urllib.parse.unquote(target).partition("#")
            goal = (file.parent / path).resolve() if path else file
            if not goal.is_relative_to(root) or not goal.exists():
                yield f"{file.relative_to(root)}:{line}: {target}: there is no such file"
            elif fragment and goal.suffix == ".md" and fragment not in anchors(goal.read_text(encoding="utf-8")):
                yield f"{file.relative_to(root)}:{line}: {target}: there is no such heading"


if __name__ == "__main__":
    sys.exit(check(__doc__, ["*.md"], problems))
