"""Covers in smaller sizes, against Pillow, which reads and averages them on its own."""

import io
import json
import os
import pathlib
import shutil
import struct
import tempfile
import unittest
import urllib.error
import urllib.request
import zlib

import mutagen.flac
from PIL import Image, ImageChops, ImageStat

from support import FIXTURES, Caller, Server

WIDTH, HEIGHT = 1200, 801


def picture():
    """Colours that change slowly, with an edge."""
    image = Image.merge("RGB", [
        Image.linear_gradient("L").resize((WIDTH, HEIGHT)), Image.radial_gradient("L").resize((WIDTH, HEIGHT)),
        Image.linear_gradient("L").rotate(90).resize((WIDTH, HEIGHT))])
    image.paste((250, 240, 10), (100, 100, 500, 300))
    return image


def saved(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def transparent(image):
    image = image.convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    return image


def huge_png():
    """60,000 x 60,000 pixels that are all the same, in some kilobytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(10_000_000))) + chunk(
        b"IEND", b"")


class CoverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        image = picture()
        jpeg = saved(image, "JPEG", quality=92)
        cls.pictures = {
            "jpeg": ("image/jpeg", jpeg), "progressive": ("image/jpeg", saved(image, "JPEG", quality=90, progressive=True)),
            "full colours": ("image/jpeg", saved(image, "JPEG", quality=90, subsampling=0)),
            "gray": ("image/jpeg", saved(image.convert("L"), "JPEG")),
            "png": ("image/png", saved(image, "PNG")), "transparent": ("image/png", saved(transparent(image), "PNG")),
            "palette": ("image/png", saved(image.convert("P"), "PNG")), "bits": ("image/png", saved(image.convert("1"), "PNG")),
            "gif": ("image/gif", saved(image, "GIF")), "bmp": ("image/bmp", saved(image, "BMP")),
            "webp": ("image/webp", saved(image, "WEBP", quality=90)),
            "lossless": ("image/webp", saved(image, "WEBP", lossless=True)),
            "called png": ("image/png", jpeg),
            "small": ("image/jpeg", saved(image.resize((240, 160)), "JPEG")),
        }
        cls.hostile = {
            "huge": ("image/png", huge_png()), "noise": ("image/jpeg", b"\xff\xd8\xff\xe0" + os.urandom(30_000)),
            "no picture": ("image/webp", b"RIFF\xff\xff\xff\xffWEBP" + bytes(5000)), "bad gif": ("image/gif", b"GIF89a" + os.urandom(2000)), "bad bmp": ("image/bmp", b"BM" + b"\xff" * 500),
        }
        folder = pathlib.Path(tempfile.mkdtemp())
        # The API knows recordings, so one picture has a recording of its own.
        alone, *_, shared = sorted(FIXTURES.rglob("*.flac"))
        covers = {**cls.pictures, **cls.hostile, "nothing": ("image/png", b"x")}
        for name, (kind, data) in covers.items():
            path = folder / f"{name}.flac"
            shutil.copy(alone if name == "jpeg" else shared, path)
            file = mutagen.flac.FLAC(path)
            file.clear_pictures()
            cover = mutagen.flac.Picture()
            cover.type, cover.mime, cover.data = 3, kind, data
            file.add_picture(cover)
            file["title"] = [name]
            file.save()
        cls.server = Server(folder)
        shutil.rmtree(folder)
        cls.ana = Caller(cls.server, "ana", cls.server.password("ana"))
        cls.covers = {song["title"]: song["coverArt"] for song in cls.ana.songs()}

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def cover(self, name, **parameters):
        with self.ana.open("getCoverArt", id=self.covers[name], **parameters) as answer:
            return answer.headers["Content-Type"], answer.read()

    def test_a_smaller_cover_looks_like_the_large_one(self):
        for name, (_, data) in self.pictures.items():
            if name == "small":
                continue
            with self.subTest(name):
                kind, bytes = self.cover(name, size=300)
                self.assertEqual(kind, "image/jpeg")
                found = Image.open(io.BytesIO(bytes))
                self.assertEqual((found.format, found.size), ("JPEG", (384, 256)))
                expected = Image.open(io.BytesIO(data)).convert("RGBA")
                expected = Image.alpha_composite(Image.new("RGBA", expected.size, "white"), expected).convert("RGB")
                expected = expected.resize((384, 256), Image.Resampling.BOX)
                difference = ImageStat.Stat(ImageChops.difference(found.convert("RGB"), expected)).mean
                # Dots of black and white are what JPEG keeps worst.
                self.assertLess(max(difference), 10 if name == "bits" else 4, f"{name}: {difference}")
                self.assertLess(len(bytes), 60_000)

    def test_the_sizes_are_steps_of_a_ladder(self):
        sizes = {Image.open(io.BytesIO(self.cover("jpeg", size=size)[1])).size[0] for size in (10, 65, 100, 192, 193, 300, 500, 600, 800, 1100)}
        self.assertEqual(sizes, {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1200})

    def test_nothing_becomes_larger(self):
        for name, size in (("small", 256), ("small", 2000), ("jpeg", 1200), ("png", 99_999), ("jpeg", None)):
            kind, bytes = self.cover(name, size=size)
            self.assertEqual((kind, bytes), self.pictures[name])
        self.assertEqual(Image.open(io.BytesIO(self.cover("small", size=100)[1])).size, (128, 85))

    def test_a_hostile_picture_costs_nothing_but_itself(self):
        for name, expected in self.hostile.items():
            for size in (100, 100, 300):
                self.assertEqual(self.cover(name, size=size), expected, name)
        self.assertEqual(self.cover("jpeg", size=700)[0], "image/jpeg")

    def test_what_is_no_picture_is_no_cover(self):
        # That of its album, which other files have, or what is engraved.
        for size in (100, None):
            kind, bytes = self.cover("nothing", size=size)
            self.assertTrue(kind.startswith("image/") and bytes != b"x", kind)

    def test_the_api_has_the_same_sizes(self):
        shown = self.server.run("ls", "-L", self.server.library, "--jsonl", "title:jpeg")
        track = json.loads(shown.splitlines()[0])["id"]
        with urllib.request.urlopen(f"{self.server.address}/api/v1/tracks/{track}/artwork?size=300") as answer:
            self.assertEqual(answer.headers["Content-Type"], "image/jpeg")
            tag, data = answer.headers["ETag"], answer.read()
        self.assertEqual(Image.open(io.BytesIO(data)).size, (384, 256))
        request = urllib.request.Request(
            f"{self.server.address}/api/v1/tracks/{track}/artwork?size=300", headers={"If-None-Match": tag})
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        self.assertEqual(caught.exception.code, 304)


if __name__ == "__main__":
    unittest.main()
