#!/usr/bin/env python3
"""Runs the tests of the built test program, of the page and what it computes, the terminal, players and the Python package side by side.

Each process runs whole suites one test at a time, so tests that were never meant to share a process do not. Suites that watch
processes or memory run last, with nothing beside them. It ends with what failed, the time of each module and client, and the
thirty slowest tests; all times are written to build/test-times.json.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = ROOT / "build/test-times.json"
# Seconds of the suites that take longest, for the order of the first run; what this machine measured comes before it.
USUAL_TIMES = ROOT / "Tests/suite-times.json"

# These watch the memory or the processor time of processes while they work.
ALONE = {"EndToEndTests.BoundedMemoryTests", "EndToEndTests.KilledWorkersTests"}
# Other people's programs, a second browser, and what takes minutes by design.
SLOW_ONLY = {
    "page/test_firefox": "a second browser",
    "page/test_load": "minutes of listeners",
    "page/test_soak": "minutes of playing",
    "players/test_mopidy": "another program",
    "players/test_strawberry": "another program, in Xvfb",
    "players/test_jukebox": "plays in real time",
}
# What has moments that it misses on a busy machine, and is nobody's fault here: it is tried once more, alone, and named.
OTHERS = ("page/", "players/", "terminal/")
# Their tests scan, and start processes.
WHOLE_COMMAND = {"DeadwaxCLITests", "BuiltCommandTests", "EndToEndTests"}
BATCH_SECONDS = 12.0
UNKNOWN_SECONDS = 0.3
# A process that says nothing for so long hangs: no test is silent for a tenth of it on a machine of this size.
SILENCE_SECONDS = 600
SLOWEST_COUNT = 30
# Of temporary files at the same time: ten times what was measured.
MEMORY_BYTES = 5 << 30


class Job:
    """A process to run, and what came of it."""

    def __init__(self, name, command, estimate, events=None):
        self.name, self.command, self.estimate, self.events = name, command, estimate, events
        self.seconds, self.processor_seconds, self.status, self.output, self.hung = 0.0, 0.0, None, "", False

    def run(self):
        start = time.monotonic()
        # What tests that were killed leave behind goes with its folder.
        with tempfile.TemporaryFile() as log, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
            # Some programs run as another user.
            os.chmod(temporary, 0o755)
            process = subprocess.Popen(
                self.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True, env={**os.environ, "TMPDIR": temporary})
            size, changed = 0, start
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                time.sleep(0.05)
                new, now = os.fstat(log.fileno()).st_size, time.monotonic()
                if new != size:
                    size, changed = new, now
                if now - changed > SILENCE_SECONDS and not self.hung:
                    self.hung = True
                    end_group(process, signal.SIGABRT)
                    time.sleep(2)
                    end_group(process, signal.SIGKILL)
            # Popen was not asked, so that the kernel says what the process and all that it waited for have used.
            process.returncode = os.waitstatus_to_exitcode(ended[1])
            self.processor_seconds = ended[2].ru_utime + ended[2].ru_stime
            # What a test left running would disturb the next ones.
            end_group(process, signal.SIGKILL)
            log.seek(0)
            self.output = log.read().decode(errors="replace")
        self.status, self.seconds = process.returncode, time.monotonic() - start
        return self

    def skipped_count(self):
        """How many tests in Python say that they were not run."""
        return sum(map(int, re.findall(r"skipped=(\d+)", self.output) + re.findall(r"(\d+) skipped", self.output)))

    def report(self):
        """Lines about what failed; the last ones of a process that did not end by itself."""
        return failures(self.output) if self.events and self.status == 1 else self.output.splitlines()[-200:]


def use_memory():
    """Lets temporary files be in memory if there is much of it: tests wait for disks otherwise.

    Some tests start programs from there, which containers often forbid.
    """
    folder = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(folder, os.W_OK):
        return
    space = os.statvfs(folder)
    if space.f_bavail * space.f_frsize >= MEMORY_BYTES and not space.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def heed_signals():
    """Lets the programs of tests end by signals that whoever started this has them ignore (nohup, or a job in the background)."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def end_group(process, number):
    """Sends a signal to a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def is_chosen(name, patterns):
    return not patterns or any(re.search(pattern, name) for pattern in patterns)


def suites(program, chosen):
    """How many tests each suite has, by the names of suites with their modules; only the chosen ones."""
    listed = subprocess.run(
        [*program, "--list-tests"], capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()
    lost = [line for line in listed if line and "/" not in line]
    if lost:
        sys.exit(f"run-tests: tests outside of suites are not run: {lost}")
    counts = collections.Counter(line.split("/")[0] for line in listed if line)
    if unknown := ALONE - counts.keys():
        sys.exit(f"run-tests: there is no suite {sorted(unknown)}")
    return {name: count for name, count in counts.items() if is_chosen(name, chosen)}


def swift_jobs(program, names, times, folder):
    """Batches of suites, and those that run alone."""
    known = [(times.get(name, UNKNOWN_SECONDS * (10 if name.split(".")[0] in WHOLE_COMMAND else 1)), name) for name in names]
    batches, alone = [], []
    pending = []
    for seconds, name in sorted(known, reverse=True):
        if name in ALONE:
            alone.append([(seconds, name)])
        elif seconds >= BATCH_SECONDS:
            batches.append([(seconds, name)])
        else:
            pending.append((seconds, name))
    # Small suites fill batches, modules together.
    batch, sum_of_batch = [], 0.0
    for seconds, name in sorted(pending, key=lambda suite: suite[1]):
        if batch and sum_of_batch + seconds > BATCH_SECONDS:
            batches.append(batch)
            batch, sum_of_batch = [], 0.0
        batch.append((seconds, name))
        sum_of_batch += seconds
    if batch:
        batches.append(batch)

    def job(batch, number):
        pattern = "^(" + "|".join(re.escape(name) for _, name in batch) + ")/"
        events = Path(folder) / f"{number}.jsonl"
        title = batch[0][1] if len(batch) == 1 else f"{batch[0][1]} and {len(batch) - 1} more"
        command = [*program, "--no-parallel", "--filter", pattern, "--event-stream-output-path", str(events),
                   "--event-stream-version", "0"]
        return Job(title, command, sum(seconds for seconds, _ in batch), events=events)

    return ([job(batch, number) for number, batch in enumerate(batches)],
            [job(batch, len(batches) + number) for number, batch in enumerate(alone)])


def other_jobs(command, kinds, times, is_slow):
    """The tests in Node, together, and those in Python, a job for each file."""
    jobs = []
    if "web" in kinds:
        jobs.append(Job("web", ["scripts/test-web.sh"], times.get("web", 15)))
    for kind, script, folder in (
        ("page", "scripts/test-page.sh", "Tests/Page"),
        ("players", "scripts/test-opensubsonic.sh", "Tests/OpenSubsonic"),
        ("terminal", "scripts/test-terminal.sh", "Tests/Terminal"),
    ):
        if kind not in kinds:
            continue
        for file in sorted((ROOT / folder).glob("test_*.py")):
            name = f"{kind}/{file.stem}"
            if name in SLOW_ONLY and not is_slow:
                continue
            jobs.append(Job(name, [script, command, file.stem], times.get(name, 30)))
    if "python" in kinds:
        script = "scripts/test-python.sh"
        jobs.append(Job("python/lint", [script, command, "--lint"], times.get("python/lint", 30)))
        for file in sorted((ROOT / "integrations/python/tests").glob("test_*.py")):
            name = f"python/{file.stem}"
            jobs.append(Job(name, [script, command, f"tests/{file.name}"], times.get(name, 30)))
    return jobs


def test_times(events):
    """Seconds of each test function, by its suite and its name, from the stream of events; 0 for one that was skipped."""
    names, started, seconds = {}, {}, {}
    try:
        # Arguments of tests hold other separators of lines, too.
        lines = events.read_text().split("\n")
    except OSError:
        return {}
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        payload = record.get("payload", {})
        if record.get("kind") == "test":
            if payload.get("kind") == "function":
                names[payload["id"]] = payload.get("displayName") or payload.get("name")
        elif record.get("kind") == "event":
            identifier = payload.get("testID")
            instant = payload.get("instant", {}).get("absolute")
            if identifier not in names or instant is None:
                continue
            # Two tests of one name in two types of a suite are two.
            key = (identifier.split("/")[0], names[identifier], identifier)
            if payload.get("kind") == "testStarted":
                started[identifier] = instant
            elif payload.get("kind") == "testSkipped":
                seconds[key] = 0
            elif payload.get("kind") == "testEnded" and identifier in started:
                seconds[key] = instant - started[identifier]
    return seconds


def failures(output):
    """The lines about what failed: from each that begins so to the next that begins with another sign."""
    shown, failed = [], False
    for line in output.splitlines():
        if re.match(r"[◇✔↳\[➜]", line) and not (failed and line.startswith("↳")):
            failed = False
        if line.startswith("✘") or "error:" in line:
            failed = True
        if failed:
            shown.append(line)
    return shown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    # Half as many again as processors, because tests wait for processes and timers, too.
    parser.add_argument("--jobs", type=int, default=os.cpu_count() * 3 // 2, help="processes at once")
    parser.add_argument("--program", default=".build/release/deadwaxPackageTests.xctest", help="what `swift build --build-tests` made")
    parser.add_argument("--command", default=".build/release/deadwax", help="the built command")
    parser.add_argument("--kinds", default="swift,web,page,terminal,players,python")
    parser.add_argument("--slow", action="store_true", help="full counts, with a new seed, and the clients of others")
    parser.add_argument("--suites", action="append", help="a regular expression; only suites, files and clients with it")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    times = {}
    for file in (USUAL_TIMES, TIMES):
        if file.exists():
            times.update(json.loads(file.read_text())["suites"])

    if options.slow:
        seed = os.environ.setdefault("DEADWAX_TEST_SEED", str(secrets.randbits(32)))
        os.environ.update(DEADWAX_TEST_SIZE="slow", DEADWAX_TEST_STRAWBERRY="1")
        print(f"full counts, DEADWAX_TEST_SEED={seed}", flush=True)
    elif "DEADWAX_TEST_SIZE" not in os.environ:
        left_out = ", ".join(f"{name} ({reason})" for name, reason in SLOW_ONLY.items())
        print(f"left to `make test-slow`: full counts of kills, faults and random cases, three clusters; {left_out}", flush=True)

    use_memory()
    heed_signals()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = [str(ROOT / options.program), "--testing-library", "swift-testing"]
        expected = suites(program, options.suites) if "swift" in kinds else {}
        jobs, alone = swift_jobs(program, expected, times, folder)
        others = other_jobs(str(ROOT / options.command), kinds, times, options.slow)
        jobs += [job for job in others if is_chosen(job.name, options.suites)]
        jobs.sort(key=lambda job: -job.estimate)
        done, lock = [], threading.Lock()

        def run(job):
            job.run()
            with lock:
                done.append(job)
                mark = "ok" if job.status == 0 else "HUNG" if job.hung else "FAILED"
                print(f"[{len(done)}/{len(jobs) + len(alone)}] {mark:6} {job.seconds:6.1f} s, {job.processor_seconds:6.1f} s of a processor  "
                      f"{job.name}", flush=True)
                if job.status != 0:
                    print("\n".join(job.report()[:40]), flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(run, jobs))
        for job in alone:
            run(job)
        unsteady = []
        for job in [job for job in done if job.status != 0 and job.name.startswith(OTHERS)]:
            first = job.output
            if job.run().status == 0:
                unsteady.append((job.name, first))
        functions = {}
        for job in done:
            if job.events:
                functions.update(test_times(job.events))

    suite_times = collections.Counter()
    ran = collections.Counter()
    for (suite, *_), seconds in functions.items():
        suite_times[suite] += seconds
        ran[suite] += 1
    groups = collections.Counter()
    for suite, seconds in suite_times.items():
        groups[suite.split(".")[0]] += seconds
    for job in done:
        if not job.events:
            suite_times[job.name] = groups[job.name] = job.seconds
    TIMES.parent.mkdir(exist_ok=True)
    if not options.suites:
        TIMES.write_text(json.dumps({"suites": {name: round(value, 2) for name, value in suite_times.most_common()}}, indent=1))

    print(f"\nseconds of {len(functions)} tests by module, file and client:")
    for name, seconds in groups.most_common():
        print(f"{seconds:8.1f}  {name}")
    print(f"\nthe {SLOWEST_COUNT} slowest tests:")
    for (suite, name, _), seconds in sorted(functions.items(), key=lambda item: -item[1])[:SLOWEST_COUNT]:
        print(f"{seconds:8.1f}  {suite}: {name}")
    print("\nthe slowest suites:")
    for name, seconds in suite_times.most_common(SLOWEST_COUNT):
        print(f"{seconds:8.1f}  {name}")
    for name, output in unsteady:
        print(f"\nPassed only with nothing beside it: {name}\n" + "\n".join(output.splitlines()[-40:]))
    failed = [job for job in done if job.status != 0]
    for job in failed:
        reason = f"silent for {SILENCE_SECONDS} s" if job.hung else f"status {job.status}"
        print(f"\nFailed: {job.name} ({reason})")
        print("\n".join(job.report()))
    # A pattern that matches nothing, and a process that ends early, run nothing and report no failure.
    missing = {name: count - ran[name] for name, count in expected.items() if ran[name] < count}
    if missing:
        print(f"\nFailed: tests that were listed and did not run: {missing}")
    skipped = {job.name: count for job in done if not job.events and (count := job.skipped_count())}
    if skipped:
        print("\nnot run, for want of a program, a file, or full counts: "
              + ", ".join(f"{count} of {name}" for name, count in skipped.items()))
    # Full runs are there for the programs of others.
    missing.update({name: count for name, count in skipped.items() if name in SLOW_ONLY})
    print(f"\n{len(functions)} Swift tests and {len(done)} processes in {time.monotonic() - start:.0f} s "
          f"({sum(job.processor_seconds for job in done):.0f} s of processors), "
          + (f"{len(failed)} processes failed" if failed else "some tests did not run" if missing else "all passed"))
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
