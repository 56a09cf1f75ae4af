"""Tracks, tags, parts, presets and queries: what the package reads is what the command prints."""

import json
import os

import pytest
from program import ODD_NAME, deadwax, documents

from deadwax import DeadwaxError, Library

LS_FIELDS = {
    "id": "id", "hash": "hash", "title": "title", "artist": "artist", "album": "album", "albumartist": "albumartist",
    "genre": "genre", "composer": "composer", "comment": "comment", "year": "year", "date": "date", "track": "track",
    "tracktotal": "track_total", "disc": "disc", "disctotal": "disc_total", "size": "size_bytes", "state": "state",
    "problem": "problem_code", "reason": "problem_reason", "codec": "codec", "container": "container",
    "rate": "sample_rate_hz", "channels": "channels", "bits": "bits", "bitrate": "bitrate_bps",
}  # fmt: skip


def test_tracks_are_the_lines_of_ls(library, made):
    lines = documents("ls", "-L", made, "--jsonl", "--fields", ",".join(LS_FIELDS) + ",path,duration")
    tracks = {os.fsencode(track.path): track for track in library.tracks(page=3)}
    assert len(tracks) == len(lines) == len(library) == 28
    paths = deadwax("ls", "-L", made, "-0").split(b"\0")[:-1]
    for path, line in zip(paths, lines, strict=True):
        track = tracks[path]
        for name, field in LS_FIELDS.items():
            assert getattr(track, field) == (None if line[name] == "" else line[name]), name
        assert track.duration_seconds == pytest.approx(line["duration"], abs=1e-6)


def test_measures_and_formats_are_those_of_show(library):
    for track in library.query("state:ok"):
        shown = json.loads(deadwax("show", "-L", library.path, "--json", str(track.id)))
        assert track.hash == shown["hash"]
        names = [name for name in shown["measures"] if name != "replaygain_db"]
        assert {name: getattr(track.measures, name) for name in names} == {n: shown["measures"][n] for n in names}
        measured = next(product for product in shown["products"] if product["kind"] == "measures")
        assert (track.measures.version, track.measures.parameters) == (measured["version"], measured["parameters"])
        if len(shown["files"]) == 1:
            for name in ("sample_rate_hz", "channels", "declared_frames", "decoded_frames", "duration_seconds"):
                assert getattr(track, name) == shown["format"][name]
            assert library.tags(track) == shown["tags"]


def test_a_query_gives_its_tracks_in_its_order(library):
    tracks = list(library.query("rating:>60"))
    assert [track.title for track in tracks] == ["Lacquer"]
    assert library.attributes(tracks[0]) == {"rating": "80"}
    longest = list(library.query("state:ok", sort="duration-", limit=3))
    assert len(longest) == 3
    durations = [track.duration_seconds for track in longest]
    every = [track.duration_seconds for track in library.tracks() if track.state == "ok"]
    assert durations == sorted(every, reverse=True)[:3]
    assert list(library.query("title:nosuchtitle")) == []
    assert [track.title for track in library.query('-codec:mp3 album:="Run-out Groove"')] == ["Broadcast Copy"]


def test_fields_are_selected_as_ls_computes_them(library):
    query = ["artist:lathe", "track+"]
    rows = list(library.select(*query, fields=["title", "band(1000)"]))
    assert rows == documents("ls", "-L", library.path, *query, "--jsonl", "--fields", "title,band(1000)")
    assert rows[0]["title"] == "Lead-in"


def test_names_are_bytes(library, music):
    path = os.path.join(os.fsencode(music), ODD_NAME)
    (track,) = (track for track in library.query("ext:wav") if os.fsencode(track.path) == path)
    assert library.track(track.path) == track
    assert library.track(track.id) == track


def test_one_recording_in_two_files_is_one_id(library, music):
    copy = library.track(music / "copy of string.wav")
    others = [track for track in library.tracks() if track.hash == copy.hash]
    assert len(others) == 2
    assert library.track(copy.id).file_id == min(track.file_id for track in others)


def test_a_damaged_file_is_a_track_with_a_reason(library, music):
    track = library.track(music / "broken.flac")
    assert track.state != "ok"
    assert track.problem_reason
    with pytest.raises(DeadwaxError, match=r"broken\.flac"):
        library.segment(track)


def test_parts_are_those_of_the_sheet(library, made):
    (track,) = library.query('filename:="01 Kick.wav"')
    listed = documents("ls", "-L", made, "--parts", "has:parts", "--jsonl", "--fields", "part,start,end")
    parts = library.parts(track)
    assert [(part.number, part.title, part.artist) for part in parts] == [(1, "First", None), (2, "Second", "Somebody")]
    assert {part.source for part in parts} == {"cue-file"}
    for part, line in zip(parts, listed, strict=True):
        assert (part.start_seconds, part.end_seconds) == (pytest.approx(line["start"]), pytest.approx(line["end"]))
    # 1 second and 37 frames of a 75th.
    assert parts[1].start_frame == track.sample_rate_hz * (75 + 37) // 75
    assert parts[0].end_frame == parts[1].start_frame


def test_presets_are_the_documents_that_are_exported(library, made, tmp_path):
    deadwax("preset", "export", "-L", made, "Warm", "-o", tmp_path / "warm.json", "--format", "json")
    exported = json.loads((tmp_path / "warm.json").read_text())
    assert [(preset.name, preset.document) for preset in library.presets()] == [("Warm", exported)]


def test_a_wrong_query_says_what_is_wrong(library):
    with pytest.raises(DeadwaxError, match="unknown field 'nofield'") as error:
        list(library.query("nofield:x"))
    assert error.value.exit_status == 64


def test_a_missing_command_is_named(made):
    with Library(made, command="/no/such/command") as library, pytest.raises(DeadwaxError, match="/no/such/command"):
        list(library.query(""))


def test_a_reader_may_stop_early(library):
    assert next(library.query("")).id
    assert next(library.tracks()).file_id


def test_what_is_not_there_is_named(library, tmp_path):
    with pytest.raises(DeadwaxError, match="no such\\.wav"):
        library.track(tmp_path / "no such.wav")
    with pytest.raises(DeadwaxError, match="999"):
        library.track(999)
