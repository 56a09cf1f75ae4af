#!/usr/bin/env python3
"""Prints which folder of a module uses which, and finds circles of folders.

A folder uses another of its module if a file names a type, a function or a constant that is declared at the top level of the
other's files, in interpolations, too. Comments and literals do not count. A member of an extension counts behind the name of its type, or
if no other file of any module declares its name; initializers and operators are not seen. A folder in a folder is one of its own,
`Formats/MP4`, beside the files of the outer one; the files of the module that are in no folder are `.`.

Usage: folder-graph.py [--check | --document] [MODULE …]
--check prints circles of modules and of folders alone, these with a file and a name for each arrow, and fails if there are any. --document
writes docs/modules.md.
"""

import argparse
import collections
import functools
import re
import sys
from pathlib import Path

from swift_sources import code, declarations, declared, members, names, used_members

SOURCES = Path(__file__).resolve().parent.parent / "Sources"


def folder_of(path, module):
    """The folder of a file, as a path below the module's, or `.`."""
    return path.relative_to(module).parent.as_posix()


@functools.cache
def once(sources):
    """The names that a single file of all modules declares: behind a dot, too, they mean nothing else."""
    count = collections.Counter(name for path in sources.rglob("*.swift") for name in declared(code(path.read_text())))
    return {name for name in count if count[name] == 1}


def arrows(module):
    """For each pair of folders where the first uses the second: the places, as (file, name)."""
    texts = {path: code(path.read_text()) for path in sorted(module.rglob("*.swift"))}
    places = collections.defaultdict(set)
    for path, text in texts.items():
        for name in declarations(text):
            places[name].add(folder_of(path, module))
    raised, own = collections.defaultdict(set), collections.defaultdict(set)
    for path, text in texts.items():
        here = folder_of(path, module)
        own[here] |= declared(text)
        for kind, name in members(text):
            for member in [(kind, name), *([name] if name in once(module.parent) - places.keys() else [])]:
                raised[member].add(here)
    qualified = re.compile(rf"\b{module.name}\.(\w+)")
    uses = collections.defaultdict(list)
    for path, text in texts.items():
        here = folder_of(path, module)
        for member in sorted(used_members(text) & raised.keys(), key=str):
            name = member if isinstance(member, str) else member[1]
            if name not in own[here] and len(raised[member]) == 1:
                uses[here, *raised[member]].append((path.relative_to(module).as_posix(), name))
        for name in sorted((names(text) | set(qualified.findall(text))) & places.keys()):
            # Of overloads in several folders one's own is used.
            if here not in places[name] and len(places[name]) == 1:
                uses[here, *places[name]].append((path.relative_to(module).as_posix(), name))
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
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted({node for edge in edges for node in edge}):
        if node not in index:
            visit(node)
    return sorted(found)


def imports(sources):
    """Which of the modules import which."""
    modules = {folder.name for folder in sources.iterdir() if any(folder.rglob("*.swift"))}
    kinds = "struct|class|enum|protocol|typealias|func|let|var"
    pattern = re.compile(rf"^ *(?:@\w+(?:\(\w+\))?\s+)*(?:\w+\s+)?import (?:(?:{kinds}) )?(\w+)", re.MULTILINE)
    return {
        name: {found for path in (sources / name).rglob("*.swift") for found in pattern.findall(path.read_text())}
        & (modules - {name})
        for name in modules
    }


def mermaid(graph):
    """The modules as a Mermaid diagram, without arrows that longer ways replace."""
    def reaches(start, end):
        return any(other == end or reaches(other, end) for other in graph[start])

    lines = ["graph TD"]
    for name in sorted(graph):
        for other in sorted(graph[name]):
            if not any(between != other and reaches(between, other) for between in graph[name]):
                lines.append(f"  {name} --> {other}")
    return "\n".join(lines)


def document(sources):
    """docs/modules.md: the modules as a diagram, and the folders of each, those that use no other first."""
    graph = imports(sources)
    text = ("# Modules and folders\n\nWritten by `scripts/folder-graph.py --document`; `make hygiene` fails if it is not current. An arrow leads from "
            "a module to one that it imports; arrows implied by a longer path are omitted. [ARCHITECTURE.md](../ARCHITECTURE.md) explains each "
            f"module.\n\n```mermaid\n{mermaid(graph)}\n```\n")
    for name in sorted(graph):
        uses = arrows(sources / name)
        folders = {folder_of(path, sources / name) for path in (sources / name).rglob("*.swift")}
        if folders == {"."}:
            continue
        text += f"\n## {name}\n\n"
        following = {folder: sorted(end for start, end in uses if start == folder) for folder in folders}
        for folder in in_order(following):
            used = ", ".join(f"`{other}`" for other in following[folder])
            text += f"- `{folder}`{f' uses {used}' if used else ''}\n"
    return text


def in_order(following):
    """The nodes, each behind those that it leads to, as far as there are no circles."""
    ordered = []

    def visit(node, way):
        if node in ordered or node in way:
            return
        for other in following[node]:
            visit(other, [*way, node])
        ordered.append(node)

    for node in sorted(following):
        visit(node, [])
    return ordered


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="print circles alone, and fail if there are any")
    parser.add_argument("--document", action="store_true", help="print docs/modules.md")
    parser.add_argument("--sources", type=Path, default=SOURCES)
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    if options.document:
        return print(document(options.sources), end="")
    modules = [options.sources / name for name in options.modules] or sorted(options.sources.iterdir())
    status = 0
    for circle in circles([(start, end) for start, ends in imports(options.sources).items() for end in ends]):
        status = 1
        print(f"a circle of modules: {', '.join(circle)}")
    for module in modules:
        uses = arrows(module)
        found = circles(uses)
        if uses and not options.check:
            print(f"{module.name}: {len({folder for arrow in uses for folder in arrow})} folders, {len(uses)} arrows")
            for (start, end), places in sorted(uses.items()):
                print(f"  {start} → {end}: {', '.join(sorted({name for _, name in places}))}")
        for circle in found:
            status = 1
            print(f"{module.name}: a circle of {', '.join(circle)}")
            for (start, end), places in sorted(uses.items()):
                if options.check and start in circle and end in circle:
                    print("  {} → {}: {} uses {}".format(start, end, *places[0]))
    sys.exit(status if options.check else 0)


if __name__ == "__main__":
    main()
