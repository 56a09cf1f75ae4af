#!/usr/bin/env python3
"""Draws which folder of the page uses which, and finds arrows upward and circles.

A module uses another if it imports it, now (`import … from`, `import '…'`), later (`import(…)`) or for its types in a comment, or
loads it by its address, as a worker or a worklet. Folders lie in layers, from what knows nothing of music up to the page as a whole, and use only those of their own layer and of layers below;
neither folders nor modules form circles. The subfolders of `views` are folders of one layer.

Usage: page-graph.py [--check] [--web FOLDER]
--check prints nothing but what is wrong, each arrow with the module where it begins, and fails if anything is.
"""

import argparse
import collections
import graphlib
import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# From the bottom to the top. What lies beside the folders is `app`, too: it puts the page together.
LAYERS = ["core", "data", "drawing", "audio", "player", "components", "views", "app"]
USED = re.compile(r"""\b(?:from|import|Worker|addModule)\b\s*\(?\s*(?:/\*.*?\*/\s*)?(['"`])(\.{0,2}/[^'"`\n]+)\1""")


def folder_of(module):
    """The folder of a module; that of those beside the folders is the uppermost layer."""
    return posixpath.dirname(module) or LAYERS[-1]


def layer_of(module):
    """The place of a module's layer, counted from the bottom; an unknown folder is above all others."""
    first = folder_of(module).split("/")[0]
    return LAYERS.index(first) if first in LAYERS else len(LAYERS)


def uses(web):
    """The modules that each module uses, by their paths below the folder."""
    found = {}
    for path in sorted([*web.rglob("*.js"), *web.rglob("*.d.ts")]):
        name = path.relative_to(web).as_posix()
        named = [match.group(2) for match in USED.finditer(path.read_text())]
        found[name] = {posixpath.normpath(posixpath.join("/", posixpath.dirname(name), one))[1:] for one in named}
    return found


def arrows(modules):
    """For each pair of folders where the first uses the second: the modules in which it does, and what they use."""
    found = collections.defaultdict(list)
    for module, used in modules.items():
        for other in sorted(used):
            if folder_of(module) != folder_of(other):
                found[folder_of(module), folder_of(other)].append((module, other))
    return found


def circle(edges):
    """One circle of a graph, from a node back to it; none if there is none."""
    graph = collections.defaultdict(set)
    for start, end in edges:
        graph[start].add(end)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        # The sorter names what comes first: the other way round it reads as “uses”.
        return error.args[1][::-1]
    return []


def faults(modules):
    """What is wrong, a line each."""
    folders = arrows(modules)
    lines = [f"{module} uses {other}: upward" for places in folders.values() for module, other in places
             if layer_of(other) > layer_of(module)]
    lines += [f"{folder}/ is in no layer" for folder in sorted({folder_of(module) for module in modules})
              if folder.split("/")[0] not in LAYERS]
    for what, edges in (("folders", folders), ("modules", [(one, other) for one, used in modules.items() for other in used])):
        if found := circle(edges):
            lines.append(f"a circle of {what}: {' → '.join(found)}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--web", type=Path, default=ROOT / "web")
    options = parser.parse_args()
    modules = uses(options.web)
    if not options.check:
        folders = arrows(modules)
        names = sorted({folder_of(module) for module in modules}, key=lambda name: (layer_of(f"{name}/"), name))
        print(f"{len(modules)} modules, {len(names)} folders, {len(folders)} arrows")
        for name in names:
            print(f"  {name} → {', '.join(sorted(end for start, end in folders if start == name)) or '–'}")
    found = faults(modules)
    for line in found:
        print(f"the page: {line}")
    sys.exit(1 if options.check and found else 0)


if __name__ == "__main__":
    main()
