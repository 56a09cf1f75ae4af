#!/usr/bin/env python3
"""Draws which module imports which and which folder of a module uses which, and finds circles of folders.

A folder uses another of its module if a file names a type, a protocol, a function or a constant that is declared at the top level
of the other's files. Comments and literal text do not count, and neither do members of extensions: what they are called is said of
other types, too. The subfolders of a folder belong to it, and the files beside the folders are one, `.`.

Usage: folder-graph.py [--check] [MODULE …]
--check prints nothing but circles, each as its folders with one file and name for each arrow, and fails if there are any.
"""

import argparse
import collections
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In this order: what starts first ends the others' reading.
INERT = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#+)"[^\n]*?"\2|"(?:\\.|[^"\\\n])*"', re.DOTALL)
ATTRIBUTES = r"(?:@\w+(?:\([^)\n]*\))?\s+|\b(?:package|public|internal|private|fileprivate|final|indirect|nonisolated(?:\(unsafe\))?)\s+)*"
DECLARATION = re.compile(
    rf"^{ATTRIBUTES}(struct|class|enum|protocol|actor|typealias|func|let|var|macro|precedencegroup)\s+(\w+)", re.MULTILINE)
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def code(text):
    """The text without comments and literals; interpolations go with them."""
    return INERT.sub(lambda found: '""' if '"' in found.group()[:4] else " ", text)


def folder_of(path, module):
    """The first folder below the module's, or `.`."""
    parts = path.relative_to(module).parts
    return parts[0] if len(parts) > 1 else "."


def arrows(module):
    """For each pair of folders where the first uses the second: the places, as (file, name)."""
    texts = {path: code(path.read_text()) for path in sorted(module.rglob("*.swift"))}
    declared = collections.defaultdict(set)
    for path, text in texts.items():
        for found in DECLARATION.finditer(text):
            if not re.match(r"(?:file)?private\b|.*\s(?:file)?private\s", found.group()):
                declared[found.group(2)].add(folder_of(path, module))
    uses = collections.defaultdict(list)
    for path, text in texts.items():
        here = folder_of(path, module)
        for name in sorted(set(NAME.findall(text)) & declared.keys()):
            # Overloads of a function in several folders are used in one's own.
            if here not in declared[name] and len(declared[name]) == 1:
                uses[here, *declared[name]].append((path.relative_to(module).as_posix(), name))
    return uses


def circles(edges):
    """The strongly connected components with more than one node (Tarjan, 1972)."""
    following = collections.defaultdict(list)
    for start, end in edges:
        following[start].append(end)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in following[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while component[-1:] != [node]:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted({node for edge in edges for node in edge}):
        if node not in index:
            visit(node)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sources", type=Path, default=ROOT / "Sources")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    modules = [options.sources / name for name in options.modules] or sorted(options.sources.iterdir())
    status = 0
    for module in modules:
        uses = arrows(module)
        found = circles(uses)
        if not options.check and uses:
            print(f"{module.name}: {len({n for e in uses for n in e})} folders, {len(uses)} arrows, circles of {sorted(map(len, found))}")
            for (start, end), places in sorted(uses.items()):
                names = collections.Counter(name for _, name in places)
                print(f"  {start} → {end}: {', '.join(sorted(names))}")
        for component in found:
            status = 1
            print(f"{module.name}: a circle of {', '.join(component)}")
            if options.check:
                for (start, end), places in sorted(uses.items()):
                    if start in component and end in component:
                        file, name = places[0]
                        print(f"  {start} → {end}: {file} uses {name}")
    sys.exit(status if options.check else 0)


if __name__ == "__main__":
    main()
