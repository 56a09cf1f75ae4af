import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Tags with one odd item among others: the others are read as if it were not there, whatever place it has.
///
/// Mutagen and FFmpeg are asked about the same files: what they read of the other items is what is read here.
struct OddTagItemTests {
  /// An item that is not as its standard has it.
  struct Oddity: Sendable {
    let name: String
    let bytes: [UInt8]
    /// Whether the file gets a note: it does if something of the item cannot be read. nil if that depends on its place.
    var isNoted: Bool? = true
  }

  /// A kind of tag in a kind of file.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fileName: String
    /// By the library's names, with their values and bytes.
    let items: [(name: String, value: String, bytes: [UInt8])]
    let oddities: [Oddity]
    let file: @Sendable ([[UInt8]]) -> [UInt8]
  }

  private static let values = [
    ("TITLE", "Slow Tide"), ("ARTIST", "Émile Åse"), ("ALBUM", "Harbour"), ("GENRE", "Dub"), ("COMPOSER", "Søren"),
    ("COPYRIGHT", "Nobody"),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: forms) func `one odd item hides no other one`(_ form: Form) throws {
    let judge = folder.appending(form.fileName)
    var names: [String] = []
    var generator = RepeatableRandom(seed: TestSize.seed(47))
    for (number, oddity) in form.oddities.enumerated() {
      // In a tag of every length, at every place.
      for place in 0...form.items.count where TestSize.isSlow || (place + number) % 3 == 0 {
        var items = form.items
        if TestSize.isSlow { items.shuffle(using: &generator) }
        var bytes = items.map(\.bytes)
        bytes.insert(oddity.bytes, at: place)
        let name = "\(number)-\(place)-\(form.fileName)"
        try folder.write(form.file(bytes), to: name)
        names.append(name)
        let reading = try OpenFile(folder.appending(name)).tags()
        let read = items.map { reading.tags[$0.name].first }
        #expect(read == items.map(\.value), "\(oddity.name) at \(place)")
        guard let isNoted = oddity.isNoted else { continue }
        let notes = reading.notes.filter { ["malformed-tags", "misencoded-tags"].contains($0) }
        #expect(notes.isEmpty != isNoted, "\(oddity.name) at \(place): \(notes)")
      }
    }
    try folder.write(form.file(form.items.map(\.bytes)), to: form.fileName)
    #expect(try OpenFile(judge).tags().notes.isEmpty)
    #expect(!names.isEmpty)
    try compareWithMutagen(names + [form.fileName])
    try compareWithFFmpeg([form.fileName] + (TestSize.isSlow ? names : Array(names.suffix(1))))
  }

  // MARK: Judges

  /// The names of other programs, in small letters.
  private static let foreignNames = [
    "TITLE": ["title", "tit2", "©nam", "tt2", "inam"], "ARTIST": ["artist", "tpe1", "©art", "author", "tp1"],
    "ALBUM": ["album", "talb", "©alb", "wm/albumtitle", "tal"],
  ]

  /// Prints the names and first values of what Mutagen reads, a line of JSON for each file.
  private static let script = """
    import sys, json, mutagen
    for path in sys.argv[1:]:
      found = {}
      try:
        tags = mutagen.File(path).tags
        if tags is None and path.endswith('.mp3'):
          import mutagen.apev2
          tags = mutagen.apev2.APEv2(path)
        for key in tags.keys():
          value = tags[key]
          value = value[0] if isinstance(value, list) else value
          text = getattr(value, 'text', value)
          found[key.lower()] = str(text[0] if isinstance(text, list) else text)
      except Exception: pass
      print(json.dumps(found))
    """

  private static let hasMutagen = (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil

  private func compareWithMutagen(_ names: [String]) throws {
    guard Self.hasMutagen else { return }
    let paths = names.map { folder.appending($0).path }
    let output = try Tool.run(
      "bash", arguments: ["-c", "exec /usr/bin/python3 \"$@\"", "bash", "-c", Self.script] + paths)
    let lines = output.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == names.count)
    for (name, line) in zip(names, lines) {
      let found = try #require(try JSONSerialization.jsonObject(with: line) as? [String: String])
      try compare(found, name, "Mutagen")
    }
  }

  private func compareWithFFmpeg(_ names: [String]) throws {
    guard let program = Tool("ffprobe") else { return }
    for name in names {
      let output = try program.run(
        ["-v", "quiet", "-show_format", "-show_streams", "-of", "json", folder.appending(name).path],
        acceptsFailure: true)
      let document = (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:]
      let format = document["format"] as? [String: Any] ?? [:]
      let streams = document["streams"] as? [[String: Any]] ?? []
      var found: [String: String] = [:]
      for place in [format] + streams {
        for (key, value) in place["tags"] as? [String: String] ?? [:] { found[key.lowercased()] = value }
      }
      try compare(found, name, "FFmpeg")
    }
  }

  private func compare(_ found: [String: String], _ file: String, _ judge: String) throws {
    let tags = try OpenFile(folder.appending(file)).tags().tags
    for (name, others) in Self.foreignNames {
      // A value with half of the next item in it is not what anybody wrote.
      guard let value = others.lazy.compactMap({ found[$0] }).first, !value.contains("\0"), !value.contains("\u{FFFD}")
      else { continue }
      #expect(tags[name].first == value, "\(judge) about \(file)")
    }
  }

  // MARK: Forms

  static let forms: [Form] =
    [UInt8(2), 3, 4].map { id3("ID3v2.\($0) in MP3", "a.mp3", $0) { $0 + MPEGBytes.silentFrames(20) } } + [
      id3("ID3v2.4 in WAV", "a.wav", 4) {
        ChunkBytes.riff(
          ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", [0, 0, 1, 0]),
          ChunkBytes.chunk("id3 ", $0))
      },
      id3("ID3v2.3 in AIFF", "a.aiff", 3) { aiff([chunk("ID3 ", $0)]) },
      id3("ID3v2.4 in AAC", "a.aac", 4) { $0 + (0..<20).flatMap { _ in silentADTSFrame } }, ape, comments, opus, mp4,
      info, aiffTexts, asf,
    ]

  /// Of AAC LC at 44,100 Hz, mono.
  private static let silentADTSFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x01, 0x7F, 0xFC] + MP4Bytes.silentPacket

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bigEndian(UInt32(body.count)) + body + [UInt8](repeating: 0, count: body.count & 1)
  }

  private static func aiff(_ chunks: [[UInt8]]) -> [UInt8] {
    let common =
      bigEndian(UInt16(1)) + bigEndian(UInt32(2)) + bigEndian(UInt16(16)) + [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let body =
      Array("AIFF".utf8) + chunk("COMM", common) + chunk("SSND", [UInt8](repeating: 0, count: 12))
      + chunks.flatMap { $0 }
    return Array("FORM".utf8) + bigEndian(UInt32(body.count)) + body
  }

  private static func id3(
    _ description: String, _ fileName: String, _ version: UInt8, _ file: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Form {
    func frame(_ name: String, _ body: [UInt8], flags: [UInt8] = [0, 0], claiming: Int? = nil) -> [UInt8] {
      let count = claiming ?? body.count
      let size =
        version == 2
        ? [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
        : version == 3 ? bigEndian(UInt32(count)) : TagBytes.synchsafe(count)
      return Array(name.utf8) + size + (version == 2 ? [] : flags) + body
    }
    func text(_ value: String) -> [UInt8] {
      version == 4 ? [3] + Array(value.utf8) : [1, 0xFF, 0xFE] + value.utf16.flatMap { littleEndian($0) }
    }
    let names =
      version == 2 ? ["TT2", "TP1", "TAL", "TCO", "TCM", "TCR"] : ["TIT2", "TPE1", "TALB", "TCON", "TCOM", "TCOP"]
    let encoder = version == 2 ? "TEN" : "TENC"
    let body = text("an encoder")
    var oddities = [
      Oddity(name: "empty", bytes: frame(encoder, [])),
      Oddity(name: "unknown", bytes: frame(version == 2 ? "ZZZ" : "ZZZZ", body), isNoted: false),
      Oddity(name: "oversized", bytes: frame(encoder, body, claiming: 100_000)),
      // As the last one it takes padding.
      Oddity(name: "a bit too long", bytes: frame(encoder, body, claiming: body.count + 5), isNoted: nil),
      Oddity(name: "a bit too short", bytes: frame(encoder, body, claiming: body.count - 3)),
      Oddity(name: "doubled", bytes: frame(encoder, body) + frame(encoder, body), isNoted: false),
      Oddity(name: "without a mark", bytes: frame(encoder, [1] + "abc".utf16.flatMap { littleEndian($0) })),
      Oddity(name: "a mark in Latin-1", bytes: frame(encoder, [0, 0xFF, 0xFE, 0x41, 0])),
      Oddity(name: "no encoding", bytes: frame(encoder, [9] + Array("abc".utf8))),
      Oddity(name: "broken UTF-8", bytes: frame(encoder, [3] + Array("Caf".utf8) + [0xE9])),
      Oddity(name: "half a comment", bytes: frame(version == 2 ? "COM" : "COMM", [0, 65])),
      Oddity(name: "half a picture", bytes: frame(version == 2 ? "PIC" : "APIC", [0, 65, 66])),
      Oddity(name: "an identifier that is none", bytes: frame(version == 2 ? "t?!" : "t?!.", body)),
    ]
    oddities.append(
      Oddity(
        name: "an identifier of other bytes",
        bytes: (version == 2 ? [0xE9, 0xE8, 0xE7] : [0xE9, 0xE8, 0xE7, 0xE6]) + frame("", body)))
    if version > 2 {
      oddities += [
        Oddity(name: "small letters", bytes: frame("tenc", body)), Oddity(name: "padded", bytes: frame("TEN ", body)),
        Oddity(
          name: "grouped", bytes: frame(encoder, [0x80] + body, flags: [0, version == 3 ? 0x20 : 0x40]), isNoted: false),
        Oddity(name: "encrypted", bytes: frame(encoder, [0x80] + body, flags: [0, version == 3 ? 0x40 : 0x04])),
        Oddity(
          name: "not compressed", bytes: frame(encoder, [0, 0, 0, 9] + body, flags: [0, version == 3 ? 0x80 : 0x09])),
      ]
    }
    if version == 4 {
      let long = [UInt8](repeating: 0x61, count: 300)
      oddities.append(
        Oddity(name: "a plain size", bytes: Array("TENC".utf8) + bigEndian(UInt32(301)) + [0, 0, 3] + long))
    }
    return Form(
      testDescription: description, fileName: fileName,
      items: zip(names, values).map { ($1.0, $1.1, frame($0, text($1.1))) }, oddities: oddities
    ) { items in
      let body = items.flatMap { $0 } + [UInt8](repeating: 0, count: 64)
      return file(Array("ID3".utf8) + [version, 0, 0] + TagBytes.synchsafe(body.count) + body)
    }
  }

  private static var ape: Form {
    func item(_ key: String, _ value: [UInt8], flags: UInt32 = 0, claiming: Int? = nil) -> [UInt8] {
      littleEndian(UInt32(claiming ?? value.count)) + littleEndian(flags) + Array(key.utf8) + [0] + value
    }
    return Form(
      testDescription: "APE behind MP3", fileName: "a.mp3",
      items: values.map { ($0.0, $0.1, item($0.0.capitalized, Array($0.1.utf8))) },
      oddities: [
        Oddity(name: "empty", bytes: item("Comment", []), isNoted: false),
        Oddity(name: "unknown", bytes: item("Nonsense", [65]), isNoted: false),
        Oddity(name: "binary", bytes: item("Nonsense", [0, 1, 2], flags: 2), isNoted: false),
        Oddity(name: "oversized", bytes: item("Comment", Array("abc".utf8), claiming: 100_000)),
        Oddity(name: "without a key", bytes: item("", Array("abc".utf8))),
        Oddity(name: "a key that is none", bytes: item("K\u{1}y", Array("abc".utf8))),
        Oddity(name: "GBK", bytes: item("Comment", [0xD4, 0xC2, 0xC1, 0xC1, 0xB4, 0xFA, 0xB1, 0xED, 0xCE, 0xD2])),
      ]
    ) { items in
      let body = items.flatMap { $0 }
      func frame(_ flags: UInt32) -> [UInt8] {
        Array("APETAGEX".utf8) + littleEndian(UInt32(2000)) + littleEndian(UInt32(body.count + 32))
          + littleEndian(UInt32(items.count)) + littleEndian(flags) + [UInt8](repeating: 0, count: 8)
      }
      return MPEGBytes.silentFrames(20) + frame(0xA000_0000) + body + frame(0x8000_0000)
    }
  }

  private static func comment(_ bytes: [UInt8], claiming: Int? = nil) -> [UInt8] {
    littleEndian(UInt32(claiming ?? bytes.count)) + bytes
  }

  private static let oddComments = [
    Oddity(name: "empty", bytes: comment([])),
    Oddity(name: "no value", bytes: comment(Array("COMMENT=".utf8)), isNoted: false),
    Oddity(name: "no name", bytes: comment(Array("=abc".utf8))),
    Oddity(name: "no separator", bytes: comment(Array("abc".utf8))),
    Oddity(name: "a name that is none", bytes: comment([0xE9] + Array("=abc".utf8))),
    Oddity(name: "unknown", bytes: comment(Array("Nonsense=abc".utf8)), isNoted: false),
    Oddity(name: "oversized", bytes: comment(Array("COMMENT=abc".utf8), claiming: 100_000)),
    Oddity(name: "Latin-1", bytes: comment(Array("COMMENT=Caf".utf8) + [0xE9])),
    Oddity(name: "no picture", bytes: comment(Array("METADATA_BLOCK_PICTURE=AAAA".utf8))),
    Oddity(name: "no base64", bytes: comment(Array("METADATA_BLOCK_PICTURE=!".utf8))),
  ]

  private static func packet(_ comments: [[UInt8]]) -> [UInt8] {
    littleEndian(UInt32(4)) + Array("test".utf8) + littleEndian(UInt32(comments.count)) + comments.flatMap { $0 }
  }

  private static let plainComments = values.map { ($0.0, $0.1, comment(Array("\($0.0)=\($0.1)".utf8))) }

  private static var comments: Form {
    Form(testDescription: "comments in FLAC", fileName: "a.flac", items: plainComments, oddities: oddComments) {
      items in
      var sound = FLACBytes.constant(frameCount: 1000, sampleRateInHz: 44_100)
      sound[4] = 0
      return FLACBytes.inserting(FLACBytes.metadataBlock(0x84, packet(items)), into: sound)
    }
  }

  private static var opus: Form {
    let opus = Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus")
    let pages = OggBytes.pages([UInt8]((try? Data(contentsOf: opus)) ?? Data()))
    return Form(testDescription: "comments in Opus", fileName: "a.opus", items: plainComments, oddities: oddComments) {
      items in
      let serial = UInt32(littleEndian: pages[0][14..<18].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
      let headers =
        pages[0]
        + OggBytes.pages(serial: serial, sequence: 1, packet: Array("OpusTags".utf8) + packet(items)).flatMap { $0 }
      return headers + pages.dropFirst(2).flatMap { $0 }
    }
  }

  private static var mp4: Form {
    func item(_ type: [UInt8], _ body: [UInt8], claiming: Int? = nil) -> [UInt8] {
      bigEndian(UInt32(claiming ?? body.count + 8)) + type + body
    }
    func data(_ type: UInt32, _ value: [UInt8], claiming: Int? = nil) -> [UInt8] {
      item(Array("data".utf8), bigEndian(type) + [0, 0, 0, 0] + value, claiming: claiming)
    }
    let types = ["nam", "ART", "alb", "gen", "wrt"].map { [0xA9] + Array($0.utf8) } + [Array("cprt".utf8)]
    let comment = [0xA9] + Array("cmt".utf8)
    return Form(
      testDescription: "items in MP4", fileName: "a.m4a",
      items: zip(types, values).map { ($1.0, $1.1, item($0, data(1, Array($1.1.utf8)))) },
      oddities: [
        Oddity(name: "empty", bytes: item(comment, [])),
        Oddity(name: "no value", bytes: item(comment, data(1, [])), isNoted: false),
        Oddity(name: "unknown", bytes: item(Array("zzzz".utf8), data(1, [65])), isNoted: false),
        Oddity(name: "oversized", bytes: item(comment, data(1, [65]), claiming: 100_000)),
        Oddity(name: "an oversized value", bytes: item(comment, data(1, [65], claiming: 100_000))),
        Oddity(name: "a size that is none", bytes: item(comment, data(1, [65]), claiming: 3)),
        Oddity(name: "no type", bytes: item(comment, data(0, Array("abc".utf8)))),
        Oddity(name: "a type that is none", bytes: item(comment, data(99, Array("abc".utf8)))),
        Oddity(name: "Latin-1", bytes: item(comment, data(1, Array("Caf".utf8) + [0xE9]))),
        Oddity(name: "UTF-16", bytes: item(comment, data(2, "abc".utf16.flatMap { bigEndian($0) })), isNoted: false),
        Oddity(name: "half a track", bytes: item(Array("trkn".utf8), data(0, [0]))),
        Oddity(name: "no name", bytes: item(Array("----".utf8), data(1, [65]))),
        Oddity(name: "a genre that is none", bytes: item(Array("gnre".utf8), data(0, [9, 9]))),
      ]
    ) { items in
      let handler = MP4Bytes.box(
        "hdlr", [UInt8](repeating: 0, count: 8), Array("mdirappl".utf8), [UInt8](repeating: 0, count: 9))
      let list = MP4Bytes.box(
        "udta", MP4Bytes.box("meta", [0, 0, 0, 0], handler, MP4Bytes.box("ilst", items.flatMap { $0 })))
      var file = MP4Bytes().bytes
      // The movie is the last box.
      func size(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
      var start = 0
      while start + size(start) < file.count { start += size(start) }
      file.replaceSubrange(start..<start + 4, with: bigEndian(UInt32(size(start) + list.count)))
      return file + list
    }
  }

  private static var info: Form {
    let names = ["INAM", "IART", "IPRD", "IGNR", "IMUS", "ICOP"]
    func item(_ name: String, _ value: [UInt8], claiming: UInt32? = nil) -> [UInt8] {
      ChunkBytes.chunk(name, value, claiming: claiming)
    }
    return Form(
      testDescription: "INFO in WAV", fileName: "a.wav",
      items: zip(names, values).map { ($1.0, $1.1, item($0, Array($1.1.utf8) + [0])) },
      oddities: [
        Oddity(name: "empty", bytes: item("ICMT", [])),
        Oddity(name: "unknown", bytes: item("IZZZ", [65, 0]), isNoted: false),
        Oddity(name: "oversized", bytes: item("ICMT", [65, 0], claiming: 100_000)),
        Oddity(name: "no padding", bytes: Array("ICMT".utf8) + littleEndian(UInt32(3)) + [65, 66, 0], isNoted: nil),
        Oddity(name: "zeros", bytes: [UInt8](repeating: 0, count: 8)),
        Oddity(name: "no chunk", bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        Oddity(name: "Latin-1", bytes: item("ICMT", Array("Caf".utf8) + [0xE9, 0])),
        Oddity(name: "UTF-16", bytes: item("ICMT", [0xFF, 0xFE, 65, 0, 66, 0, 0, 0])),
      ]
    ) { items in
      ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", [0, 0, 1, 0]),
        ChunkBytes.chunk("LIST", Array("INFO".utf8) + items.flatMap { $0 }))
    }
  }

  private static var aiffTexts: Form {
    let items = [("NAME", values[0]), ("AUTH", values[1]), ("(c) ", values[5])]
    return Form(
      testDescription: "texts of AIFF", fileName: "b.aiff",
      items: items.map { ($1.0, $1.1, chunk($0, Array($1.1.utf8))) },
      oddities: [
        Oddity(name: "empty", bytes: chunk("ANNO", []), isNoted: nil),
        Oddity(name: "unknown", bytes: chunk("ZZZZ", [65, 66]), isNoted: false),
        Oddity(name: "oversized", bytes: Array("ANNO".utf8) + bigEndian(UInt32(100_000)) + [65, 66]),
        Oddity(name: "no padding", bytes: Array("ANNO".utf8) + bigEndian(UInt32(3)) + [65, 66, 67], isNoted: nil),
        Oddity(name: "zeros", bytes: [UInt8](repeating: 0, count: 8)),
        Oddity(name: "no chunk", bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        Oddity(name: "Latin-1", bytes: chunk("ANNO", Array("Caf".utf8) + [0xE9])),
      ], file: { aiff($0) })
  }

  private static var asf: Form {
    func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { littleEndian($0) } + [0, 0] }
    func item(_ name: String, _ type: UInt16, _ value: [UInt8]) -> [UInt8] {
      littleEndian(UInt16(wide(name).count)) + wide(name) + littleEndian(type) + littleEndian(UInt16(value.count))
        + value
    }
    @Sendable func object(_ identifier: [UInt8], _ body: [UInt8]) -> [UInt8] {
      identifier + littleEndian(UInt64(24 + body.count)) + body
    }
    let names = ["Title", "Author", "WM/AlbumTitle", "WM/Genre", "WM/Composer", "Copyright"]
    return Form(
      testDescription: "attributes in ASF", fileName: "a.wma",
      items: zip(names, values).map { ($1.0, $1.1, item($0, 0, wide($1.1))) },
      oddities: [
        Oddity(name: "empty", bytes: item("WM/Mood", 0, []), isNoted: false),
        Oddity(name: "no name", bytes: item("", 0, wide("abc")), isNoted: false),
        Oddity(name: "unknown", bytes: item("Nonsense", 0, wide("abc")), isNoted: false),
        Oddity(name: "a type that is none", bytes: item("WM/Mood", 77, wide("abc"))),
        Oddity(name: "half a picture", bytes: item("WM/Picture", 1, [3, 1])),
        Oddity(name: "a number", bytes: item("WM/TrackNumber", 3, [1, 0, 0, 0]), isNoted: false),
      ]
    ) { items in
      let content: [UInt8] = [
        0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
      ]
      let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
      ]
      let attributes = object(content, littleEndian(UInt16(items.count)) + items.flatMap { $0 })
      return object(header, littleEndian(UInt32(1)) + [1, 2] + attributes)
    }
  }
}
