#!/usr/bin/env python3
"""Asks `deadwax serve` and supysonic, over copies of one folder of music, the same questions, and prints where their answers differ.

Usage: scripts/compare-opensubsonic.py COMMAND FOLDER

supysonic and waitress are installed from PyPI into a folder of their own, which is deleted at the end. docs/opensubsonic.md says who is right.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import venv

SONG = (
    "title", "artist", "album", "track", "discNumber", "year", "genre", "duration", "bitRate", "size", "suffix", "contentType",
    "isDir", "type")
CONFIGURATION = """
[base]
database_uri = sqlite:///{folder}/supysonic.sqlite
[webapp]
cache_dir = {folder}/cache
mount_webui = off
[daemon]
socket = {folder}/socket
"""


class Caller:
    """One of the servers, asked as one person."""

    def __init__(self, name, address, password):
        self.name, self.address, self.password = name, address, password

    def open(self, method, **parameters):
        fields = {"u": "ana", "p": self.password, "v": "1.16.1", "c": "comparing", "f": "json", **parameters}
        query = urllib.parse.urlencode({name: value for name, value in fields.items() if value is not None}, doseq=True)
        return urllib.request.urlopen(f"{self.address}/rest/{method}.view?{query}", timeout=60)

    def get(self, method, **parameters):
        with self.open(method, **parameters) as answer:
            return json.load(answer)["subsonic-response"]

    def outcome(self, method, **parameters):
        """The status of HTTP and the error of the protocol, or what the answer holds."""
        try:
            with self.open(method, **parameters) as answer:
                if "json" not in (answer.headers["Content-Type"] or ""):
                    return f"{answer.status}, {(answer.headers['Content-Type'] or 'nothing').split(';')[0]}"
                document = json.load(answer)["subsonic-response"]
                return f"{answer.status}, error {document['error']['code']}" if "error" in document else f"{answer.status}, ok"
        except urllib.error.HTTPError as error:
            return f"{error.code}"

    def songs(self):
        """All songs, by their paths below the folder, found as players that browse by tags find them."""
        found = {}
        for index in self.get("getArtists")["artists"]["index"]:
            for artist in index["artist"]:
                for album in self.get("getArtist", id=artist["id"])["artist"].get("album", []):
                    for song in self.get("getAlbum", id=album["id"])["album"].get("song", []):
                        found[song["path"]] = song
        return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_deadwax(command, folder):
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}

    def run(*words):
        return subprocess.run(
            [command, *map(str, words)], env=environment, check=True, capture_output=True, text=True).stdout.strip()

    run("scan", "-q", "-L", folder / "library.sqlite", folder / "music")
    password = run("serve", "user", "add", "ana")
    process = subprocess.Popen(
        [command, "serve", "-L", folder / "library.sqlite", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
    return process, Caller("deadwax", process.stdout.readline().strip().rstrip("/"), password)


def start_supysonic(folder):
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    subprocess.run(
        [programs / "pip", "install", "-q", "--disable-pip-version-check", "supysonic==0.7.9", "waitress"], check=True)
    (folder / "cache").mkdir()
    (folder / ".supysonic").write_text(CONFIGURATION.format(folder=folder))
    environment = {**os.environ, "HOME": str(folder)}
    for words in (
        ("user", "add", "ana", "-p", "password"), ("folder", "add", "music", folder / "music"),
        ("folder", "scan", "--foreground"),
    ):
        subprocess.run([programs / "supysonic-cli", *map(str, words)], env=environment, check=True, capture_output=True)
    port = free_port()
    process = subprocess.Popen(
        [programs / "supysonic-server", "-S", "waitress", "-h", "127.0.0.1", "-p", str(port)], env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    caller = Caller("supysonic", f"http://127.0.0.1:{port}", "password")
    for _ in range(100):
        try:
            caller.get("ping")
            return process, caller
        except OSError:
            time.sleep(0.1)
    raise SystemExit("supysonic does not answer")


def tell(what, ours, theirs):
    if ours != theirs:
        print(f"{what}: {ours} | {theirs}")


def compare(ours, theirs):
    """Prints `what: Deadwax's answer | supysonic's answer` for each difference."""
    own, other = ours.songs(), theirs.songs()
    tell("songs", len(own), len(other))
    print(f"only Deadwax: {sorted(own.keys() - other.keys())}\nonly supysonic: {sorted(other.keys() - own.keys())}")
    common = sorted(own.keys() & other.keys())
    for path in common:
        for field in SONG:
            tell(f"{path}: {field}", own[path].get(field), other[path].get(field))
    for path in common:
        bytes = []
        for caller, songs in ((ours, own), (theirs, other)):
            with caller.open("stream", id=songs[path]["id"], format="raw") as answer:
                bytes.append(answer.read())
        tell(f"{path}: bytes of stream", len(bytes[0]), len(bytes[1]) if bytes[0] != bytes[1] else len(bytes[0]))
    for name in ("artists", "albums"):
        lists = [
            sorted({song.get("artist" if name == "artists" else "album") or "" for song in songs.values()})
            for songs in (own, other)]
        tell(name, *lists)
    for kind in ("newest", "alphabeticalByName", "alphabeticalByArtist", "starred", "random", "highest", "frequent", "recent"):
        counts = [
            len(caller.get("getAlbumList2", type=kind, size=500).get("albumList2", {}).get("album", [])) for caller in (ours, theirs)]
        tell(f"getAlbumList2 {kind}: albums", *counts)
    path = common[0]
    ids = [songs[path]["id"] for songs in (own, other)]
    cases = [
        ("ping", {"p": "wrong"}), ("ping", {"p": None}), ("nothing", {}), ("getSong", {}), ("getSong", {"id": "nothing"}),
        ("getAlbum", {"id": "nothing"}), ("stream", {"id": "nothing"}), ("download", {}), ("getCoverArt", {"id": "nothing"}),
        ("getAlbumList2", {}), ("getAlbumList2", {"type": "nothing"}), ("search3", {"query": ""}), ("search3", {}),
        ("setRating", {"id": "SONG", "rating": 9}), ("setRating", {"id": "SONG", "rating": 4}), ("star", {}),
        ("star", {"id": "SONG"}), ("star", {"id": "SONG"}), ("unstar", {"id": "SONG"}), ("unstar", {"id": "SONG"}),
        ("scrobble", {"id": "SONG"}), ("scrobble", {"id": "nothing"}), ("getSongsByGenre", {}),
        ("createPlaylist", {"name": "x"}), ("createPlaylist", {}), ("getPlaylist", {"id": "nothing"}),
        ("deletePlaylist", {"id": "nothing"}), ("getPlayQueue", {}), ("getBookmarks", {}), ("getLyrics", {}),
        ("getScanStatus", {}), ("getUsers", {}), ("getUser", {"username": "ana"}), ("getMusicFolders", {}),
        ("getOpenSubsonicExtensions", {}), ("getSimilarSongs2", {"id": "SONG"}), ("getTopSongs", {"artist": "x"}),
        ("getArtistInfo2", {"id": "nothing"}), ("getRandomSongs", {}), ("getNowPlaying", {}), ("jukeboxControl", {"action": "get"}),
        ("getLyricsBySongId", {"id": "SONG"}), ("stream", {"id": "SONG", "maxBitRate": 64}),
        ("stream", {"id": "SONG", "format": "mp3"}),
    ]
    for method, parameters in cases:
        outcomes = [
            caller.outcome(method, **{name: id if value == "SONG" else value for name, value in parameters.items()})
            for caller, id in ((ours, ids[0]), (theirs, ids[1]))]
        tell(f"{method} {parameters or ''}", *outcomes)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    command = os.path.abspath(sys.argv[1])
    folders = [pathlib.Path(tempfile.mkdtemp(prefix="compare-subsonic-")) for _ in range(2)]
    processes = []
    try:
        for folder in folders:
            shutil.copytree(sys.argv[2], folder / "music")
        deadwax, ours = start_deadwax(command, folders[0])
        processes.append(deadwax)
        supysonic, theirs = start_supysonic(folders[1])
        processes.append(supysonic)
        compare(ours, theirs)
    finally:
        for process in processes:
            process.terminate()
            process.wait()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
