"""A cluster whose store, or whose music, is in S3: moto answers for it on the loopback."""

import shutil
import urllib.request
from pathlib import Path

import pytest
from cluster_support import cluster, make_album, merged, report, scanned

obstore = pytest.importorskip("obstore", reason="obstore is not installed")
ThreadedMotoServer = pytest.importorskip("moto.server", reason="moto is not installed").ThreadedMotoServer

from deadwax.cluster import open_storage  # noqa: E402

# What the disk of one machine says, and S3 does not.
OF_PLACE = {"mtime_ns", "verified_at"}


@pytest.fixture(scope="module")
def server():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(server, monkeypatch, tmp_path):
    name = "music-" + tmp_path.name.replace("_", "-")[-40:].strip("-").lower()
    for variable, value in {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(variable, value)
    urllib.request.urlopen(urllib.request.Request(f"{server}/{name}", method="PUT"))
    return name


def upload(folder, bucket, prefix):
    """Copies a folder into a bucket."""
    store = open_storage(f"s3://{bucket}/{prefix}")
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            store.write(str(path.relative_to(folder)), path.read_bytes())


def comparable(contents):
    for row in contents.values():
        row["file"] = {name: value for name, value in row["file"].items() if name not in OF_PLACE}
    return contents


def test_the_first_of_two_commits_is_kept(bucket, tmp_path):
    storage = open_storage(f"s3://{bucket}/store")
    assert storage.read("a/b") is None and not storage.exists("a/b") and storage.names("a") == []
    assert storage.commit("a/b", lambda place: place.write_text("first"), tmp_path) is True
    assert storage.commit("a/b", lambda place: place.write_text("second"), tmp_path) is False
    assert storage.read("a/b") == b"first" and storage.exists("a/b")
    assert storage.local("a/b", tmp_path).read_bytes() == b"first"
    assert storage.names("a") == ["a/b"]
    storage.write("a/b", b"third")
    assert storage.read("a/b") == b"third"
    storage.remove("a/b")
    assert not storage.exists("a/b")


def test_shards_in_s3_are_the_library_of_one_scan(bucket, tmp_path):
    for number in range(3):
        make_album(tmp_path / "albums", f"Album {number}", step=97 + number)
    store = f"s3://{bucket}/index"
    cluster("plan", store, "--source", tmp_path / "albums", "--buckets", "4")
    cluster("run", store)
    assert report(store)["is_complete"]
    assert merged(store, tmp_path / "all.sqlite") == scanned(tmp_path / "albums", tmp_path / "one.sqlite")


def test_music_in_s3_is_fetched_and_left_nowhere(bucket, music, tmp_path):
    albums = tmp_path / "albums"
    shutil.copytree(music / "The Locked Grooves", albums / "The Locked Grooves")
    make_album(albums, "Short", step=99)
    upload(albums, bucket, "library")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    store = tmp_path / "store"
    cluster("plan", store, "--source", f"s3://{bucket}/library", "--buckets", "4")
    cluster("run", store, "--scratch", scratch)
    one = comparable(scanned(albums, tmp_path / "one.sqlite"))
    assert any(row["parts"] for row in one.values())
    assert comparable(merged(store, tmp_path / "all.sqlite")) == one
    assert list(scratch.iterdir()) == []
    # One more album: only its bucket is run, and only its files are fetched.
    make_album(albums, "Short/More", step=401)
    upload(albums / "Short" / "More", bucket, "library/Short/More")
    open_storage(f"s3://{bucket}/library").remove("Short/1.wav")
    assert "; 2 to run" in cluster("plan", store)
    cluster("run", store, "--scratch", scratch)
    (albums / "Short" / "1.wav").unlink()
    one = comparable(scanned(albums, tmp_path / "one.sqlite"))
    assert one[b"Short/1.wav"]["file"]["state"] == "missing"
    assert comparable(merged(store, tmp_path / "again.sqlite")) == one


def test_an_object_that_went_away_is_named(bucket, tmp_path):
    make_album(tmp_path / "albums", "Album", tracks=3)
    upload(tmp_path / "albums", bucket, "library")
    store = tmp_path / "store"
    cluster("plan", store, "--source", f"s3://{bucket}/library", "--buckets", "1")
    open_storage(f"s3://{bucket}/library").remove("Album/1.wav")
    cluster("run", store)
    assert report(store)["vanished"] == ["Album/1.wav"] and report(store)["states"] == {"ok": 2}


def test_no_bucket_is_a_clear_error(bucket, tmp_path):
    assert "s3://no-such-bucket" in cluster("plan", "s3://no-such-bucket/x", "--source", tmp_path, status=1)
