"""Every answer against the schemas of the specification, and its XML against its JSON."""

import functools
import json
import math
import pathlib
import re
import unittest
import urllib.parse
import xml.etree.ElementTree

import jsonschema
import referencing
import referencing.jsonschema

from support import FIXTURES, SPECIFICATION, Server, Caller, ServerTest

NAMESPACE = "{http://subsonic.org/restapi}"


@functools.cache
def document(path):
    return json.loads(path.read_text())


def retrieve(uri):
    contents = document(pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(uri).path)))
    return referencing.Resource.from_contents(contents, default_specification=referencing.jsonschema.DRAFT202012)


REGISTRY = referencing.Registry(retrieve=retrieve)


@functools.cache
def response_schema(method):
    """The file with the schema of the answers of a method."""
    path = SPECIFICATION / "endpoints" / f"{method}.json"
    response = document(path)["get"]["responses"]["200"]
    if "$ref" in response:
        path = (path.parent / response["$ref"]).resolve()
        response = document(path)
    return (path.parent / response["content"]["application/json"]["schema"]["$ref"]).resolve()


def properties(schema, folder):
    """The properties that an object may have, each with the folder of its schema."""
    if "$ref" in schema:
        path = (folder / schema["$ref"]).resolve()
        return properties(document(path), path.parent)
    found = {name: (value, folder) for name, value in schema.get("properties", {}).items()}
    for word in ("allOf", "oneOf", "anyOf"):
        for part in schema.get(word, []):
            found.update(properties(part, folder))
    return found


def items(schema, folder):
    while "$ref" in schema:
        path = (folder / schema["$ref"]).resolve()
        schema, folder = document(path), path.parent
    return schema.get("items", {}), folder


def unknown_names(value, schema, folder, place=""):
    """What the schemas do not name: clients that read strictly fail over it."""
    if isinstance(value, list):
        inner, inner_folder = items(schema, folder)
        for item in value:
            yield from unknown_names(item, inner, inner_folder, place)
    elif isinstance(value, dict):
        known = properties(schema, folder)
        for name, item in value.items():
            if name not in known:
                yield f"{place}.{name}"
            else:
                yield from unknown_names(item, *known[name], f"{place}.{name}")


def expected_element(name, value):
    """What the XML of an object must be: single values as attributes, lists as elements, `value` as text."""
    attributes, children, text = {}, [], ""
    for key, item in value.items():
        if isinstance(item, dict):
            children.append(expected_element(key, item))
        elif isinstance(item, list):
            children += [
                expected_element(key, part) if isinstance(part, dict) else (key, {}, [], scalar(part)) for part in item]
        elif key == "value":
            text = scalar(item)
        else:
            attributes[key] = scalar(item)
    return name, attributes, children, text


def scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def found_element(element):
    name = element.tag.removeprefix(NAMESPACE)
    return name, dict(element.attrib), [found_element(child) for child in element], element.text or ""


TIMES = {"created", "changed", "starred", "played", "validUntil"}


def times(value):
    if isinstance(value, list):
        for item in value:
            yield from times(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in TIMES and isinstance(item, str):
                yield item
            yield from times(item)


@unittest.skipUnless(SPECIFICATION.exists(), "shared/corpora is not beside the project")
class SchemaTest(ServerTest):
    # Different at each call, so that two forms cannot be compared.
    CHANGING = {"getRandomSongs", "getNowPlaying", "createPlaylist", "deletePlaylist"}
    # What the specification's text and Subsonic's schema have, but not its own schema (docs/opensubsonic.md).
    NAMED_ELSEWHERE = {f".subsonic-response.{status}.gain" for status in ("jukeboxStatus", "jukeboxPlaylist")}

    def check(self, method, caller=None, **parameters):
        caller = caller or self.ana
        answer = caller.call(method, **parameters)
        path = response_schema(method)
        validator = jsonschema.Draft202012Validator({"$ref": path.as_uri()}, registry=REGISTRY)
        errors = list(validator.iter_errors({"subsonic-response": answer}))
        self.assertFalse(errors, f"{method}: {[error.message[:300] for error in errors]} {str(answer)[:500]}")
        strangers = set(unknown_names({"subsonic-response": answer}, {"$ref": path.name}, path.parent)) - self.NAMED_ELSEWHERE
        self.assertFalse(strangers, f"{method}: the specification does not know {strangers}")
        for time in times(answer):
            self.assertRegex(time, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$", method)
        if method not in self.CHANGING and not (method == "getAlbumList2" and parameters.get("type") == "random"):
            with caller.open(method, **{**parameters, "f": "xml"}) as xml_answer:
                self.assertIn("xml", xml_answer.headers["Content-Type"])
                found = xml.etree.ElementTree.fromstring(xml_answer.read())
            self.assertEqual(found_element(found), expected_element("subsonic-response", answer), method)
        return answer

    def test_every_method(self):
        songs = self.check("search3", query="", songCount=500)["searchResult3"]
        song, album, artist = (songs[kind][0]["id"] for kind in ("song", "album", "artist"))
        self.assertEqual(len(songs["song"]), sum(1 for _ in FIXTURES.rglob("*.*") if _.is_file()))
        for method in ("star", "unstar", "star"):
            self.check(method, id=song, albumId=album, artistId=artist)
        self.check("setRating", id=song, rating=4)
        self.check("setRating", id=album, rating=5)
        self.check("scrobble", id=song, time=1_700_000_000_000)
        self.check("scrobble", id=song, submission="false")
        self.check("reportPlayback", mediaId=song, mediaType="song", positionMs=1000, state="playing")
        self.check("createBookmark", id=song, position=1500, comment="here")
        self.check("savePlayQueue", id=[song, songs["song"][1]["id"]], current=song, position=100)
        playlist = self.check("createPlaylist", name="evening", songId=[song, song])["playlist"]["id"]
        self.check("updatePlaylist", playlistId=playlist, comment="calm", songIndexToRemove=0)
        for name in ("ping", "getLicense", "getOpenSubsonicExtensions", "getMusicFolders", "getIndexes", "getArtists",
                     "getGenres", "getStarred", "getStarred2", "getNowPlaying", "getPlaylists", "getBookmarks",
                     "getPlayQueue", "getPlayQueueByIndex", "getUser", "getUsers", "getScanStatus", "getVideos",
                     "getPodcasts", "getNewestPodcasts", "getInternetRadioStations", "getShares", "getChatMessages",
                     "getRandomSongs", "tokenInfo"):
            self.check(name)
        for name in ("getMusicDirectory", "getArtist", "getArtistInfo", "getArtistInfo2", "getSimilarSongs2"):
            self.check(name, id=artist)
        for name in ("getMusicDirectory", "getAlbum", "getAlbumInfo", "getAlbumInfo2"):
            self.check(name, id=album)
        for name in ("getSong", "getLyricsBySongId", "getSimilarSongs"):
            self.check(name, id=song)
        for method in ("getSonicSimilarTracks", "getSimilarSongs", "getSimilarSongs2"):
            self.check(method, id=song, count=7)
        self.check("getSimilarSongs", id=album)
        self.check("findSonicPath", startSongId=song, endSongId=songs["song"][1]["id"], count=5)
        jukebox = Caller(self.server, "jo", self.server.password("jo", "--jukebox"))
        for parameters in ({"action": "set", "id": [song, song, song]}, {"action": "get"}, {"action": "status"},
                           {"action": "remove", "index": 0}, {"action": "shuffle"}, {"action": "clear"}):
            self.check("jukeboxControl", jukebox, **parameters)
        self.check("getTopSongs", artist=next(song["artist"] for song in songs["song"] if "artist" in song))
        self.check("getMusicDirectory", id="1")
        self.check("getPlaylist", id=playlist)
        self.check("getLyrics", artist="nobody", title="nothing")
        for genre in self.ana.get("getGenres")["genres"].get("genre", []):
            self.check("getSongsByGenre", genre=genre["value"])
        self.check("search2", query="t")
        self.check("search3", query='""', songOffset=2, songCount=3)
        for order in ("random", "newest", "highest", "frequent", "recent", "alphabeticalByName", "alphabeticalByArtist",
                      "starred", "byYear", "byGenre"):
            for method in ("getAlbumList", "getAlbumList2"):
                if order != "random" or method == "getAlbumList2":
                    self.check(method, type=order, fromYear=2030, toYear=1900, genre="Jazz", size=500)
        for kind in songs:
            for item in songs[kind]:
                if kind == "song":
                    self.check("getSong", id=item["id"])
                else:
                    self.check("getAlbum" if kind == "album" else "getArtist", id=item["id"])
        self.check("deletePlaylist", id=playlist)
        self.check("deleteBookmark", id=song)
        self.check("savePlayQueueByIndex")

    def test_errors_are_answers_too(self):
        cases = [
            ("getSong", {}, 10), ("getSong", {"id": "0" * 32}, 70), ("getSong", {"id": "../../etc/passwd"}, 70),
            ("getAlbum", {"id": "al-0"}, 70), ("getArtist", {"id": "x"}, 70), ("getAlbumList2", {}, 10),
            ("getAlbumList2", {"type": "none"}, 0), ("getAlbumList2", {"type": "byYear"}, 10),
            ("search3", {"query": "", "songCount": "many"}, 0), ("setRating", {"id": "x", "rating": 9}, 0),
            ("getPlaylist", {"id": "pl-999999"}, 70), ("createPlaylist", {}, 10), ("getUser", {"username": "bo"}, 50),
            ("getMusicDirectory", {"id": "none"}, 70), ("jukeboxControl", {"action": "get"}, 50),
            ("jukeboxControl", {}, 10), ("jukeboxControl", {"action": "dance"}, 0), ("getSonicSimilarTracks", {}, 10),
            ("findSonicPath", {"startSongId": "x"}, 10), ("getSimilarSongs2", {"id": "x"}, 70), ("ping", {"v": "2.0.0"}, 30), ("ping", {"v": "0.9"}, 20),
        ]
        for method, parameters, code in cases:
            answer = self.check(method, **parameters)
            self.assertEqual((answer["status"], answer["error"]["code"]), ("failed", code), f"{method} {parameters}")

    def test_names_that_do_not_exist(self):
        for method in ("nothing", "getSong/../x", "", "getSong.view.view", "%00"):
            try:
                answer = self.ana.call(method)
                self.assertEqual(answer["status"], "failed", method)
            except Exception as error:
                self.assertEqual(getattr(error, "code", None), 400, f"{method}: {error}")


if __name__ == "__main__":
    unittest.main()
