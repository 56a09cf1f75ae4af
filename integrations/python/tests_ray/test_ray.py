"""Two nodes of Ray make the library that one scan makes, whatever is lost on the way."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from cluster_support import cluster, command_killed_by_poison, make_album, merged, report, scanned, shards, wrapped
from program import FIXTURES, write_tone


@pytest.fixture
def on_ray(ray_cluster):
    return ["--engine", "ray", "--address", ray_cluster.address]


@pytest.fixture
def store(tmp_path):
    """A store with the plan of twelve albums in sixteen buckets."""
    for number in range(12):
        make_album(tmp_path / "albums", f"Album {number}", step=97 + number)
    cluster("plan", tmp_path / "store", "--source", tmp_path / "albums", "--buckets", "16")
    return tmp_path / "store"


def is_that_of_one_scan(store, tmp_path):
    return merged(store, tmp_path / "all.sqlite") == scanned(tmp_path / "albums", tmp_path / "one.sqlite")


def test_the_fixtures_and_hostile_files_in_sixteen_buckets(on_ray, tmp_path):
    shutil.copytree(FIXTURES, tmp_path / "albums")
    shutil.copytree(FIXTURES.parent / "damaged", tmp_path / "albums" / "damaged")
    store = tmp_path / "store"
    cluster("plan", store, "--source", tmp_path / "albums", "--buckets", "16")
    cluster("run", store, *on_ray)
    assert is_that_of_one_scan(store, tmp_path)
    assert report(store)["is_complete"] and report(store)["problems"]


@pytest.mark.skipif("DEADWAX_MUSIC" not in os.environ, reason="DEADWAX_MUSIC names no folder of music")
def test_real_music_in_sixteen_buckets(on_ray, tmp_path):
    store = tmp_path / "store"
    cluster("plan", store, "--source", os.environ["DEADWAX_MUSIC"], "--buckets", "16")
    cluster("run", store, *on_ray)
    one = scanned(os.environ["DEADWAX_MUSIC"], tmp_path / "one.sqlite")
    assert merged(store, tmp_path / "all.sqlite") == one


def test_a_driver_that_was_killed_goes_on(on_ray, store, tmp_path):
    slow = wrapped(tmp_path, "sleep 0.2")
    words = [sys.executable, "-m", "deadwax.cluster", "run", store, *on_ray, "--command", slow]
    driver = subprocess.Popen(words, start_new_session=True)
    while not shards(store):
        time.sleep(0.05)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    before = {name: (store / "shards" / name).stat().st_mtime_ns for name in shards(store)}
    cluster("run", store, *on_ray)
    assert before.items() <= {name: (store / "shards" / name).stat().st_mtime_ns for name in shards(store)}.items()
    assert is_that_of_one_scan(store, tmp_path)


def test_two_drivers_commit_each_bucket_once(on_ray, store, tmp_path):
    said = []
    drivers = [threading.Thread(target=lambda: said.append(cluster("run", store, *on_ray))) for _ in range(2)]
    for driver in drivers:
        driver.start()
    for driver in drivers:
        driver.join()
    assert sum(int(text.split()[0]) for text in said) == len(shards(store))
    assert is_that_of_one_scan(store, tmp_path)


def test_a_poison_file_is_halved_out_and_named(on_ray, store, tmp_path):
    make_album(tmp_path / "albums", "Bad", tracks=3, step=331)
    write_tone(tmp_path / "albums" / "Bad" / "poison.wav", step=337)
    cluster("plan", store)
    assert "in quarantine: Bad/poison.wav" in cluster(
        "run", store, *on_ray, "--command", command_killed_by_poison(tmp_path)
    )
    expected = scanned(tmp_path / "albums", tmp_path / "one.sqlite")
    del expected[b"Bad/poison.wav"]
    found = merged(store, tmp_path / "all.sqlite")
    assert found.pop(b"Bad/poison.wav")["file"]["last_state"] == "crashed"
    assert found == expected


def test_a_full_scratch_disk_commits_nothing_broken(on_ray, store, tmp_path):
    # Ray's workers are in the mount namespace of the tests, because these started them.
    scratch = tmp_path / "small"
    scratch.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", scratch], check=True)
    try:
        assert "failed: " in cluster("run", store, *on_ray, "--scratch", scratch, "--attempts", "2", status=1)
    finally:
        subprocess.run(["umount", scratch], check=True)
    assert not report(store)["is_complete"]
    cluster("run", store, *on_ray)
    assert is_that_of_one_scan(store, tmp_path)


# Last, because a node is lost.
def test_a_node_that_is_lost_is_done_without(on_ray, ray_cluster, store, tmp_path):
    # Long enough that shards are missing when the first one is there.
    slow = wrapped(tmp_path, "sleep 1")
    words = [sys.executable, "-m", "deadwax.cluster", "run", store, *on_ray, "--command", slow]
    driver = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while not shards(store):
        time.sleep(0.05)
    ray_cluster.lose(ray_cluster.nodes[1])
    assert not report(store)["is_complete"]
    # A task of the lost node is repeated, unless it could still report its result.
    said, _ = driver.communicate(timeout=240)
    assert driver.returncode == 0, said
    assert is_that_of_one_scan(store, tmp_path)
