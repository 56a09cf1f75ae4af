#!/usr/bin/env python3
"""Interrupts the command while it writes music or makes it what it was, and looks at what is left.

    interrupt-writing.py [--deadwax PROGRAM] [--count 2000] [--seed N] [--every EIO] FILE…

Each time one of these happens at a random call of the command, of any of its threads and workers: it is killed; the call
fails with ENOSPC, EIO or EACCES; or another program changes, replaces or removes a file right before its exchange.
Afterwards each file has to be the old or the new one, whole, or what the other program made of it. After the next
start, the library has to agree, nothing may be left beside the files, and a scan may decode nothing.

With --every, each call that can fail fails once with that error instead, in order: every number of every call.

Then the same with disks that have room for ever more files, if a file system may be mounted.

Needs strace and ffmpeg. Ends with counts, and with status 1 if anything was not so.
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

CALLS = [
    "openat", "pwrite64", "pread64", "fsync", "fdatasync", "renameat2", "unlinkat", "copy_file_range", "fchmod", "sendmsg",
    "recvmsg", "close", "newfstatat", "fcntl", "mmap", "ftruncate",
]  # fmt: skip
FAILING = ["pwrite64", "copy_file_range", "fsync", "fdatasync", "renameat2", "unlinkat", "fchmod", "openat", "pread64"]


class Interruption:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.work = tempfile.mkdtemp(prefix="deadwax-interrupted-")
        self.music = os.path.join(self.work, "music")
        self.library = os.path.join(self.work, "library.sqlite")
        self.log = os.path.join(self.work, "calls")
        self.counts = collections.Counter()
        self.failureCount = 0

    def fail(self, text):
        self.failureCount += 1
        print(f"FAILED {text}", flush=True)

    def run(self, arguments, through=()):
        environment = dict(os.environ, DEADWAX_LIBRARY=self.library, LC_ALL="C.UTF-8")
        command = [*through, self.options.deadwax, *arguments]
        return subprocess.run(command, capture_output=True, env=environment, cwd=self.work, check=False)

    def must(self, *arguments):
        done = self.run(arguments)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def contents(self):
        found = {}
        for name in os.listdir(self.music):
            with open(os.path.join(self.music, name), "rb") as file:
                found[name] = file.read()
        return found

    # What is interrupted

    def prepare(self):
        os.mkdir(self.music)
        for number, path in enumerate(self.options.files):
            shutil.copy(path, os.path.join(self.music, f"{number}{os.path.splitext(path)[1]}"))
        self.must("scan", "-q", self.music)
        cover = os.path.join(self.work, "cover.png")
        source = ["-f", "lavfi", "-i", "testsrc=size=160x120", "-frames:v", "1", cover]
        subprocess.run(["ffmpeg", "-v", "error", *source], check=True, stdin=subprocess.DEVNULL)
        self.commands = {
            "write": ["artwork", "embed", "--all", "--file", cover, "--yes", "-q"], "undo": ["tags", "undo", "-q"],
        }  # fmt: skip
        self.old = self.contents()
        self.must(*self.commands["write"])
        self.new = self.contents()
        self.must(*self.commands["undo"])
        if self.contents() != self.old or any(self.new[name] == self.old[name] for name in self.old):
            raise RuntimeError("without a fault, not all files are written and undone")
        self.maxima = {}
        for name, arguments in self.commands.items():
            self.run(arguments, ["strace", "-f", "-qq", "-o", self.log, "-e", f"trace={','.join(CALLS)}"])
            with open(self.log, encoding="utf-8", errors="replace") as file:
                made = collections.Counter(re.findall(r"^(\d+) +(\w+)\(", file.read(), re.MULTILINE))
            self.maxima[name] = {call: max((n for (_, c), n in made.items() if c == call), default=0) for call in CALLS}
            self.bring("undo" if name == "write" else "write")

    def bring(self, name):
        """Brings all files into the state before an operation."""
        wanted = self.old if name == "write" else self.new
        for _ in range(20):
            if self.contents() == wanted:
                return
            self.run(self.commands["undo"] if name == "write" else self.commands["write"])
        raise RuntimeError("the files cannot be brought back")

    # Faults

    def interrupt(self, name):
        """Runs an operation under one fault; returns what it was, and files that another program has changed."""
        jobs = self.random.choice([["-j", "1"], ["-j", "2"], ["-j", "4"]])
        kind = self.random.choices(["kill", "error", "change"], [80, 15, 5])[0]
        arguments = self.commands[name] + jobs
        trace = ["strace", "-f", "-q", "-o", self.log, "-e", "signal=none"]
        if kind == "change":
            return self.change(name, arguments, trace)
        calls = CALLS if kind == "kill" else FAILING
        call = self.random.choice([call for call in calls if self.maxima[name][call]])
        number = self.random.randint(1, self.maxima[name][call])
        effect = "signal=KILL" if kind == "kill" else f"error={self.random.choice(['ENOSPC', 'EIO', 'EACCES'])}"
        self.strike(name, arguments, trace, kind, (call, number, effect))
        return f"{' '.join(jobs)} {name}: {effect} at {call} {number}", {}

    def strike(self, name, arguments, trace, kind, fault):
        """Runs an operation of which one call goes wrong."""
        call, number, effect = fault
        done = self.run(
            arguments, [*trace, "-e", f"trace={call}", "-e", f"inject={call}:{effect}:when={number}"])
        with open(self.log, encoding="utf-8", errors="replace") as file:
            log = file.read()
        # A call in which a process was killed has no result.
        wasHit = "INJECTED" in log or re.search(r"= \?$", log, re.MULTILINE) is not None
        self.counts[f"{kind}, hit" if wasHit else f"{kind}, no such call"] += 1
        if done.returncode in (-9, 137):
            self.counts["killed commands"] += 1
        if b"internal error" in done.stderr or b"Fatal error" in done.stderr:
            self.fail(f"{name}: {call} {number} {effect}: {done.stderr[-500:]!r}")
        return wasHit

    def every(self, error):
        """Fails each number of each call, until there is none with it, and looks at what is left."""
        trace = ["strace", "-f", "-q", "-o", self.log, "-e", "signal=none"]
        for name in ("write", "undo"):
            for call in FAILING:
                for number in range(1, self.maxima[name][call] + 1):
                    self.bring(name)
                    fault = (call, number, f"error={error}")
                    self.strike(name, [*self.commands[name], "-j", "1"], trace, f"{name} {call}", fault)
                    what = f"{name}: {error} at {call} {number}"
                    self.check(what, {})
                    self.settle(what, {})
                print(f"{name} {call}: {self.maxima[name][call]} calls, {self.failureCount} failures", flush=True)

    def change(self, name, arguments, trace):
        """Another program writes while the command is held up right before an exchange."""
        victim = self.random.choice(sorted(self.old))
        path = os.path.join(self.music, victim)
        how = self.random.choice(["append", "replace", "remove"])
        number = self.random.randint(1, len(self.old))
        held = ["-e", "trace=renameat2", "-e", f"inject=renameat2:delay_enter=400000:when={number}"]
        made = {}

        def strike():
            for _ in range(400):
                time.sleep(0.01)
                if sum(entry.startswith(".deadwax-") for entry in os.listdir(self.music)):
                    break
            time.sleep(self.random.random() * 0.3)
            if how == "append":
                with open(path, "ab") as file:
                    file.write(b"theirs")
            elif how == "replace":
                with open(path + ".other", "wb") as file:
                    file.write(b"theirs")
                os.rename(path + ".other", path)
            else:
                os.unlink(path)
            made[victim] = how

        thread = threading.Thread(target=strike)
        thread.start()
        self.run(arguments, [*trace, *held])
        thread.join()
        self.counts[f"change, {how}"] += 1
        return f"{name}: {victim} {how}", made

    # What has to hold

    def check(self, what, changed):
        found = {name: data for name, data in self.contents().items() if not name.startswith(".")}
        for name, data in found.items():
            theirs = changed.get(name)
            allowed = [self.old[name], self.new[name]]
            if theirs == "append":
                # A program that has the old file open writes to it after it was replaced.
                allowed += [data + b"theirs" for data in allowed]
            if theirs == "replace":
                allowed = [b"theirs", *allowed]
            if data not in allowed:
                self.fail(f"{what}: {name} is neither, {len(data)} bytes")
        missing = {name for name in self.old if name not in found and changed.get(name) != "remove"}
        if missing:
            self.fail(f"{what}: {missing} is missing")

    def settle(self, what, changed):
        scan = json.loads(self.must("scan", "--json", "--accept-missing", self.music) or b"{}")
        expected = ("decoded_files", "missing", "new") if not changed else ()
        if any(scan.get(key) for key in expected):
            self.fail(f"{what}: the scan had something to do: {scan}")
        found = self.contents()
        if not changed and set(found) != set(self.old):
            self.fail(f"{what}: left beside the files: {sorted(set(found) ^ set(self.old))}")
        with sqlite3.connect(self.library) as database:
            states = collections.Counter(dict_of(database, "SELECT id, state FROM file_change_part").values())
            paths = {os.path.basename(path) for path in dict_of(
                database, "SELECT path_text, 1 FROM file_change_part WHERE state = 'done'")}  # fmt: skip
        database.close()
        if states["planned"] or states["undoing"] or states["foreign"] and not changed:
            self.fail(f"{what}: the journal has {dict(states)}")
        if not changed and paths != {name for name, data in found.items() if data == self.new[name]}:
            self.fail(f"{what}: the journal says that {sorted(paths)} are written")

    def heal(self, changed):
        """Makes files whole that another program has changed, and forgets how to undo them."""
        for name in os.listdir(self.music):
            if name.startswith("."):
                os.unlink(os.path.join(self.music, name))
        for name in self.old:
            with open(os.path.join(self.music, name), "wb") as file:
                file.write(self.old[name])
        self.must("scan", "-q", "--accept-missing", self.music)
        last = json.loads(self.must("tags", "undo", "--list", "--json"))["changes"]
        if last:
            self.must("tags", "undo", "--forget", str(last[0]["id"]))

    # Small disks

    def disks(self):
        """Writes on disks with room for ever more pages, until it succeeds on some."""
        shutil.rmtree(self.music)
        os.mkdir(self.music)
        pages = successCount = 0
        while successCount < 3:
            if self.mount("size=65536k") != 0:
                print("no file system may be mounted: disks that are full were not tried")
                return
            try:
                self.heal({})
                used = os.statvfs(self.music)
                taken = (used.f_blocks - used.f_bfree) * used.f_bsize // 4096
                self.mount(f"remount,size={4 * max(1, taken + pages)}k")
                done = self.run(self.commands["write"])
                what = f"{pages} free pages"
                self.check(what, {})
                self.mount("remount,size=65536k")
                self.settle(what, {})
                isWritten = self.contents() == self.new
                if done.returncode == 0 and not isWritten and b"no-space" not in done.stderr:
                    self.fail(f"{what}: nothing was said: {done.stderr!r}")
                successCount = successCount + 1 if isWritten else 0
                self.counts["disks with room" if isWritten else "full disks"] += 1
                pages += 1 + pages // 6
            finally:
                subprocess.run(["umount", "-l", self.music], check=False)

    def mount(self, how):
        command = ["mount", "-t", "tmpfs", "-o", how, "tmpfs", self.music]
        return subprocess.run(command, capture_output=True, check=False).returncode

    def main(self):
        self.prepare()
        if self.options.every:
            self.every(self.options.every)
        for round_number in range(0 if self.options.every else self.options.count):
            name = self.random.choice(["write", "undo"])
            self.bring(name)
            what, changed = self.interrupt(name)
            self.check(what, changed)
            self.settle(what, changed)
            if changed:
                self.heal(changed)
            if round_number % 50 == 49:
                print(f"{round_number + 1}: {dict(self.counts)}", flush=True)
        if not self.options.every:
            self.disks()
        print(f"seed {self.options.seed}: {dict(self.counts)}, {self.failureCount} failures")
        shutil.rmtree(self.work)
        return 1 if self.failureCount else 0


def dict_of(database, sql):
    return dict(database.execute(sql).fetchall())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--deadwax", default=".build/release/deadwax", metavar="PROGRAM")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--every", metavar="ERROR")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    options.deadwax = os.path.abspath(options.deadwax)
    options.files = [os.path.abspath(path) for path in options.files]
    sys.exit(Interruption(options).main())


if __name__ == "__main__":
    main()
