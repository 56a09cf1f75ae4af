#!/usr/bin/python3
"""Writes random tags into copies of all files in a folder, and lets Mutagen judge.

    check-writing.py [--deadwax PROGRAM] [--rounds 20] [--seed N] [--keeps] FOLDER…

Each round corrects some fields of all files, or embeds or removes a cover, or writes the loudness, through the command.
After each round these hold, or it is listed and the status is 1:

- A file that was not written has the bytes that it had.
- Of one that was, all items that the edit did not name are equal byte for byte, in their order, and so are sound,
  other chunks, blocks and packets; what Mutagen reads differs in the named fields only; the named ones are as wanted.
- The next scan decodes nothing, and nothing is left beside the files.

In the end a new library of the files has the same recordings, lengths and loudness; then all changes are undone, in
a random order in which some are refused at first, and each file is what it was. A table has the reasons for which files
were refused that ffprobe reads.

Needs Mutagen and ffmpeg.
"""

import argparse
import base64
import collections
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

import mutagen
import mutagen.flac
import mutagen.id3
import mutagen.mp3
import mutagen.mp4
import mutagen.musepack
import mutagen.ogg

CANONICAL = {
    "album artist": "albumartist", "year": "date", "track": "tracknumber", "disc": "discnumber",
    "tracktotal": "tracknumber", "disctotal": "discnumber", "totaltracks": "tracknumber", "totaldiscs": "discnumber",
    "description": "comment", "unsyncedlyrics": "lyrics", "tempo": "bpm", "musicbrainz track id": "musicbrainz_trackid",
}
FRAMES = {
    "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album", "TAL": "album",
    "TPE2": "albumartist", "TP2": "albumartist", "TCOM": "composer", "TCM": "composer", "TCON": "genre", "TCO": "genre",
    "TRCK": "tracknumber", "TRK": "tracknumber", "TDRC": "date", "TYER": "date", "TYE": "date", "TDAT": "date",
    "TDA": "date", "TIME": "date", "TIM": "date", "TBPM": "bpm", "TBP": "bpm", "TSRC": "isrc", "TRC": "isrc",
}  # fmt: skip
ATOMS = {
    b"\xa9nam": "title", b"\xa9ART": "artist", b"\xa9alb": "album", b"aART": "albumartist", b"\xa9wrt": "composer",
    b"\xa9gen": "genre", b"gnre": "genre", b"trkn": "tracknumber", b"\xa9day": "date", b"tmpo": "bpm",
    b"\xa9cmt": "comment", b"covr": "cover",
}  # fmt: skip
CHUNKS = {
    b"INAM": "title", b"IART": "artist", b"IPRD": "album", b"IGNR": "genre", b"ICRD": "date", b"ICMT": "comment",
    b"ITRK": "tracknumber", b"IPRT": "tracknumber", b"TRCK": "tracknumber", b"IMUS": "composer", b"IBPM": "bpm",
    b"ISRC": "isrc", b"NAME": "title", b"AUTH": "artist", b"ANNO": "comment", b"COMT": "comment",
}  # fmt: skip


def canonical(name):
    name = name.lower()
    return CANONICAL.get(name, name)


# What a file consists of: a list of (field or None, name, bytes), in order.


def synchsafe(data):
    return sum((byte & 0x7F) << shift for byte, shift in zip(data, (21, 14, 7, 0)))


def id3_end(data, start):
    if data[start : start + 3] != b"ID3" or len(data) < start + 10:
        return start
    footer = 10 if data[start + 5] & 0x10 and data[start + 3] == 4 else 0
    return start + 10 + synchsafe(data[start + 6 : start + 10]) + footer


def id3_parts(data, start, end):
    version, flags = data[start + 3], data[start + 5]
    body = data[start + 10 : end]
    if flags & 0x80 and version < 4:
        body = mutagen.id3._util.unsynch.decode(bytes(body)) if is_unsynchronised(body) else bytes(body)
    yield None, f"ID3v2.{version} flags", bytes([flags])
    place = 0
    if flags & 0x40 and version > 2:
        place = 4 + struct.unpack(">I", body[:4])[0] if version == 3 else synchsafe(body[:4])
        yield None, "extended header", bytes(body[4:6])
    head = 6 if version == 2 else 10
    size_of = (lambda data: struct.unpack(">I", data)[0]) if version == 3 else synchsafe
    if version == 4 and mutagen.id3._tags.determine_bpi(bytes(body[place:]), mutagen.id3.Frames) is int:
        size_of = lambda data: struct.unpack(">I", data)[0]  # noqa: E731
    while place + head <= len(body) and body[place]:
        name = bytes(body[place : place + (3 if version == 2 else 4)])
        size = int.from_bytes(body[place + 3 : place + 6], "big") if version == 2 else size_of(body[place + 4 : place + 8])
        frame = bytes(body[place : place + head + size])
        yield frame_field(name.decode("latin-1"), frame_content(frame, version, head)), f"frame {name}", frame
        place += head + size


def frame_content(frame, version, head):
    """The content of a frame without what its flags put before it."""
    content = frame[head:]
    if version < 4:
        return content
    if frame[9] & 0x40:
        content = content[1:]
    return content[4:] if frame[9] & 0x01 else content


def is_unsynchronised(body):
    return all(body[i] != 0xFF or body[i + 1] < 0xE0 for i in range(len(body) - 1))


def frame_field(name, content):
    def text(data, encoding):
        wide = encoding in (1, 2)
        end = next((i for i in range(0, len(data), 2 if wide else 1) if not any(data[i : i + (2 if wide else 1)])), len(data))
        code = ["latin-1", "utf-16", "utf-16-be", "utf-8"][encoding] if encoding < 4 else "latin-1"
        return data[:end].decode(code, "replace"), end + (2 if wide else 1)

    if not content:
        return FRAMES.get(name)
    encoding = content[0]
    if name in ("TXXX", "TXX"):
        return canonical(text(content[1:], encoding)[0])
    if name in ("COMM", "COM", "USLT", "ULT"):
        kind = "comment" if name.startswith("COM") else "lyrics"
        description = text(content[4:], encoding)[0]
        return kind if not description else f"{kind}:{description.lower()}"
    if name == "APIC":
        mime = content[1:].split(b"\0", 1)
        return "cover" if len(mime) > 1 and mime[1][:1] == b"\3" else None
    if name == "PIC":
        return "cover" if content[4:5] == b"\3" else None
    if name == "UFID" and content.startswith(b"http://musicbrainz.org\0"):
        return "musicbrainz_trackid"
    return FRAMES.get(name, "compilation" if name in ("TCMP", "TCP") else None)


def comment_parts(data, framing=b""):
    """Vorbis comments; what follows them is a part without its zeros."""
    size = struct.unpack("<I", data[:4])[0]
    yield None, "vendor", bytes(data[4 : 4 + size])
    place = 4 + size
    count = struct.unpack("<I", data[place : place + 4])[0]
    place += 4
    for _ in range(count):
        size = struct.unpack("<I", data[place : place + 4])[0]
        comment = bytes(data[place + 4 : place + 4 + size])
        place += 4 + size
        key = comment.split(b"=", 1)[0].decode("latin-1")
        field = canonical(key)
        if field == "metadata_block_picture":
            try:
                field = "cover" if struct.unpack(">I", base64.b64decode(comment[23:])[:4])[0] == 3 else None
            except (ValueError, struct.error):
                field = None
        elif field == "coverart":
            field = "cover"
        yield field, f"comment {key}", comment
    yield None, "behind the comments", bytes(data[place:]).rstrip(b"\0")


def ape_parts(data, start, end):
    place = start
    while place + 8 < end:
        size, flags = struct.unpack("<II", data[place : place + 8])
        name_end = data.index(b"\0", place + 8)
        name = bytes(data[place + 8 : name_end]).decode("latin-1")
        stop = name_end + 1 + size
        field = "cover" if name.lower() == "cover art (front)" else canonical(name)
        yield field, f"item {name}", struct.pack("<I", flags) + bytes(data[place + 8 : stop])
        place = stop


def behind(data, end):
    """Where the sound ends, and the parts of the tags behind it: APE, ID3v1, Lyrics3, ID3v2 with a footer."""
    parts = []
    while True:
        if end >= 128 and data[end - 128 : end - 125] == b"TAG" and data[end - 131 : end - 128] != b"APE":
            end -= 128
            parts = id3v1_parts(data[end : end + 128]) + parts
        elif end >= 32 and data[end - 32 : end - 24] == b"APETAGEX":
            size, _, flags = struct.unpack("<III", data[end - 20 : end - 8])
            parts = list(ape_parts(data, end - size, end - 32)) + parts
            end -= size + (32 if flags & 0x80000000 else 0)
        elif end >= 15 and data[end - 9 : end] == b"LYRICS200" and data[end - 15 : end - 9].isdigit():
            start = end - 15 - int(data[end - 15 : end - 9])
            parts = [(None, "Lyrics3", data[start:end])] + parts
            end = start
        elif end >= 10 and data[end - 10 : end - 7] == b"3DI":
            start = end - 20 - synchsafe(data[end - 4 : end])
            parts = list(id3_parts(data, start, end - 10)) + parts
            end = start
        else:
            return end, parts


def id3v1_parts(tag):
    # The last two bytes are of the comment or of the number.
    places = {"title": (3, 33), "artist": (33, 63), "album": (63, 93), "date": (93, 97), "comment": (97, 125)}
    places["genre"] = (127, 128)
    return [(field, f"ID3v1 {field}", tag[a:b]) for field, (a, b) in places.items()]


def flac_parts(data, start, end):
    place = start + 4
    while True:
        head = struct.unpack(">I", data[place : place + 4])[0]
        kind, size = head >> 24 & 0x7F, head & 0xFFFFFF
        body = data[place + 4 : place + 4 + size]
        if kind == 4:
            yield from comment_parts(body)
        elif kind == 6:
            yield "cover" if body[3] == 3 else None, "picture", bytes(body)
        elif kind != 1:
            yield None, f"block {kind}", bytes(body)
        place += 4 + size
        if head >> 31:
            break
    yield None, "frames", bytes(data[place:end])


def ogg_parts(path):
    """Packets of the first stream, and everything of the others; positions of pages that sound ends on."""
    streams, order = collections.defaultdict(list), []
    with open(path, "rb") as file:
        while True:
            try:
                page = mutagen.ogg.OggPage(file)
            except EOFError:
                break
            if page.serial not in streams:
                order.append(page.serial)
            streams[page.serial].append(page)
    for number, serial in enumerate(order):
        pages = streams[serial]
        packets, ends = [], []
        for page in pages:
            for index, packet in enumerate(page.packets):
                if index == 0 and page.continued and packets:
                    packets[-1] += packet
                else:
                    packets.append(packet)
        first = packets[0]
        kind = next((kind for mark, kind in ((b"\1vorbis", "vorbis"), (b"OpusHead", "opus"), (b"Speex", "speex"),
                                             (b"\x7fFLAC", "flac")) if first.startswith(mark)), None)  # fmt: skip
        begin = {"vorbis": 7, "opus": 8, "speex": 0, "flac": 4}.get(kind)
        for index, packet in enumerate(packets):
            if index == 1 and begin is not None:
                yield None, "mark", packet[: begin if kind != "flac" else 1]
                yield from comment_parts(packet[begin:])
        rest = [packet for index, packet in enumerate(packets) if index != 1]
        yield None, f"packets of {number}", hashlib.md5(b"".join(struct.pack("<I", len(p)) + p for p in rest)).digest()
        ends = [page.position for page in pages if page.position > 0]
        yield None, f"positions of {number}", repr(ends).encode()


def mp4_parts(path, data):
    with open(path, "rb") as file:
        atoms = mutagen.mp4._atom.Atoms(file)
    moved = {b"stco", b"co64", b"tfhd", b"free", b"skip"}

    def walk(atoms, way):
        for atom in atoms:
            if atom.name == b"ilst":
                for item in atom.children:
                    field = ATOMS.get(item.name)
                    body = data[item.offset : item.offset + item.length]
                    if item.name == b"----":
                        try:
                            mean = struct.unpack(">I", body[8:12])[0]
                            size = struct.unpack(">I", body[8 + mean : 12 + mean])[0]
                            field = canonical(body[8 + mean + 12 : 8 + mean + size].decode("utf-8", "replace"))
                        except struct.error:
                            field = None
                    elif item.name == b"cpil":
                        field = "compilation"
                    elif item.name == b"\xa9lyr":
                        field = "lyrics"
                    yield field, f"atom {item.name}", bytes(body)
            elif atom.children is not None and atom.name != b"meta":
                yield from walk(atom.children, way + [atom.name])
            elif atom.name == b"meta" and atom.children and atom.children[0].name == b"\0\0\0\0":
                raise ValueError("a box without version and flags, which Mutagen does not know")
            elif atom.name == b"meta" and atom.children is not None:
                yield from walk([child for child in atom.children if child.name != b"hdlr"], way + [atom.name])
            elif atom.name in moved:
                continue
            else:
                head = 16 if data[atom.offset : atom.offset + 4] == b"\0\0\0\1" else 8
                yield None, f"box {atom.name}", bytes(data[atom.offset + head : atom.offset + atom.length])

    yield from walk(atoms.atoms, [])
    digest = hashlib.md5()
    for atom, form in (b"stco", ">I"), (b"co64", ">Q"):
        for name, found in all_atoms(atoms.atoms):
            if name != atom:
                continue
            body = data[found.offset + 16 : found.offset + found.length]
            for (place,) in struct.iter_unpack(form, body[: len(body) // struct.calcsize(form) * struct.calcsize(form)]):
                # Not beyond the box with the sound, behind which tags may be.
                end = next((a.offset + a.length for a in atoms.atoms if a.offset <= place < a.offset + a.length), place)
                digest.update(data[place : min(place + 64, end)])
    yield None, "what chunks begin with", digest.digest()


def all_atoms(atoms):
    for atom in atoms:
        yield atom.name, atom
        yield from all_atoms(atom.children or [])


def chunk_parts(data, start, end, order):
    place = start + 12
    # Whatever the head says: one that says too little is corrected.
    while place + 8 <= end:
        name = bytes(data[place : place + 4])
        size = struct.unpack(order + "I", data[place + 4 : place + 8])[0]
        body = data[place + 8 : place + 8 + size]
        if name in (b"id3 ", b"ID3 ") and not body:
            pass
        elif name in (b"id3 ", b"ID3 ") and body[:3] == b"ID3":
            yield from id3_parts(data, place + 8, min(place + 8 + size, id3_end(data, place + 8)))
        elif name == b"LIST" and body[:4] == b"INFO":
            inner = 4
            while inner + 8 <= len(body):
                key = bytes(body[inner : inner + 4])
                length = struct.unpack("<I", body[inner + 4 : inner + 8])[0]
                yield CHUNKS.get(key), f"text {key}", bytes(body[inner + 8 : inner + 8 + length])
                inner += 8 + length + length % 2
        else:
            yield CHUNKS.get(name) if order == ">" else None, f"chunk {name}", bytes(body)
        place += 8 + size + size % 2


def parts(path):
    with open(path, "rb") as file:
        data = memoryview(file.read())
    data = bytes(data)
    end, tail = behind(data, len(data))
    found, start = [], 0
    junk = data.find(b"ID3", 0, 1 << 18)
    if junk > 0 and data[:1] not in (b"f", b"O", b"R", b"F", b"\0", b"A", b"w", b"M", b"T", b"\xff"):
        found.append((None, "junk", data[:junk]))
        start = junk
    while (next_start := id3_end(data, start)) > start:
        found += id3_parts(data, start, next_start)
        start = next_start
    mark = data[start : start + 4]
    if mark == b"fLaC":
        found += flac_parts(data, start, end)
    elif mark == b"OggS":
        found += ogg_parts(path)
    elif mark in (b"RIFF", b"FORM"):
        found += chunk_parts(data, start, end, "<" if mark == b"RIFF" else ">")
    elif data[4:8] in (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide"):
        found += mp4_parts(path, data)
    else:
        found.append((None, "sound", data[start:end]))
    return found + tail


def mutagen_view(path):
    """What Mutagen reads: its items with what they say, and what it says of the sound."""
    try:
        file = mutagen.File(path)
    except Exception as error:  # noqa: BLE001: it fails in many ways
        return {"error": (None, type(error).__name__)}, {}
    if file is None or has_wrong_head(path):
        return {"error": (None, "unknown")}, {}
    info = {name: getattr(file.info, name, None) for name in ("length", "sample_rate", "channels", "bits_per_sample")}
    # Without a header it takes the length of the file for that of the sound, with other tags than ID3.
    if isinstance(file, (mutagen.mp3.MP3, mutagen.musepack.Musepack)) and getattr(file.info, "bitrate_mode", 0) in (0, 1):
        info["length"] = None
    items = collections.defaultdict(list)
    tags = file.tags
    with open(path, "rb") as data:
        data.seek(max(0, os.path.getsize(path) - 128))
        has_id3v1 = data.read(3) == b"TAG"
    if isinstance(tags, mutagen.id3.ID3):
        for key, frame in tags.items():
            field = frame_field(frame.FrameID, b"") or {"TXXX": canonical(getattr(frame, "desc", ""))}.get(frame.FrameID)
            # What it makes of ID3v1 under other names; parts have that, too.
            if key.startswith("COMM:ID3v1 Comment") or has_id3v1 and frame.FrameID in ("TRCK", "TYER", "TDRC"):
                continue
            if frame.FrameID in ("COMM", "USLT"):
                field = ("comment" if frame.FrameID == "COMM" else "lyrics") + (frame.desc and f":{frame.desc.lower()}")
            if frame.FrameID == "APIC":
                field = "cover" if frame.type == 3 else None
            if frame.FrameID == "UFID":
                field = "musicbrainz_trackid"
            if frame.FrameID == "TCMP":
                field = "compilation"
            # Of two descriptions that are equal it makes different ones.
            items[key.rstrip()].append((field, re.sub(r"desc='(.*?) *'", r"desc='\1'", repr(frame))))
    elif isinstance(tags, mutagen.mp4.MP4Tags):
        for key, values in tags.items():
            field = ATOMS.get(key.encode("latin-1"), canonical(key.split(":")[-1]) if key.startswith("----") else None)
            field = {"cpil": "compilation", "\xa9lyr": "lyrics"}.get(key, field)
            items[key].append((field, repr(values)))
    elif tags is not None:
        for key in {key for key in tags.keys()}:
            field = "cover" if key.lower() in ("cover art (front)", "coverart", "metadata_block_picture") else canonical(key)
            items[key.lower()].append((field, repr(tags[key])))
    return items, info


def has_wrong_head(path):
    """Whether the head of a file of chunks leaves some out, which Mutagen then does not see."""
    with open(path, "rb") as file:
        head = file.read(8)
    order = {b"RIFF": "<", b"FORM": ">"}.get(head[:4])
    return order is not None and struct.unpack(order + "I", head[4:])[0] + 8 < os.path.getsize(path)


EASY = {"title", "artist", "album", "genre", "composer", "albumartist"}


def wrong_values(path, changes):
    """Which of the named fields Mutagen reads differently than is wanted."""
    try:
        file = mutagen.File(path, easy=True)
    except Exception:  # noqa: BLE001
        return []
    # ID3v1 has no room for long values.
    if file is None or not file.tags or getattr(file.tags, "version", (0,))[0] == 1 or has_only_id3v1(path):
        return []
    names = {"albumartist": ["albumartist", "album artist"]}
    found = []
    for change in changes:
        if change["field"] not in EASY or change["field"] == "composer" and isinstance(file, mutagen.mp4.MP4):
            continue
        read = next((list(file.tags[n]) for n in names.get(change["field"], [change["field"]]) if n in file.tags), [])
        # Of ID3v1 it takes what ID3v2 lacks.
        if read and change["new"] and change["new"][0].startswith(str(read[0])) and len(str(read[0])) <= 30:
            continue
        # A tag that counts less only has what it had.
        if read and [str(value) for value in read] != change["new"] or not read and change["new"] and is_main(file):
            found.append(f"{change['field']} is {read} instead of {change['new']}")
    return found


def has_only_id3v1(path):
    with open(path, "rb") as file:
        start = file.read(3)
        file.seek(max(0, os.path.getsize(path) - 128))
        return start != b"ID3" and file.read(3) == b"TAG"


def is_main(file):
    """Whether the tag that Mutagen reads is the one that gets new fields."""
    return type(file).__name__ not in ("MP3", "EasyMP3", "AAC", "TrueAudio", "EasyTrueAudio", "AIFF", "WAVE")


class Check:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.work = tempfile.mkdtemp(prefix="deadwax-writing-")
        self.music = os.path.join(self.work, "music")
        self.library = os.path.join(self.work, "library.sqlite")
        self.failures = []
        self.refusals = {}
        self.written = collections.Counter()
        self.counts = collections.Counter()

    def fail(self, text):
        self.failures.append(text)
        print(f"FAILED {text}", flush=True)

    def run(self, *arguments, library=None, statuses=(0,)):
        environment = dict(os.environ, DEADWAX_LIBRARY=library or self.library, LC_ALL="C.UTF-8")
        command = [self.options.deadwax, *arguments]
        done = subprocess.run(command, capture_output=True, env=environment, cwd=self.work, check=False)
        if done.returncode not in statuses:
            self.fail(f"{' '.join(arguments)[:200]}: status {done.returncode}: {done.stderr.decode()[-500:]}")
        return done

    def json(self, *arguments, **options):
        done = self.run(*arguments, "--json", **options)
        try:
            return json.loads(done.stdout)
        except ValueError:
            self.fail(f"{arguments}: no document: {done.stdout[:200]!r}")
            return {"files": []}

    def files(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.music) for name in names)

    def contents(self):
        """A hash of each file: copies are kept by it, for what is undone."""
        found = {}
        for path in self.files():
            with open(path, "rb") as file:
                found[path] = hashlib.blake2b(file.read()).digest()
        return found

    # Edits

    TEXTS = ["Tide", "Émilie", "星屑の夜", "Рассвет", "a", "With, commas; and / more", "Long " * 60 + "end", "𝄞 beyond"]
    VALUES = {
        "date": ["2011", "1999-12-31", "2020-02-29"], "track": ["7", "12"], "bpm": ["120", "98"],
        "isrc": ["USRC17607839"], "comment": TEXTS, "lyrics": ["La la", "Nana 夜"], "my own name": TEXTS,
    }  # fmt: skip

    def correct(self):
        """Corrections of a few fields, different ones for parts of the files."""
        paths = [path for path in self.library_files if self.random.random() < 0.9]
        self.random.shuffle(paths)
        count = max(1, len(paths) // 6)
        for start in range(0, len(paths), count):
            words = []
            for _ in range(self.random.randint(1, 3)):
                if self.random.random() < 0.6:
                    name = self.random.choice(["title", "artist", "album", "albumartist", "composer", "genre"])
                    values = self.random.sample(self.TEXTS, self.random.randint(1, 2))
                else:
                    name = self.random.choice(sorted(self.VALUES))
                    values = [self.random.choice(self.VALUES[name])]
                if not any(word.startswith(name + "=") for word in words):
                    words += [f"{name}={value}" for value in values]
            group = paths[start : start + count]
            if self.random.random() < 0.2:
                self.run("tags", "clear", "-q", words[0].split("=")[0], *group, statuses=(0, 1, 2, 64))
            else:
                self.run("tags", "set", "-q", "--new", *words, *group, statuses=(0, 1))

    def edit(self, number):
        kind = self.random.choice(["tags"] * 6 + ["embed", "remove", "loudness"]) if number else "tags"
        if kind == "tags":
            self.correct()
            return kind, self.json("tags", "write", "--all", "--yes")
        if kind == "loudness":
            return kind, self.json("tags", "write", "--replaygain", "--all", "--yes")
        if kind == "remove":
            return kind, self.json("artwork", "remove", "--all", "--yes")
        return kind, self.json("artwork", "embed", "--all", "--file", self.random.choice(self.covers), "--yes")

    def round(self, number, states):
        before = {path: (parts_or_none(path), mutagen_view(path)) for path in self.files()}
        kind, document = self.edit(number)
        after = self.contents()
        if set(after) != set(states[-1]):
            self.fail(f"round {number}: other files: {set(after) ^ set(states[-1])}")
        outcomes = {file["path"]: file for file in document["files"]}
        for path, old in states[-1].items():
            file = outcomes.get(path)
            if file and file["refusal"]:
                self.refusals.setdefault(path, {})[file["refusal"]["code"]] = file["refusal"]["reason"]
            if not file or not file["written"]:
                if after.get(path) != old:
                    self.fail(f"round {number}: {path} was not written, and is different")
                continue
            self.written[path] += 1
            self.counts["edits"] += 1
            self.compare(path, before[path], file["changes"], f"round {number}, {kind}")
        self.expect_nothing_to_read(f"round {number}")
        self.counts[f"rounds of {kind}"] += 1
        states.append(after)

    def compare(self, path, before, changes, what):
        name = os.path.relpath(path, self.music)
        fields = {canonical(change["field"]) for change in changes}
        old_parts, (old_items, old_info) = before
        new_parts = parts_or_none(path)
        has_new_tag = not old_items or has_id3(new_parts) and not has_id3(old_parts)
        if old_parts is None or new_parts is None:
            self.counts["files whose parts this script cannot read"] += 1
        else:
            old = [part[1:] for part in old_parts if part[0] not in fields]
            new = [part[1:] for part in new_parts if part[0] not in fields]
            if old != new and not is_only_new(old, new, has_new_tag):
                different = next(
                    ((a, b) for a, b in zip(old + [None] * len(new), new + [None] * len(old)) if a != b), None)
                self.fail(f"{what}: {name}: {sorted(fields)} changed, but so did {shown(different)}")
        new_items, new_info = mutagen_view(path)
        # In ADTS it looks for frames where ID3v2 is.
        if old_info != new_info and old_info and not path.endswith(".aac"):
            self.fail(f"{what}: {name}: Mutagen says of the sound {new_info}, not {old_info}")
        if "error" in old_items or path.endswith(".aac"):
            self.counts["files that Mutagen cannot read"] += 1
            return
        for key in set(old_items) | set(new_items):
            old, new = (
                sorted(value for field, value in found.get(key, []) if field not in fields)
                for found in (old_items, new_items)
            )
            # A new tag says what others say that Mutagen does not read, such as a list INFO; and ID3v1 in UTF-8.
            if has_new_tag:
                old, new = ([re.sub(r"encoding=<.*?>, ", "", value) for value in values] for values in (old, new))
            if old != new and (old or not has_new_tag):
                self.fail(f"{what}: {name}: {sorted(fields)} changed, but Mutagen's {key} is {new}, not {old}")
        for wrong in wrong_values(path, changes):
            self.fail(f"{what}: {name}: Mutagen's {wrong}")

    def expect_nothing_to_read(self, what):
        scan = self.json("scan", self.music)
        if any(scan.get(key) for key in ("decoded_files", "changed", "new", "missing")):
            self.fail(f"{what}: the scan has something to do: {scan}")

    # The whole

    def main(self):
        for number, folder in enumerate(self.options.folders):
            shutil.copytree(folder, os.path.join(self.music, str(number)), symlinks=False)
        for path in self.files():
            os.chmod(path, 0o644)
        self.run("scan", "-q", self.music)
        listed = self.run("ls", "--print0").stdout.split(b"\0")
        self.library_files = sorted(os.fsdecode(path) for path in listed if path)
        self.make_covers()
        states = [self.contents()]
        for number in range(self.options.rounds):
            self.round(number, states)
            print(f"round {number}: {dict(self.counts)}", flush=True)
        self.check_sound()
        self.undo(states)
        self.table()
        print(f"seed {self.options.seed}: {dict(self.counts)}, {len(self.failures)} failures")
        if not self.options.keeps:
            shutil.rmtree(self.work)
        return 1 if self.failures else 0

    def make_covers(self):
        self.covers = []
        for name, size in (("cover.png", "300x200"), ("cover.jpg", "600x600")):
            path = os.path.join(self.work, name)
            source = ["-f", "lavfi", "-i", f"mandelbrot=size={size}", "-frames:v", "1", path]
            subprocess.run(["ffmpeg", "-v", "error", "-y", *source], check=True, stdin=subprocess.DEVNULL)
            self.covers.append(path)

    def check_sound(self):
        """A library of its own, in which all files are decoded, has the same sound."""
        other = os.path.join(self.work, "other.sqlite")
        self.run("scan", "-q", self.music, library=other)
        old, new = (self.sound(library) for library in (self.library, other))
        names = {os.path.relpath(path, self.music) for path in self.written}
        for path in sorted(names):
            if old.get(path) != new.get(path):
                a, b = old.get(path) or {}, new.get(path) or {}
                different = {key: (a.get(key), b.get(key)) for key in {*a, *b} if a.get(key) != b.get(key)}
                self.fail(f"{path}: its sound is another one: {different}")
        self.counts["sounds that were decoded again"] = len(new)

    SOUND = """
        SELECT CAST(file.path AS BLOB), file.last_state, stream.hash, stream.payload_bytes, audio.hash, audio.sample_rate_hz,
               audio.channels, audio.decoded_frames, file.declared_frames, file.delay_frames, file.padding_frames,
               file.statement, measures.*
          FROM file LEFT JOIN stream ON stream.id = file.stream_id LEFT JOIN audio ON audio.id = file.audio_id
          LEFT JOIN measures ON measures.audio_id = file.audio_id
        """

    def sound(self, library):
        """What the library has of the sound of each file."""
        with contextlib.closing(sqlite3.connect(f"file:{library}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            rows = [dict(row) for row in database.execute(self.SOUND)]
        for row in rows:
            for name in ("audio_id", "made_at"):
                row.pop(name)
        return {os.fsdecode(row.pop("CAST(file.path AS BLOB)")): row for row in rows}

    def undo(self, states):
        """Changes in random order until all are undone; later ones first where files have several."""
        waiting = [change["id"] for change in self.json("tags", "undo", "--list")["changes"] if change["files_undoable"]]
        for _ in range(len(waiting) + 1):
            self.random.shuffle(waiting)
            for change in waiting:
                self.run("tags", "undo", "-q", str(change), statuses=(0, 1))
                self.counts["undos"] += 1
            waiting = [c["id"] for c in self.json("tags", "undo", "--list")["changes"] if c["files_undoable"]]
            if not waiting:
                break
        if waiting:
            self.fail(f"changes that cannot be undone: {waiting}")
        now = self.contents()
        for path in sorted(set(now) | set(states[0])):
            if now.get(path) != states[0].get(path):
                self.fail(f"{path}: undone, it is not what it was")
        self.expect_nothing_to_read("undone")

    def table(self):
        readable = {path for path in self.files() if self.is_readable(path)}
        reasons = collections.Counter()
        examples = {}
        for path in sorted(readable):
            if self.written[path]:
                continue
            nothing = {"-": "nothing was wanted of it, or nothing of its sound can be decoded"}
            for code, reason in list(self.refusals.get(path, nothing).items())[:1]:
                reasons[code, reason] += 1
                examples.setdefault((code, reason), os.path.relpath(path, self.music))
        refused = sum(reasons.values())
        print(f"{len(readable)} files of formats that are written and that ffprobe reads; {refused} never written")
        for (code, reason), count in reasons.most_common():
            print(f"{count:6} {code}: {reason} ({examples[code, reason]})")

    FORMATS = {"mp3", "ogg", "mov,mp4,m4a,3gp,3g2,mj2", "flac", "wav", "aiff", "wv", "aac", "mpc", "mpc8", "tta"}

    def is_readable(self, path):
        entries = "format=format_name:stream=codec_type"
        command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "json", path]
        done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        document = json.loads(done.stdout or b"{}") if done.returncode == 0 else {}
        hears = any(stream.get("codec_type") == "audio" for stream in document.get("streams", []))
        return hears and document.get("format", {}).get("format_name") in self.FORMATS


def parts_or_none(path):
    try:
        return parts(path)
    except Exception:  # noqa: BLE001: damaged files, of which only the command has to make something
        return None


def has_id3(found):
    return any(name.startswith("ID3v2") for _, name, _ in found or [])


def is_only_new(old, new, has_new_tag):
    """Whether all that was there is there in its order, and the rest is a new tag, or the frame of one."""
    rest = iter(new)
    added = []
    for part in old:
        for found in rest:
            if found == part:
                break
            added.append(found)
        else:
            return False
    return has_new_tag or all(name.startswith(("ID3v2", "vendor", "behind")) for name, _ in [*added, *rest])


def shown(pair):
    return [part and (part[0], len(part[1]), part[1][:60]) for part in pair] if pair else pair


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--deadwax", default=".build/release/deadwax", metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--keeps", action="store_true", help="keep the folder with the copies")
    options = parser.parse_args()
    options.deadwax = os.path.abspath(options.deadwax)
    sys.exit(Check(options).main())


if __name__ == "__main__":
    main()
