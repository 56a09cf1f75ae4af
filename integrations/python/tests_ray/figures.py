"""How long a cluster takes against one machine: ``make bench-cluster MUSIC=DIR`` prints it, for docs/scale.md.

Only the time from the first attempt to the last commit counts, without Ray's start and the merge. Everything is
measured in one run on one machine, so that ratios mean something.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from cluster_support import cluster, merged, scanned, shards
from conftest import RayCluster
from program import deadwax

MUSIC = Path(os.environ.get("DEADWAX_MUSIC", "."))


def span(store, *options):
    """The seconds from the first start to the last end of a run."""
    lines = cluster("run", store, "--json-events", *options).splitlines()
    times = [json.loads(line)["time"] for line in lines if line.startswith('{"event"')]
    return max(times) - min(times)


def planned(folder, name, source):
    store = folder / name
    # Large folders are divided, so that two nodes can share the work.
    cluster("plan", store, "--source", source, "--buckets", "16", "--target", "4")
    return store


def plain_scan(folder, source, jobs):
    began = time.monotonic()
    deadwax("scan", "-q", "-j", str(jobs), "-L", folder / f"plain-{time.monotonic_ns()}.sqlite", source)
    return time.monotonic() - began


def test_figures(tmp_path, capsys):
    source = tmp_path / "music"
    subprocess.run(["cp", "-a", "--reflink=auto", MUSIC, source], check=True)
    scans = [plain_scan(tmp_path, source, 2)]
    seconds = {}
    for count in (1, 2):
        # Names of sockets have at most 107 bytes, so the folder's must be short.
        folder = tempfile.mkdtemp(prefix="ray-")
        ray = RayCluster(6400 + count, folder)
        try:
            for number in range(count):
                ray.add_node()
                ray.wait_for(number + 1)
            store = planned(tmp_path, f"store-{count}", source)
            seconds[count] = span(store, "--engine", "ray", "--address", ray.address)
        finally:
            ray.close()
            shutil.rmtree(folder, ignore_errors=True)
    scans.append(plain_scan(tmp_path, source, 2))
    plain = sum(scans) / 2
    one = scanned(source, tmp_path / "one.sqlite")
    is_equal = merged(store, tmp_path / "all.sqlite") == one
    # A new album.
    album = source / "One more album"
    album.mkdir()
    shutil.copy(next(path for path in sorted(source.rglob("*.*")) if path.is_file()), album)
    before = set(shards(store))
    cluster("plan", store)
    cluster("run", store)
    touched = len(set(shards(store)) - before)
    ratio, more = seconds[2] / seconds[1], seconds[2] / plain - 1
    rows = [
        ("two nodes against one", f"{seconds[2]:.1f} s / {seconds[1]:.1f} s = {ratio:.2f}", "0.55"),
        ("two nodes against a plain scan with two workers", f"{more:+.0%} ({plain:.1f} s)", "+15 %"),
        (f"{len(one)} files, merged and scanned at once", "equal" if is_equal else "DIFFERENT", "equal"),
        ("buckets that one more album touches", str(touched), "1"),
    ]
    with capsys.disabled():
        print("\n" + "\n".join(f"| {what} | {found} | {wanted} |" for what, found, wanted in rows))
    assert is_equal and touched == 1
