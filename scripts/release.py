#!/usr/bin/env python3
"""Makes everything that is published of the current commit, and tests it: `make release`. Needs root, for the clean roots.

    release.py [--dry-run] [--again STEP]

Each step runs once for a commit: build/release/COMMIT has a stamp and a log of each one that has passed, and packages/ with the result. After
a failure, or when it was stopped, the next run goes on with that step; --again runs a step and those after it again. --dry-run lists
the steps and what is left to do.

Nothing is made of a tree with changes, of a version whose heading in CHANGELOG.md has no date, or with placeholders in
packaging/project.toml. RELEASE_TRIAL=1 permits the last two, to try everything. KEY=ID also makes the signed repository.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import package
from package import ROOT

HERE = Path(__file__).resolve().parent


class ReleaseError(Exception):
    """Why nothing is released; a sentence."""


def changes(text):
    """The heading of the first version in a changelog, and what is below it."""
    sections = re.split(r"^## (.*)\n", text, maxsplit=2, flags=re.MULTILINE)
    if len(sections) < 3:
        raise ReleaseError("CHANGELOG.md has no version")
    return sections[1], sections[2].strip() + "\n"


def refusals(heading, is_dirty, is_trial):
    """Sentences of why a commit is not released."""
    found = []
    if is_dirty:
        found.append("the tree has changes that are not committed")
    if is_trial:
        return found
    if not re.fullmatch(re.escape(package.version()) + r", \d{4}-\d\d-\d\d", heading):
        found.append(f"CHANGELOG.md begins with '{heading}'; a release is '{package.version()}, YEAR-MONTH-DAY'")
    if "-" in package.version():
        found.append(f"{package.version()} is a version before a release")
    if package.placeholders():
        found.append(f"packaging/project.toml has placeholders: {', '.join(package.placeholders())}")
    return found


def steps(packages, key):
    """The steps in order: a name, and the commands."""
    again = packages.parent / "again"
    def sums(file):
        return ["env", "-C", packages, "sha256sum", "--check", "--strict", file]
    result = [
        ("check", [["make", "check"]]),
        ("command", [["make", "man"], [sys.executable, HERE / "release.py", "--check-command"]]),
        ("packages", [["make", "deb", "tarball", f"PACKAGES={packages}"]]),
        # What another folder, another time and another order of files would change.
        ("packages-again", [[HERE / "package.py", kind, "-o", again] for kind in ("deb", "tarball")]
         + [sums(again / "SHA256SUMS"), ["rm", "-r", again]]),
        ("image", [[HERE / "container.py", packages]]),
        ("notes", [[sys.executable, HERE / "release.py", "--write-notes", packages / "NOTES.md"]]),
        ("clean-roots", [["env", f"PACKAGES={packages}", HERE / "test-packages.py"]]),
    ]
    if key:
        result.append(("repository", [["make", "apt", f"PACKAGES={packages}", f"KEY={key}"]]))
    return [*result, ("sums", [sums("SHA256SUMS")])]


def check_command():
    """Fails unless the built command is of this version and commit."""
    said = package.output(ROOT / "bin/deadwax", "--version", "--verbose").splitlines()
    wanted = [f"deadwax {package.version()}", f"commit    {package.output('git', 'rev-parse', 'HEAD', cwd=ROOT).strip()}"]
    if said[:2] != wanted:
        raise ReleaseError(f"bin/deadwax is '{'; '.join(said[:2])}' instead of '{'; '.join(wanted)}'")


def run_step(number, count, name, commands, folder):
    """Runs the commands of a step; what they print goes to its log and its end is shown if one fails."""
    print(f"{number}/{count} {name}", flush=True)
    began = time.monotonic()
    log = folder / f"{name}.log"
    with log.open("w") as file:
        for command in commands:
            words = [str(word) for word in command]
            file.write(f"$ {shlex.join(words)}\n")
            file.flush()
            status = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
            if status != 0:
                end = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
                raise ReleaseError(f"{name} failed with status {status}; {log} ends with\n{end}\nAfter a repair, make release goes on with this step")
    (folder / f"{name}.done").write_text(f"{time.monotonic() - began:.0f} s\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="list the steps and what is left to do")
    parser.add_argument("--again", metavar="STEP", help="run a step and those after it, although it has passed")
    parser.add_argument("--check-command", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--write-notes", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        heading, notes = changes((ROOT / "CHANGELOG.md").read_text())
        if arguments.check_command:
            return check_command()
        if arguments.write_notes:
            arguments.write_notes.write_text(f"# Deadwax {heading}\n\n{notes}")
            return None
        release(arguments, heading)
    except (ReleaseError, package.PackagingError, OSError) as error:
        sys.exit(f"release: {error}")


def release(arguments, heading):
    commit = package.output("git", "rev-parse", "HEAD", cwd=ROOT).strip()
    is_trial = os.environ.get("RELEASE_TRIAL") == "1"
    folder = ROOT / "build/release" / commit[:12]
    packages = folder / "packages"
    todo = steps(packages, os.environ.get("KEY"))
    names = [name for name, _ in todo]
    if arguments.again and arguments.again not in names:
        raise ReleaseError(f"there is no step '{arguments.again}'; there are {', '.join(names)}")
    first = names.index(arguments.again) if arguments.again else len(names)
    found = refusals(heading, bool(package.output("git", "status", "--porcelain", cwd=ROOT)), is_trial)
    if os.geteuid() != 0:
        found.append("clean roots need root")
    if arguments.dry_run:
        print(f"Deadwax {package.version()}, commit {commit[:12]}, in {folder}")
        for number, (name, commands) in enumerate(todo):
            is_done = (folder / f"{name}.done").exists() and number < first
            print(f"  {'done' if is_done else 'todo'}  {name:15} {'; '.join(shlex.join(map(str, command)) for command in commands)}")
        for sentence in found:
            print(f"  refused: {sentence}")
        return
    if found:
        raise ReleaseError("; ".join(found))
    packages.mkdir(parents=True, exist_ok=True)
    for name in names[first:]:
        (folder / f"{name}.done").unlink(missing_ok=True)
    for number, (name, commands) in enumerate(todo, start=1):
        if not (folder / f"{name}.done").exists():
            run_step(number, len(todo), name, commands, folder)
    print(f"{packages} has everything that is published" + (" (a trial: publish nothing of it)" if is_trial else
          f"; the tag: git tag --sign v{package.version()} {commit[:12]}"))


if __name__ == "__main__":
    main()
