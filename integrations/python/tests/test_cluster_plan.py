"""How files are divided: nothing but its own folder decides where a file goes."""

import os
from dataclasses import replace

import pytest

from deadwax.buckets import bucket_count, bucket_of
from deadwax.cluster import listing, quarantine, staging
from deadwax.cluster.listing import Entry
from deadwax.cluster.planning import Piece, _divided
from deadwax.cluster.storage import FolderStorage

PATHS = [b"a/1.flac", b"a/2.flac", b"b/\xff\n\t.mp3", b"top.wav", b"c/d/e/deep.ogg"]


def entries(paths=PATHS):
    return [Entry(path, size, 1_000 + size, "tag" if size % 2 else "") for size, path in enumerate(paths)]


def test_a_list_is_read_as_it_was_written():
    assert listing.decoded(listing.encoded(entries())) == sorted(entries())
    assert listing.decoded(b"") == []


def test_twice_the_buckets_divides_each_and_moves_nothing_else():
    for number in range(1_000):
        path = b"folder %d/x.wav" % number
        assert bucket_of(path, 32) in (bucket_of(path, 16), bucket_of(path, 16) + 16)


def test_albums_stay_together_unless_they_are_huge():
    paths = [b"album %d/%d.wav" % (album, track) for album in range(50) for track in range(10)]
    paths += [b"huge/%d.wav" % track for track in range(500)]
    buckets = _divided(entries(paths), 16, target=100, splits=set())
    homes = {}
    for number, files in buckets.items():
        for file in files:
            homes.setdefault(file.folder, set()).add(number)
    assert all(len(numbers) == 1 for folder, numbers in homes.items() if folder != b"huge")
    assert len(homes[b"huge"]) == 16
    assert sum(map(len, buckets.values())) == len(paths)


def test_a_collection_that_grows_keeps_most_of_its_buckets():
    def albums(count):
        return entries([b"album %d/%d.wav" % (album, track) for album in range(count) for track in range(10)])

    splits = set()
    before = _divided(albums(200), 16, target=150, splits=splits)
    assert not splits and max(map(len, before.values())) <= 300
    after = _divided(albums(400), 16, target=150, splits=splits)
    assert 1 <= len(splits) < 16 and max(map(len, after.values())) <= 300
    for number, files in before.items():
        # Where nothing was split, files only came.
        if (number, 16) not in splits:
            assert set(files) <= set(after[number])
        else:
            assert set(files) <= set(after.get(number, []) + after.get(number + 16, []))
    assert sum(map(len, after.values())) == 4_000
    # Once split, always split: the same files are in the same buckets when the collection shrinks.
    again = _divided(albums(200), 16, target=150, splits=set(splits))
    assert all(set(files) <= set(after[number]) for number, files in again.items())


def test_a_folder_that_cannot_be_divided_stays_whole():
    files = entries([b"large/%d.wav" % track for track in range(350)])
    splits = set()
    assert list(map(len, _divided(files, 4, target=100, splits=splits).values())) == [350]
    assert not splits


@pytest.mark.parametrize(("files", "buckets"), [(0, 1), (2_000, 1), (2_001, 2), (1_000_000, 512)])
def test_buckets_have_at_most_the_target_on_average(files, buckets):
    assert bucket_count(files, 2_000) == buckets


def test_halving_ends_at_single_files_and_loses_none():
    waiting, single = [Piece(3, "key", 0, 13)], []
    while waiting:
        piece = waiting.pop()
        if piece.count == 1:
            single.append(piece.begin)
        else:
            waiting += piece.halves()
    assert sorted(single) == list(range(13))


def test_a_walk_sees_what_a_scan_sees(tmp_path):
    for name in ("a/b.wav", "a/.hidden.wav", ".git/c.wav", "a/.deadwaxignore", "d.cue"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    os.symlink("b.wav", tmp_path / "a" / "link.wav")
    os.mkfifo(tmp_path / "a" / "fifo.wav")
    found = sorted(listing.walk(tmp_path))
    assert [entry.path for entry in found] == [b"a/.deadwaxignore", b"a/b.wav", b"d.cue"]
    assert found[1].size == 7 and found[1].mtime_ns == os.stat(tmp_path / "a" / "b.wav").st_mtime_ns


def test_quarantine_keeps_any_path(tmp_path):
    store = FolderStorage(tmp_path)
    for entry in entries():
        quarantine.add(store, entry, "died\ttwice\n")
    quarantine.add(store, entries()[0], "again")
    assert [row[0] for row in quarantine.rows(store)] == sorted(PATHS)
    assert quarantine.rows(store)[0][3] == "again"
    assert quarantine.reasons(store, entries()) == {path: reason for path, _, _, reason in quarantine.rows(store)}
    changed = [replace(entry, mtime_ns=entry.mtime_ns + 1) for entry in entries()]
    assert quarantine.reasons(store, changed) == {}
    quarantine.clear(store)
    assert quarantine.rows(store) == []


def test_batches_keep_folders_together_up_to_a_limit():
    files = [Entry(b"a/%d" % n, 1, 0) for n in range(70)] + [Entry(b"b/%d" % n, 1, 0) for n in range(300)]
    sizes = [[entry.folder for entry in batch] for batch in staging.batches(files)]
    assert [(folders[0], len(folders)) for folders in sizes] == [(b"a", 70), (b"b", 256), (b"b", 44)]


def test_files_are_fetched_ahead_and_deleted_behind(tmp_path):
    fetched = []

    class Source:
        def fetch(self, entry, folder):
            fetched.append(entry.path)
            if entry.path == b"f1/x":
                return False
            path = tmp_path / entry.path.decode()
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x")
            return True

    files = [Entry(b"f%d/x" % n, staging.BATCH_BYTES, 0) for n in range(6)]
    seen = []
    for there, gone in staging.staged(Source(), files, tmp_path):
        seen += [entry.path for entry in there + gone]
        assert all((tmp_path / entry.path.decode()).exists() for entry in there)
        assert len(list(tmp_path.glob("*/x"))) <= staging.AHEAD + 1
    assert seen == fetched == [entry.path for entry in files]
    assert not list(tmp_path.glob("*/x"))
