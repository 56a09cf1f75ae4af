"""The ids of songs, albums, artists and covers stay the same, whatever happens to the library."""

import shutil
import unittest

from support import Caller, Server


class IdsTest(unittest.TestCase):
    """Each test has a server of its own, because it changes the library."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)
        self.ana = Caller(self.server, "ana", self.server.password("ana"))

    def ids(self):
        found = self.ana.get("search3", query="", songCount=500, albumCount=500, artistCount=500)["searchResult3"]
        # Recordings that cannot be decoded have no key of their own to compare; all songs have paths.
        return {
            "songs": {song["path"]: (song["id"], song.get("coverArt")) for song in found["song"]},
            "albums": {album["id"]: album["name"] for album in found["album"]},
            "artists": {artist["id"]: artist["name"] for artist in found["artist"]},
        }

    def replace_library(self, file):
        """Serves another file as the library, as somebody does who moves it."""
        self.server.stop()
        for path in self.server.folder.glob("library.sqlite*"):
            path.unlink()
        shutil.move(file, self.server.library)
        self.server.start()

    def test_ids_outlive_everything(self):
        before = self.ids()
        self.assertGreater(len(before["songs"]), 10)
        self.assertEqual(len({key for key, _ in before["songs"].values()}), len(before["songs"]))
        song = next(key for key, _ in before["songs"].values())
        self.ana.get("star", id=song)

        def check(what):
            with self.subTest(what):
                self.assertEqual(self.ids(), before)
                self.assertIn("starred", self.ana.get("getSong", id=song)["song"])

        for path in self.server.folder.glob("music/**/*"):
            if path.is_file():
                path.touch()
        self.server.run("scan", "-q", "-L", self.server.library)
        check("files whose times changed")

        merged = self.server.folder / "merged.sqlite"
        self.server.run("merge", "-q", "-L", merged, self.server.library)
        self.replace_library(merged)
        check("a merge into a new library")

        backup = self.server.folder / "backup.sqlite"
        self.server.run("backup", "-q", "-L", self.server.library, backup)
        self.ana.get("unstar", id=song)
        self.server.stop()
        self.server.run("restore", "-q", "-L", self.server.library, backup)
        self.server.start()
        check("a restored backup")

        repaired = self.server.folder / "repaired.sqlite"
        self.server.run("doctor", "-q", "-L", self.server.library, "--repair", "-o", repaired)
        self.replace_library(repaired)
        check("a repair")

    def test_a_merge_of_both_halves_has_the_ids_of_both(self):
        before = self.ids()
        # The same folder, read by another machine: the files are known already, and keep the keys of this library.
        other = self.server.folder / "other.sqlite"
        self.server.run("scan", "-q", "-L", other, self.server.folder / "music")
        self.server.run("merge", "-q", "--no-backup", "-L", self.server.library, other)
        self.assertEqual(self.ids(), before)


if __name__ == "__main__":
    unittest.main()
