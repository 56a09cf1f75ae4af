"""Clients of others, unmodified, use the server as their users do."""

import hashlib
import pathlib
import unittest

import libopensonic
import libsonic

from support import FIXTURES, ServerTest


class ClientTest(ServerTest):
    def test_py_opensonic(self):
        for options in ({}, {"use_get": True, "use_views": False}, {"legacy_auth": True}):
            with self.subTest(options):
                client = libopensonic.Connection(
                    "http://127.0.0.1", username="ana", password=self.ana.password, port=self.server.port, **options)
                self.use_opensonic(client)
        client = libopensonic.Connection(
            "http://127.0.0.1", api_key=self.ana.password, port=self.server.port)
        self.use_opensonic(client)

    def use_opensonic(self, client):
        self.assertTrue(client.ping())
        result = client.search3("", song_count=500, album_count=500, artist_count=500)
        self.assertEqual(len(result.song), len([file for file in FIXTURES.rglob("*") if file.is_file()]))
        albums = client.get_album_list2("alphabeticalByName", size=500)
        self.assertEqual({album.id for album in albums}, {album.id for album in result.album})
        album = client.get_album(albums[0].id)
        self.assertEqual(album.song_count, len(album.song))
        song = album.song[0]
        self.assertEqual(client.get_song(song.id).title, song.title)
        self.assertEqual(client.get_artist(album.artist_id).name, album.artist)
        client.star(sids=[song.id], album_ids=[album.id])
        starred = client.get_starred2()
        self.assertIn(song.id, [found.id for found in starred.song])
        self.assertIn(album.id, [found.id for found in starred.album])
        client.unstar(sids=[song.id], album_ids=[album.id])
        client.set_rating(song.id, 3)
        self.assertEqual(client.get_song(song.id).user_rating, 3)
        client.scrobble(song.id)
        client.create_playlist(name="opensonic", song_ids=[song.id])
        playlist = next(found for found in client.get_playlists() if found.name == "opensonic")
        self.assertEqual([entry.id for entry in client.get_playlist(playlist.id).entry], [song.id])
        client.delete_playlist(playlist.id)

    def test_py_sonic(self):
        # Its own GET form fails in version 1.2.0, before it sends anything.
        for options in ({}, {"legacyAuth": True}):
            with self.subTest(options):
                client = libsonic.Connection(
                    "http://127.0.0.1", "ana", self.ana.password, port=self.server.port, **options)
                self.use_sonic(client)

    def use_sonic(self, client):
        self.assertTrue(client.ping())
        self.assertTrue(client.getLicense()["license"]["valid"])
        letters = client.getArtists()["artists"]["index"]
        artist = letters[0]["artist"][0]
        album = client.getArtist(artist["id"])["artist"]["album"][0]
        song = client.getAlbum(album["id"])["album"]["song"][0]
        names = client.getIndexes()["indexes"]["index"][0]["artist"]
        children = client.getMusicDirectory(names[0]["id"])["directory"]["child"]
        self.assertTrue(children and children[0]["isDir"])
        file = self.server.folder / "music" / song["path"]
        original = hashlib.md5(file.read_bytes()).hexdigest()
        self.assertEqual(hashlib.md5(client.download(song["id"]).read()).hexdigest(), original)
        self.assertEqual(hashlib.md5(client.stream(song["id"], tformat="raw").read()).hexdigest(), original)
        client.star(sids=[song["id"]])
        self.assertIn(song["id"], [found["id"] for found in client.getStarred2()["starred2"]["song"]])
        client.unstar(sids=[song["id"]])
        client.createPlaylist(name="sonic", songIds=[song["id"], song["id"]])
        playlist = next(found for found in client.getPlaylists()["playlists"]["playlist"] if found["name"] == "sonic")
        self.assertEqual(playlist["songCount"], 2)
        client.updatePlaylist(playlist["id"], songIndexesToRemove=[0])
        self.assertEqual(len(client.getPlaylist(playlist["id"])["playlist"]["entry"]), 1)
        client.deletePlaylist(playlist["id"])
        client.createBookmark(song["id"], 1000, "here")
        self.assertEqual(client.getBookmarks()["bookmarks"]["bookmark"][0]["position"], 1000)
        client.createBookmark(song["id"], 10**15)
        position = client.getBookmarks()["bookmarks"]["bookmark"][0]["position"]
        self.assertLess(abs(position - 1000 * song["duration"]), 501, "a place behind the end is the end")
        client.deleteBookmark(song["id"])
        client.savePlayQueue([song["id"]], current=song["id"], position=5)
        self.assertEqual(client.getPlayQueue()["playQueue"]["current"], song["id"])


if __name__ == "__main__":
    unittest.main()
