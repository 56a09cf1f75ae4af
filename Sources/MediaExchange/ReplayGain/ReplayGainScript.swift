package import Base
package import MediaModel

/// A Python program that writes ``ReplayGainTags`` into files, through Mutagen.
///
/// Paths are bytes in it, written so that no name can be anything but data. Other tags, and the version of an ID3 tag, stay
/// as they are. A second run changes nothing.
package enum ReplayGainScript {
  /// How the program writes the tags of a file; nil if it cannot.
  package static func tagging(of container: Container, _ codec: Codec?) -> String? {
    switch (container, codec) {
    case (.flac, _): "flac"
    case (.ogg, .vorbis?): "vorbis"
    case (.ogg, .opus?): "opus"
    case (.ogg, .flac?): "oggflac"
    case (.mpeg, _): "mpeg"
    case (.wav, _): "wav"
    case (.aiff, _): "aiff"
    default: nil
    }
  }

  /// A line of the list of files, between ``start`` and ``end``.
  package static func entry(_ path: BytePath, tagging: String, _ properties: [Tags.Property]) -> String {
    let values = properties.map { "\"\($0.name)\": \"\($0.values.joined())\"" }
    return "    (\(literal(path)), \"\(tagging)\", {\(values.joined(separator: ", "))}),\n"
  }

  /// Python's bytes, with everything but plain ASCII as numbers.
  private static func literal(_ path: BytePath) -> String {
    let digits = Array("0123456789abcdef")
    return "b\""
      + path.bytes.map { byte in
        let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        return isPlain ? String(UnicodeScalar(byte)) : "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }.joined() + "\""
  }

  package static let start = """
    #!/usr/bin/env python3
    \"""Writes the loudness that Deadwax has measured into the tags of music files, where players look for it.

    Needs Mutagen (Debian package python3-mutagen). With --dry-run nothing is written. Only the tags in NAMES change.
    \"""
    import argparse
    import os
    import signal
    import sys

    try:
        from mutagen import MutagenError
        from mutagen.aiff import AIFF
        from mutagen.flac import FLAC
        from mutagen.id3 import ID3, TXXX, ID3NoHeaderError
        from mutagen.oggflac import OggFLAC
        from mutagen.oggopus import OggOpus
        from mutagen.oggvorbis import OggVorbis
        from mutagen.wave import WAVE
    except ImportError as error:
        sys.exit(f"{error}; Mutagen is in Debian's package python3-mutagen")

    NAMES = {
    \(ReplayGainTags.names.map { "    \"\($0)\"," }.joined(separator: "\n"))
    }

    # Path, kind of tags, new values.
    FILES = [

    """

  package static let end = """
    ]


    class Comments:
        \"""The tags of FLAC and Ogg files.\"""

        KINDS = {"flac": FLAC, "oggflac": OggFLAC, "opus": OggOpus, "vorbis": OggVorbis}

        def __init__(self, path, kind):
            self.file = self.KINDS[kind](path)
            if self.file.tags is None:
                self.file.add_tags()

        def values(self):
            tags = self.file.tags
            return {name.upper(): "; ".join(tags[name]) for name in tags.keys() if name.upper() in NAMES}

        def write(self, values):
            for name in self.values():
                del self.file.tags[name]
            for name, value in values.items():
                self.file.tags[name] = value
            self.file.save()


    class Frames:
        \"""The ID3 tags of MPEG, WAV and AIFF files.\"""

        KINDS = {"aiff": AIFF, "wav": WAVE}

        def __init__(self, path, kind):
            self.path = path
            if kind == "mpeg":
                self.file = None
                try:
                    self.tags = ID3(path, translate=False)
                except ID3NoHeaderError:
                    self.tags = ID3()
            else:
                self.file = self.KINDS[kind](path)
                if self.file.tags is None:
                    self.file.add_tags()
                self.tags = self.file.tags

        def values(self):
            frames = [frame for frame in self.tags.getall("TXXX") if frame.desc.upper() in NAMES]
            return {frame.desc.upper(): "; ".join(frame.text) for frame in frames}

        def write(self, values):
            for frame in self.tags.getall("TXXX"):
                if frame.desc.upper() in NAMES:
                    del self.tags[frame.HashKey]
            for name, value in values.items():
                self.tags.add(TXXX(encoding=0, desc=name, text=[value]))
            version = 3 if self.tags.version < (2, 4, 0) else 4
            if version == 3:
                self.tags.update_to_v23()
            if self.file is None:
                self.tags.save(self.path, v2_version=version)
            else:
                self.file.save(v2_version=version)


    def main():
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        parser.add_argument("--dry-run", action="store_true", help="print what would change, and write nothing")
        options = parser.parse_args()
        if options.dry_run and hasattr(signal, "SIGPIPE"):
            # As usual in a pipe to `head`.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        changed = failed = 0
        for path, kind, values in FILES:
            path = os.fsdecode(path)
            shown = path if path.isprintable() else ascii(path)
            try:
                tags = (Comments if kind in Comments.KINDS else Frames)(path, kind)
                former = tags.values()
                if former == values:
                    continue
                if options.dry_run:
                    for name in sorted(former.keys() | values.keys()):
                        print(f"{name:29} {former.get(name, '-'):>12} -> {values.get(name, '-'):12} {shown}")
                else:
                    tags.write(values)
                changed += 1
            except (MutagenError, OSError) as error:
                print(f"{shown}: {ascii(str(error))}", file=sys.stderr)
                failed += 1
        verb = "would change" if options.dry_run else "changed"
        print(f"{changed} of {len(FILES)} files {verb}", file=sys.stderr)
        return 1 if failed else 0


    sys.exit(main())

    """
}
