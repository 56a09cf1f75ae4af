"""What sounds alike: the same as the commands say."""

import json
import unittest

from support import ServerTest


class SimilarityTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.songs = cls.ana.songs()
        cls.first = next(song for song in cls.songs if cls.matches(song["id"], 1))

    @classmethod
    def matches(cls, song, count):
        answer = cls.ana.call("getSonicSimilarTracks", id=song, count=count)
        return answer.get("sonicMatch", [])

    def path(self, song):
        return str(self.server.folder / "music" / song["path"])

    def command(self, *arguments):
        return json.loads(self.server.run(*arguments, "-L", self.server.library, "--json"))["tracks"]

    def test_similar_tracks_are_those_of_the_command(self):
        found = self.matches(self.first["id"], 8)
        expected = self.command("similar", "--limit", 8, self.path(self.first))
        self.assertEqual([self.path(match["entry"]) for match in found], [track["path"] for track in expected])
        for match, track in zip(found, expected):
            self.assertAlmostEqual(match["similarity"], track["likeness"], places=5)
        songs = self.ana.get("getSimilarSongs", id=self.first["id"], count=8)["similarSongs"]["song"]
        self.assertEqual([song["id"] for song in songs], [match["entry"]["id"] for match in found])

    def test_a_path_begins_and_ends_where_it_was_asked_to(self):
        last = self.matches(self.first["id"], 20)[-1]["entry"]
        path = self.ana.get("findSonicPath", startSongId=self.first["id"], endSongId=last["id"], count=6)["sonicMatch"]
        self.assertEqual((path[0]["entry"]["id"], path[-1]["entry"]["id"]), (self.first["id"], last["id"]))
        self.assertEqual(path[0]["similarity"], 1)
        self.assertLessEqual(len(path), 6)
        self.assertEqual(len({match["entry"]["id"] for match in path}), len(path))
        for match in path:
            self.assertTrue(0 <= match["similarity"] <= 1, path)

    def test_those_of_an_album_are_of_others(self):
        songs = self.ana.get("getSimilarSongs", id=self.first["albumId"], count=10)["similarSongs"]["song"]
        own = {song["id"] for song in self.ana.get("getAlbum", id=self.first["albumId"])["album"]["song"]}
        self.assertTrue(songs)
        self.assertFalse(own & {song["id"] for song in songs})

    def test_an_artist_is_like_the_artist(self):
        songs = self.ana.get("getSimilarSongs2", id=self.first["artistId"], count=500)["similarSongs2"]["song"]
        self.assertIn(self.first["artistId"], {song["artistId"] for song in songs})


if __name__ == "__main__":
    unittest.main()
