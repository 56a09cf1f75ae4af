#!/usr/bin/env python3
"""Writes what is derived from the files in web/: the list that the command embeds, and the modules that web/index.html names.

A file is part of the page because it lies in web/; nobody lists it by hand. The list is Sources/CWebPage/page-files.h, because the
compiler embeds only what it is told by name. index.html names each module that is imported, directly or not, before anything is
opened, so that the browser asks for all of them at once instead of for one after the other.

Usage: page-files.py [--check]
--check writes nothing, names what is out of date, and fails if anything is.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path("Sources/CWebPage/page-files.h")
INDEX = Path("web/index.html")
# A module that is loaded at once; `import(…)` waits until something is opened.
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom '([^']+)'", re.MULTILINE)
PRELOAD = re.compile(r'(?:<link rel="modulepreload" href="[^"]+">\n)+')


def page_files(web):
    """The names of all files below a folder, in order, but for types; hidden ones are an editor's or a system's."""
    names = [path.relative_to(web).as_posix() for path in web.rglob("*") if path.is_file()]
    return sorted(name for name in names if not name.endswith(".d.ts") and not re.search(r"(^|/)\.", name))


def header(names):
    """The files as C arrays, and the table by which the server finds them."""
    lines = ["// Made by scripts/page-files.py from the files in web/; do not edit."]
    for number, name in enumerate(names):
        lines += [f"static const uint8_t file_{number}[] = {{", f'#embed "../../web/{name}"', "};"]
    lines.append("static const DWPageFile files[] = {")
    lines += [f'    {{"{name}", file_{number}, sizeof file_{number}}},' for number, name in enumerate(names)]
    return "\n".join([*lines, "};", ""])


def imported_at_once(web, first="app.js"):
    """The modules that one module imports, directly or not, without itself."""
    found, left = set(), [first]
    while left:
        module = left.pop()
        folder = (web / module).parent
        for named in IMPORT.findall((web / module).read_text()):
            path = (folder / named).resolve().relative_to(web.resolve()).as_posix()
            if path not in found:
                found.add(path)
                left.append(path)
    return sorted(found - {first})


def index(text, modules):
    """The page with its modules named anew, where they were named before."""
    links = "".join(f'<link rel="modulepreload" href="/{module}">\n' for module in modules)
    changed, count = PRELOAD.subn(links, text)
    if count != 1:
        sys.exit(f"{INDEX} should name its modules in one place, not in {count}")
    return changed


def derived(root):
    """The text that each derived file should have."""
    web = root / "web"
    return {LIST: header(page_files(web)), INDEX: index((root / INDEX).read_text(), imported_at_once(web))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT)
    options = parser.parse_args()
    texts = derived(options.root)
    stale = [name for name, text in texts.items() if not (path := options.root / name).exists() or path.read_text() != text]
    for name in stale:
        if options.check:
            print(f"{name} is older than the files in web/: run scripts/page-files.py", file=sys.stderr)
        else:
            (options.root / name).write_text(texts[name])
    sys.exit(1 if options.check and stale else 0)


if __name__ == "__main__":
    main()
