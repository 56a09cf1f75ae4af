#!/usr/bin/env python3
"""Writes the tables of docs/reliability.md: the cases of Tests/fault-cases.txt with the tests that name them.

Usage: fault-cases.py [--check] [--root FOLDER]
A test names cases in a comment on a line of its own before it or its suite: `// Faults: 74, 82`, in Python `# Faults: 44`. Cases of
`make faults`, in Tests/Faults, have their numbers as arguments: `FaultCase(74, named: …)` or `number: 74`. --check fails if the document is not
current, if a test names a case that does not exist, or if a case without a test is called covered.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

BEGIN, END = "<!-- cases: written by scripts/fault-cases.py -->", "<!-- end of the cases -->"
STATES = ("covered", "partly", "open", "later")
TAG = re.compile(r"^\s*(?://|#) Faults: ([\d, ]+)$", re.MULTILINE)
LONG_CASE = re.compile(r"\(\s*((?:\d+,\s*)+)named:|\bnumber: (\d+)\b")


def cases(text):
    """Groups and their cases: (heading, [(number, case, expected, state, remark)])."""
    groups = []
    for line in text.splitlines():
        if line.startswith("# "):
            groups.append((line[2:], []))
        elif line.strip() and not line.startswith(";"):
            number, case, expected, remark = (*(field.strip() for field in line.split(" | ")), "", "")[:4]
            word, _, rest = remark.partition(":")
            state, remark = (word, rest.strip()) if word in STATES else ("covered", remark)
            groups[-1][1].append((int(number), case, expected, state, remark))
    return groups


def tests(root):
    """For each number of a case how many places of each test file name it."""
    found = defaultdict(Counter)
    for folder in (root / "Tests", root / "integrations/python/tests"):
        for file in sorted(folder.rglob("*")):
            if file.suffix not in (".swift", ".py", ".mjs"):
                continue
            text = file.read_text(encoding="utf-8")
            for match in TAG.finditer(text):
                for number in map(int, match.group(1).replace(",", " ").split()):
                    found[number][file.stem] += 1
            for match in LONG_CASE.finditer(text) if folder / "Faults" in file.parents else ():
                for number in map(int, re.findall(r"\d+", match.group(1) or match.group(2))):
                    found[number]["`make faults`"] += 1
    return found


def tables(groups, found):
    lines = []
    for heading, rows in groups:
        lines += [f"## {heading}", "", "| # | case | expected result | tests |", "|---|---|---|---|"]
        for number, case, expected, state, remark in rows:
            places = found.get(number, {})
            named = ", ".join(sorted((name for name in places), key=lambda name: (name.startswith("`"), name)))
            text = "; ".join(filter(None, [f"**{state}**" if state != "covered" else "", named, remark]))
            lines.append(f"| {number} | {case} | {expected} | {text} |")
        lines.append("")
    return "\n".join(lines)


def summary(groups):
    counts = Counter(row[3] for _, rows in groups for row in rows)
    parts = [f"{counts[state]} {words}" for state, words in zip(STATES, ("are covered", "partly", "open", "left for later"))]
    return f"{sum(counts.values())} cases: " + ", ".join(parts[:-1]) + f" and {parts[-1]}."


def problems(groups, found):
    rows = {row[0]: row for _, group in groups for row in group}
    for number in sorted(set(found) - set(rows)):
        yield f"case {number}, named by {', '.join(sorted(found[number]))}, is not in Tests/fault-cases.txt"
    for number, row in rows.items():
        if row[3] == "covered" and number not in found:
            yield f"case {number} is called covered, but no test names it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    groups = cases((arguments.root / "Tests/fault-cases.txt").read_text(encoding="utf-8"))
    found = tests(arguments.root)
    document = arguments.root / "docs/reliability.md"
    text = document.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    new = f"{before}{BEGIN}\n\n{summary(groups)}\n\n{tables(groups, found)}{END}{after}"
    faults = list(problems(groups, found))
    if arguments.check and new != text:
        faults.append("docs/reliability.md is not current: scripts/fault-cases.py writes it")
    if not arguments.check:
        document.write_text(new, encoding="utf-8")
    for fault in faults:
        print(f"fault-cases: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
