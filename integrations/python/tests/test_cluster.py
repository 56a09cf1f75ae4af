"""A cluster of processes on this machine makes the library that one scan makes, whatever goes wrong on the way."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster_support import cluster, command_killed_by_poison, make_album, merged, report, scanned, shards, wrapped
from contents import contents
from program import COMMAND, ODD_NAME, deadwax, documents, write_tone

from deadwax import cluster as api
from deadwax.cluster.outcomes import Ending, Outcome

# What starts a process or more for each bucket, and differs from what is tested always in who starts it.
slow_only = pytest.mark.skipif(os.environ.get("DEADWAX_TEST_SIZE") != "slow", reason="only in `make test-slow`")

DAMAGED = Path(__file__).parents[3] / "fixtures" / "damaged"


@pytest.fixture
def albums(tmp_path):
    """Four albums of short sounds; with four buckets, in several."""
    for number in range(4):
        make_album(tmp_path / "albums", f"Album {number}", step=97 + number)
    return tmp_path / "albums"


@pytest.fixture
def store(tmp_path, albums):
    """A store with the plan of these albums."""
    cluster("plan", tmp_path / "store", "--source", albums, "--buckets", "4")
    return tmp_path / "store"


def test_merged_shards_are_the_library_of_one_scan(music, tmp_path):
    for folder in ("fixtures", "hostile"):
        shutil.copytree(music if folder == "fixtures" else DAMAGED, tmp_path / "music" / folder)
    store = tmp_path / "store"
    assert " in 8 buckets" not in cluster("plan", store, "--source", tmp_path / "music", "--buckets", "8")
    cluster("run", store, "--slots", "2")
    one = scanned(tmp_path / "music", tmp_path / "one.sqlite")
    assert any(path.endswith(ODD_NAME) for path in one)
    assert any(found["file"]["last_state"] == "damaged" for found in one.values())
    assert merged(store, tmp_path / "all.sqlite") == one
    found = report(store)
    assert found["is_complete"] and sum(found["states"].values()) == len(one)
    problems = {path.decode(errors="replace") for path, row in one.items() if row["file"]["last_state"] != "ok"}
    assert {problem["path"] for problem in found["problems"]} == problems


def test_one_more_album_runs_one_bucket(albums, store, tmp_path):
    cluster("run", store)
    before = set(shards(store))
    make_album(albums, "Album 7", step=211)
    (albums / "Album 3" / "1.wav").unlink()
    library = tmp_path / "one.sqlite"
    assert "; 2 to run" in cluster("plan", store)
    assert cluster("run", store).startswith("2 shards committed, ")
    assert len(set(shards(store)) - before) == 2
    # One machine that was there all the time: the file that is gone is missing.
    shutil.copytree(albums, tmp_path / "then")
    shutil.move(albums, tmp_path / "now")
    make_album(albums, "Album 3", step=100)
    for number in (0, 1, 2):
        shutil.copytree(tmp_path / "then" / f"Album {number}", albums / f"Album {number}")
    for path in albums.glob("Album 3/*"):
        os.utime(path, (1, 1))
    deadwax_states = {path: row["file"]["state"] for path, row in merged(store, tmp_path / "all.sqlite").items()}
    assert deadwax_states.pop(b"Album 3/1.wav") == "missing"
    assert set(deadwax_states.values()) == {"ok"} and len(deadwax_states) == 9
    assert scanned(tmp_path / "now", library).keys() == deadwax_states.keys()


def test_a_bucket_that_has_grown_is_split_and_the_others_are_kept(tmp_path):
    albums = tmp_path / "albums"
    for number in range(4):
        make_album(albums, f"Album {number}", step=97 + number)
    store = tmp_path / "store"
    cluster("plan", store, "--source", albums, "--buckets", "2", "--target", "4")
    cluster("run", store)
    before = {bucket.number: bucket for bucket in api.Plan.read(api.open_storage(str(store))).buckets}
    for number in range(4, 10):
        make_album(albums, f"Album {number}", step=97 + number)
    # The target is that of the plan before.
    cluster("plan", store)
    plan = api.Plan.read(api.open_storage(str(store)))
    assert plan.splits and all(bucket.files <= 8 for bucket in plan.buckets)
    split = {number for number, _ in plan.splits}
    for bucket in plan.buckets:
        assert bucket.former == (before[bucket.number].key if bucket.number in set(before) - split else None)
    cluster("run", store)
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")
    assert "; 0 to run" in cluster("plan", store)


def test_planning_again_without_a_change_runs_nothing(store):
    cluster("run", store)
    assert "; 0 to run" in cluster("plan", store)
    assert cluster("run", store).startswith("0 shards committed")


def test_a_killed_driver_goes_on_where_it_was(albums, store, tmp_path):
    slow = wrapped(tmp_path, "sleep 0.2")
    run = subprocess.Popen(
        [sys.executable, "-m", "deadwax.cluster", "run", store, "--slots", "1", "--command", slow],
        start_new_session=True,
    )
    while not shards(store):
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    before = {name: Path(store, "shards", name).stat().st_mtime_ns for name in shards(store)}
    cluster("run", store)
    assert before and {name: Path(store, "shards", name).stat().st_mtime_ns for name in before} == before
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")


@slow_only
def test_an_attempt_that_dies_before_its_commit_is_tried_again(albums, store, tmp_path):
    once = wrapped(tmp_path, f'if [ "$1" = backup ] && mkdir {tmp_path}/once 2>/dev/null; then kill -9 $PPID; exit; fi')
    assert "1 attempts repeated" in cluster("run", store, "--command", once)
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")


def test_of_two_attempts_at_one_bucket_the_first_is_kept(store):
    plan = api.Plan.read(api.open_storage(str(store)))
    name = plan.buckets[0].whole.name
    words = [sys.executable, "-m", "deadwax.cluster", "task", store, name]
    attempts = [subprocess.Popen(words) for _ in range(3)]
    assert [attempt.wait() for attempt in attempts] == [0, 0, 0]
    assert len(shards(store)) == 1
    assert not list(Path(store, "shards").glob(".*"))


def test_a_commit_is_told_whether_it_was_first(tmp_path):
    storage = api.open_storage(str(tmp_path / "store"))
    assert storage.commit("a/b", lambda place: place.write_text("first"), tmp_path) is True
    assert storage.commit("a/b", lambda place: place.write_text("second"), tmp_path) is False
    assert storage.read("a/b") == b"first"
    assert storage.names("a") == ["a/b"]


def test_a_file_that_kills_its_machine_is_found_and_named(albums, store, tmp_path):
    make_album(albums, "Bad", tracks=5, step=331)
    write_tone(albums / "Bad" / "poison.wav", step=337)
    command = command_killed_by_poison(tmp_path)
    cluster("plan", store)
    assert "in quarantine: Bad/poison.wav" in cluster("run", store, "--command", command)
    found = report(store)
    assert found["is_complete"]
    assert [item["path"] for item in found["quarantined"]] == ["Bad/poison.wav"]
    expected = scanned(albums, tmp_path / "one.sqlite")
    del expected[b"Bad/poison.wav"]
    found = merged(store, tmp_path / "all.sqlite")
    poison = found.pop(b"Bad/poison.wav")["file"]
    assert (poison["last_state"], poison["problem_code"]) == ("crashed", "quarantine")
    assert "SIGKILL" in poison["problem_reason"]
    assert found == expected
    # The command names it, and says why.
    (problem,) = json.loads(deadwax("problems", "-L", tmp_path / "all.sqlite", "--json"))
    assert problem["path"].endswith("Bad/poison.wav") and problem["state"] == "crashed"
    # It is not read until it changes, or until somebody asks; the bucket is whole again.
    cluster("plan", store)
    assert "0 attempts repeated" in cluster("run", store, "--command", command)
    again = merged(store, tmp_path / "again.sqlite")
    assert again.pop(b"Bad/poison.wav")["file"]["last_state"] == "crashed"
    assert again == expected
    cluster("plan", store, "--retry")
    cluster("run", store)
    assert contents(tmp_path / "one.sqlite") == merged(store, tmp_path / "whole.sqlite")


@slow_only
def test_a_list_that_is_old_loses_nothing(albums, store, tmp_path):
    gone, changed = albums / "Album 0" / "1.wav", albums / "Album 1" / "0.wav"
    gone.unlink()
    shutil.copy(albums / "Album 2" / "1.wav", changed)
    make_album(albums, "Late", step=401)
    cluster("run", store)
    assert report(store)["vanished"] == ["Album 0/1.wav"]
    cluster("plan", store)
    cluster("run", store)
    found = merged(store, tmp_path / "all.sqlite")
    assert {path: row for path, row in found.items() if row["file"]["state"] != "missing"} == scanned(
        albums, tmp_path / "one.sqlite"
    )


def test_a_source_that_is_not_there_is_no_empty_source(albums, store):
    shutil.move(albums, f"{albums}.unmounted")
    assert "plan again" in cluster("run", store, status=4)
    assert shards(store) == []
    assert "cannot be listed" in cluster("plan", store, status=1)
    shutil.move(f"{albums}.unmounted", albums)
    cluster("run", store)
    assert report(store)["is_complete"]


def test_a_full_disk_fails_without_a_shard(albums, store, tmp_path):
    full = wrapped(tmp_path, 'ulimit -f 64; trap "" XFSZ')
    assert "failed: " in cluster("run", store, "--attempts", "2", "--command", full, status=1)
    assert shards(store) == [] and not report(store)["is_complete"]
    assert "not complete" in cluster("merge", store, "-o", tmp_path / "all.sqlite", status=1)
    cluster("run", store)
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")


def test_a_scheduler_runs_buckets_one_by_one(albums, store, tmp_path):
    names = cluster("buckets", store).split()
    assert int(cluster("buckets", store, "--count")) == len(names)
    for index in range(1, len(names) + 1):
        cluster("task", store, str(index), "--index")
    cluster("task", store, names[0])
    assert cluster("buckets", store) == ""
    cluster("complete", store)
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")


@slow_only
@pytest.mark.skipif(not shutil.which("parallel"), reason="GNU parallel is not installed")
def test_gnu_parallel_runs_the_buckets(albums, store, tmp_path):
    line = f"{sys.executable} -m deadwax.cluster"
    script = f"{line} buckets {store} | parallel --retries 3 {line} task {store} {{}} && {line} complete {store}"
    subprocess.run(["bash", "-o", "pipefail", "-c", script], check=True)
    assert merged(store, tmp_path / "all.sqlite") == scanned(albums, tmp_path / "one.sqlite")


def test_a_catalogue_leaves_large_products_and_takes_decisions(albums, store, tmp_path):
    cluster("run", store)
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    cluster("merge", store, "-o", old, "--without-products", "waveform", "spectrogram")
    deadwax("rate", "-q", "-L", old, "80", "filename:=0.wav")
    cluster("merge", store, "-o", new, "--without-products", "waveform", "--decisions-from", old)
    found = documents("ls", "-L", new, "rating:80", "--fields", "filename", "--jsonl")
    assert {row["filename"] for row in found} == {"0.wav"}
    kinds = {product["kind"] for row in contents(new).values() for product in row["recording"]["products"]}
    assert "spectrogram" in kinds and "waveform" not in kinds
    # What was left is found in the shards.
    listed = json.loads(deadwax("shards", "-L", new, "--json"))["shards"]
    assert {Path(shard["path"]).name for shard in listed} == set(shards(store))
    assert {shard["problem"] for shard in listed} == {None}
    for track in documents("ls", "-L", new, "--fields", "id", "--jsonl"):
        products = json.loads(deadwax("show", "-L", new, str(track["id"]), "--json"))["products"]
        assert "/shards/" in next(product["shard"] for product in products if product["kind"] == "waveform")
    for shard in listed:
        Path(shard["path"]).rename(Path(shard["path"]).with_suffix(".away"))
    asked = subprocess.run([COMMAND, "waveform", "-L", new, "1", "-o", "-", "--format", "dat"], capture_output=True)
    assert asked.returncode == 1 and b"is unavailable" in asked.stderr
    assert "exists" in cluster("merge", store, "-o", new, status=1)


def test_a_changed_shard_is_not_merged(store, tmp_path):
    cluster("run", store)
    shard = Path(store, "shards", shards(store)[0])
    data = bytearray(shard.read_bytes())
    data[-1] ^= 1
    shard.write_bytes(data)
    answer = cluster("merge", store, "-o", tmp_path / "all.sqlite", "--verify", status=1)
    assert "differs from what was committed" in answer
    shard.write_bytes(data[:-1])
    assert "is not the shard" in cluster("merge", store, "-o", tmp_path / "all.sqlite", status=1)


def test_events_are_lines_of_json(store):
    events = [json.loads(line) for line in cluster("run", store, "--json-events").splitlines() if line.startswith("{")]
    assert {event["event"] for event in events} == {"started", "done"}
    assert len({event["piece"] for event in events}) * 2 == len(events)


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["run", "{store}"], 1, "has no plan"),
        (["plan", "{store}", "--source", "{store}", "--buckets", "12"], 64, "power of two"),
        (["plan", "{store}", "--source", "/nowhere/at/all"], 1, "cannot be listed"),
        (["plan", "{store}", "--source", ".", "--command", "/nowhere/deadwax"], 1, "put the command into PATH"),
    ],
)
def test_mistakes_are_explained(tmp_path, arguments, status, text):
    store = str(tmp_path / "store")
    assert text in cluster(*[word.format(store=store) for word in arguments], status=status)


def test_a_store_belongs_to_one_source(store):
    assert "use another store" in cluster("plan", store, "--source", "/usr/share", status=64)
    assert "not a bucket" in cluster("task", store, "12345-abc", status=64)


def test_the_jobs_of_schedulers_know_the_same_statuses(store, tmp_path):
    packaging = Path(__file__).parents[3] / "packaging" / "cluster"
    # Kubernetes: what stops the job, and what stops one index.
    manifest = (packaging / "kubernetes.yaml").read_text()
    rules = re.findall(r"action: (\w+).*\n\s+onExitCodes: .*values: \[(\d+)\]", manifest)
    statuses = {"FailJob": Ending.STOP, "FailIndex": Ending.OUTDATED}
    assert rules == [(action, str(Outcome(ending).exit_status)) for action, ending in statuses.items()]
    # Slurm: a bucket of the array, with `scontrol` and `deadwax-cluster` in the path.
    line = wrapped(tmp_path, f'[ "$1" = scan ] && [ -e {tmp_path}/broken ] && exit 75')
    scripts = {
        "deadwax-cluster": f'exec {sys.executable} -m deadwax.cluster "$@" --command {line}',
        "scontrol": f'echo "$@" >> {tmp_path}/requeued',
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n")
        (tmp_path / name).chmod(0o755)
    job = {"STORE": store, "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_JOB_ID": "7"}
    job["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    (tmp_path / "broken").touch()
    assert subprocess.run([packaging / "slurm.sh"], env=os.environ | job).returncode == 75
    assert (tmp_path / "requeued").read_text() == "requeue 7_0\n"
    (tmp_path / "broken").unlink()
    assert subprocess.run([packaging / "slurm.sh"], env=os.environ | job).returncode == 0
    assert len(shards(store)) == 1
