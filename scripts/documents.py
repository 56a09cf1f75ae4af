"""What the checks of Markdown files share: the text outside of fences, the repository's files, and the report."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)")


def prose(text):
    """The lines outside of fences; those inside are empty, so that numbers of lines stay."""
    open_fence, lines = "", []
    for line in text.split("\n"):
        fence = FENCE.match(line)
        lines.append("" if open_fence or fence else line)
        if fence and not open_fence:
            open_fence = fence[1]
        elif fence and fence[1].startswith(open_fence) and not fence[2].strip():
            open_fence = ""
    return "\n".join(lines)


def repository_files(root, *patterns):
    """The names of the files that are tracked or could be, below `root`."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in sorted(set(names)) if name and (root / name).exists()]


def check(description, patterns, problems):
    """Prints what `problems(root, files)` gives for the files that the command names, or else for those of the patterns.

    Returns the status to exit with.
    """
    parser = argparse.ArgumentParser(description=description.split("\n", 1)[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    files = [file.resolve() for file in arguments.files] or [root / name for name in repository_files(root, *patterns)]
    found = list(problems(root, files))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0
