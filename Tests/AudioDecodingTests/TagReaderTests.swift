import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

struct TagReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func fixture(_ path: String) -> URL { Corpora.fixtures.appending(path: "audio").appending(path: path) }

  @Test func `the fixtures have the titles, artists, albums and genres that other programs read`() throws {
    let data = try Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let files = try #require(document["files"] as? [[String: Any]])
    var comparedCount = 0
    for file in files {
      let path = try #require(file["path"] as? String)
      for (key, property) in [("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("genre", "GENRE")] {
        guard let expected = file[key] as? [String] else { continue }
        let tags = try OpenFile(Corpora.fixtures.appending(path: path)).tags().tags
        #expect(tags[property] == expected, "\(path)")
        comparedCount += 1
      }
    }
    #expect(comparedCount > 50)
  }

  @Test(arguments: [
    (
      "Lathe & Lantern/Run-out Groove", ["01 Lead-in.mp3", "02 Lacquer.mp3", "03 Rain on the Window.mp3"], "image/jpeg"
    ),
    (
      "Émilie Søndergård/Les Échos", ["01 Marée lente.flac", "02 Balayage.flac", "04 Six haut-parleurs.flac"],
      "image/png"
    ),
    ("صدى البحر/موجات", ["01 المد.opus", "02 الجزر.opus"], "image/jpeg"),
  ])
  func `the same cover in several files has one hash`(_ album: String, _ names: [String], _ mimeType: String) throws {
    let covers = try names.map { name -> Artwork in
      let artwork = try OpenFile(Self.fixture(album).appending(path: name)).tags().artwork
      #expect(artwork.count == 1)
      return try #require(artwork.first)
    }
    #expect(Set(covers.map(\.hash)).count == 1)
    #expect(Set(covers.map(\.bytes)).count == 1)
    #expect(covers.allSatisfy { $0.pictureType == 3 })
    #expect(Set(covers.map { $0.mimeType.hasPrefix("image/") }) == [true])
  }

  @Test(.enabled(if: Tool.exist("metaflac"), "metaflac is not installed"))
  func `a picture keeps its hash from one container to the other`() throws {
    let cover = try #require(
      try OpenFile(Self.fixture("Lathe & Lantern/Run-out Groove/01 Lead-in.mp3")).tags().artwork.first)
    try folder.write(cover.bytes, to: "cover.bin")
    let flac = folder.appending("a.flac")
    try FileManager.default.copyItem(at: Corpora.fixtures.appending(path: "damaged/length-unknown.flac"), to: flac)
    try Tool.run("chmod", "u+w", flac.path)
    let specification = "4|image/png|The back|10x10x24|\(folder.appending("cover.bin").path)"
    try Tool.run("metaflac", "--import-picture-from=\(specification)", flac.path)
    let found = try #require(try OpenFile(flac).tags().artwork.first)
    #expect(found.hash == cover.hash)
    #expect(found.pictureType == 4)
    #expect(found.caption == "The back")
    // The bytes count, not what the tag claims.
    #expect(found.mimeType == "image/jpeg")
  }

  /// A FLAC file with these metadata blocks after STREAMINFO, before all others.
  private func flac(blocks: [UInt8]) throws -> URL {
    let plain = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/length-unknown.flac")))
    try folder.write(FLACBytes.inserting(blocks, into: plain), to: "a.flac")
    return folder.appending("a.flac")
  }

  /// A FLAC file with these comments, each "NAME=value" in any bytes.
  private func flac(comments: [[UInt8]]) throws -> URL {
    try flac(blocks: FLACBytes.metadataBlock(4, TagBytes.vorbisComments(comments)))
  }

  // Faults: 47
  @Test func `values beyond the limit are left out, with a note`() throws {
    let reading = try OpenFile(flac(comments: (0..<12_000).map { Array("VALUE=\($0)".utf8) })).tags()
    #expect(reading.tags["VALUE"].count == 10_000)
    #expect(reading.tags["VALUE"].first == "0")
    #expect(reading.notes == ["truncated-tags"])
  }

  // Faults: 47
  @Test func `of a hundred thousand fields as many are kept as the limit allows`() throws {
    let reading = try OpenFile(flac(comments: (0..<100_000).map { Array("FIELD\($0)=\($0)".utf8) })).tags()
    #expect(reading.tags.properties.count == 10_000)
    #expect(reading.tags.properties.allSatisfy { $0.name == "FIELD" + ($0.values.first ?? "") })
    #expect(reading.notes == ["truncated-tags"])
  }

  // Faults: 47
  @Test func `of a thousand blocks of comments the first counts`() throws {
    let blocks = (0..<1000).flatMap {
      FLACBytes.metadataBlock(4, TagBytes.vorbisComments("TITLE=\($0)", "FIELD\($0)=1"))
    }
    let reading = try OpenFile(flac(blocks: blocks)).tags()
    #expect(reading.tags.properties.map(\.name) == ["FIELD0", "TITLE"])
    #expect(reading.tags["TITLE"] == ["0"])
  }

  // Faults: 47
  @Test func `names that are too long are ignored`() throws {
    let long = String(repeating: "N", count: 1 << 20)
    let reading = try OpenFile(flac(comments: [Array("\(long)=1".utf8), Array("TITLE=2".utf8)])).tags()
    #expect(reading.tags.properties.map(\.name) == ["TITLE"])
    #expect(reading.notes == ["truncated-tags"])
  }

  /// An MP3 file with one picture.
  private func picture(_ mimeType: String, _ bytes: [UInt8]) throws -> TagReading {
    let tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", "Cover") + TagBytes.pictureFrame(mimeType, bytes))
    try folder.write(tag + MPEGBytes.silentFrames(20), to: "a.mp3")
    return try OpenFile(folder.appending("a.mp3")).tags()
  }

  // Faults: 48
  @Test func `a picture of fifty megabytes is left out with a note, and the rest of the tag stays`() throws {
    let reading = try picture("image/jpeg", [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 50 << 20))
    #expect(reading.artwork.isEmpty)
    #expect(reading.notes == ["truncated-tags"])
    #expect(reading.tags["TITLE"] == ["Cover"])
  }

  // Faults: 48
  @Test func `a picture that claims billions of pixels is kept unchanged`() throws {
    let size = bigEndian(UInt32(Int32.max))
    let bytes: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + size
    let reading = try picture("image/png", bytes)
    #expect(reading.artwork.map(\.bytes) == [bytes])
    #expect(reading.notes.isEmpty)
  }

  /// Pictures, the type that the tag gives, and the type that is kept.
  private static let pictures: [(bytes: String, claimed: String, kept: String)] = [
    ("\0\0\0\u{20}ftypavif\0\0\0\0", "image/jpeg", "image/avif"),
    ("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "image/png", "image/svg+xml"),
    ("\u{FEFF} <?xml version='1.0'?><!-- a --><svg/>", "image/jpeg", "image/svg+xml"),
    ("<html><script>alert(1)</script></html>", "text/html", "application/octet-stream"),
    ("<html><script>alert(1)</script></html>", "image/svg+xml", "application/octet-stream"),
    ("a picture of a later time", "image/jxl", "image/jxl"), ("something", "", "application/octet-stream"),
  ]

  // Faults: 48
  @Test(arguments: pictures)
  func `a picture has the type of its bytes, and is never a web page`(
    _ bytes: String, _ claimed: String, _ kept: String
  ) throws {
    let artwork = try #require(try picture(claimed, Array(bytes.utf8)).artwork.first)
    #expect(artwork.mimeType == kept)
    #expect(artwork.bytes == Array(bytes.utf8))
  }

  @Test func `the address of a picture is no picture`() throws {
    #expect(try picture("-->", Array("http://example.org/a.jpg".utf8)).artwork.isEmpty)
  }

  // Faults: 42
  @Test func `a title of a megabyte is shortened with a note, between two characters`() throws {
    let title = String(repeating: "é", count: 500_000)
    let reading = try OpenFile(flac(comments: [Array("TITLE=x\(title)".utf8), Array("ARTIST=Somebody".utf8)])).tags()
    let kept = try #require(reading.tags["TITLE"].first)
    #expect((60_000...65_536).contains(kept.utf8.count))
    #expect(!kept.contains("\u{FFFD}"))
    #expect(reading.tags["ARTIST"] == ["Somebody"])
    #expect(reading.notes == ["truncated-tags"])
  }

  /// In code page 1252 instead of UTF-8, with a NUL, and with a name that is none.
  private static let brokenComments: [[UInt8]] = [
    Array("TITLE=a".utf8) + [0xFF, 0xC3] + Array("b".utf8), Array("ARTIST=a\0b".utf8), Array("ALBUM=".utf8),
    Array("genre=Caf".utf8) + [0xE9], Array("COMPOSER=Café".utf8), Array("LYRICIST=".utf8) + [0xE9],
    Array("LYRICIST=".utf8) + [0xE8, 0x20], Array("NA".utf8) + [0xE9] + Array("ME=1".utf8),
  ]

  private func checkBrokenComments(_ tags: Tags) {
    #expect(tags.properties.map(\.name) == ["ARTIST", "COMPOSER", "GENRE", "LYRICIST", "TITLE"])
    #expect(tags["TITLE"] == ["aÿÃb"])
    #expect(tags["ARTIST"] == ["a"])
    #expect(tags["COMPOSER"] == ["Café"])
    #expect(tags["GENRE"] == ["Café"])
    #expect(tags["LYRICIST"] == ["é", "è "])
  }

  @Test func `comments that are not UTF-8 are read, and a NUL ends one`() throws {
    checkBrokenComments(try OpenFile(flac(comments: Self.brokenComments)).tags().tags)
  }

  @Test func `comments of Opus do so too, on one page or on many`() throws {
    let opus = Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus")
    let pages = OggBytes.pages([UInt8](try Data(contentsOf: opus)))
    let serial = UInt32(littleEndian: pages[0][14..<18].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    let long = Array("COMMENT=".utf8) + [UInt8](repeating: 0x41, count: 150_000)
    for comments in [Self.brokenComments, [long] + Self.brokenComments] {
      let packet = Array("OpusTags".utf8) + TagBytes.vorbisComments(comments)
      let headers = pages[0] + OggBytes.pages(serial: serial, sequence: 1, packet: packet).flatMap { $0 }
      try folder.write(headers + pages.dropFirst(2).flatMap { $0 }, to: "a.opus")
      var properties = try OpenFile(folder.appending("a.opus")).tags().tags.properties
      properties.removeAll { $0.name == "COMMENT" }
      checkBrokenComments(Tags(properties))
    }
  }

  /// Tags as FFmpeg writes them.
  @Test(
    .enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"),
    arguments: [
      ("texts.mov", ["-c:a", "alac"]), ("keys.mov", ["-c:a", "alac", "-movflags", "use_metadata_tags"]),
      ("keys.m4a", ["-c:a", "alac", "-movflags", "use_metadata_tags"]), ("a.tta", ["-c:a", "tta"]),
      ("a.wma", ["-c:a", "wmav2"]),
    ])
  func `tags of QuickTime, True Audio and WMA are read as FFmpeg writes them`(
    _ name: String, _ options: [String]
  ) throws {
    let file = folder.appending(name)
    let expected = ["TITLE": "Título", "ARTIST": "R & S", "DATE": "2001", "COMMENT": "hey", "MOOD": "calm"]
    let metadata = expected.flatMap { ["-metadata", "\($0.key.lowercased())=\($0.value)"] }
    try Tool.run(
      "ffmpeg",
      arguments: ["-v", "error", "-f", "lavfi", "-i", "sine=duration=0.2"] + metadata + options + [file.path])
    let tags = try OpenFile(file).tags().tags
    // Texts of QuickTime have the names of a list.
    for (key, value) in expected where key != "MOOD" || name != "texts.mov" {
      #expect(tags[key] == [value], "\(key): \(tags)")
    }
    #expect(!tags.properties.contains { $0.name.hasPrefix("WMFSDK") })
  }

  @Test func `metadata of QuickTime that makes no sense is left out`() throws {
    // The copyright sign is one byte.
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      bigEndian(UInt32(8 + body.count)) + type.unicodeScalars.map { UInt8($0.value) } + body
    }
    func item(_ number: UInt32, type: UInt32, _ value: [UInt8]) -> [UInt8] {
      let data = box("data", bigEndian(type) + [0, 0, 0, 0] + value)
      return bigEndian(UInt32(8 + data.count)) + bigEndian(number) + data
    }
    let keys = ["com.apple.quicktime.title", "artist", "", "tempo"].flatMap { box("mdta", Array($0.utf8)) }
    let items =
      item(1, type: 1, Array("Title".utf8)) + item(2, type: 2, [0, 0x41, 0xD8, 0, 0, 0x42])
      + item(3, type: 1, Array("nobody".utf8)) + item(4, type: 21, [0xFF]) + item(4, type: 23, [0, 0, 0, 0])
      + item(5, type: 1, Array("none".utf8)) + item(0, type: 1, Array("none".utf8)) + item(.max, type: 1, [0x41])
    let meta = box(
      "meta",
      box("hdlr", [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 12))
        + box("keys", [0, 0, 0, 0] + bigEndian(UInt32.max) + keys) + box("ilst", items))
    let album = bigEndian(UInt16.max) + [0x55, 0xC4] + Array("Album".utf8)
    let texts = box("udta", box("\u{A9}nam", []) + box("\u{A9}alb", album))
    let movie = box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0]) + box("moov", meta + texts)
    try folder.write(movie, to: "a.mov")
    let tags = try OpenFile(folder.appending("a.mov")).tags().tags
    #expect(tags["TITLE"] == ["Title"] && tags["ALBUM"] == ["Album"] && tags["TEMPO"] == ["-1"], "\(tags)")
    #expect(tags["ARTIST"] == ["A\u{FFFD}B"], "\(tags)")
    #expect(tags.properties.count == 4, "\(tags)")
  }

  @Test(arguments: ["04 Long Side.rf64", "07 Core.caf"])
  func `text chunks that are cut or damaged give what they have`(_ name: String) throws {
    let url = Self.fixture("The Locked Grooves/Thirty-Three and a Third").appending(path: name)
    let bytes = [UInt8](try Data(contentsOf: url))
    var random = RepeatableRandom(seed: 9)
    for _ in 0..<200 {
      var changed = bytes
      for _ in 0..<6 {
        // Text chunks are before or after the audio, which is not changed.
        let offset = Int.random(in: 0..<400, using: &random)
        changed[Bool.random(using: &random) ? offset : bytes.count - 1 - offset] = .random(in: 0...255, using: &random)
      }
      try folder.write(changed.dropLast(Int.random(in: 0..<200, using: &random)), to: name)
      let tags = try OpenFile(folder.appending(name)).tags().tags
      #expect(tags.properties.allSatisfy { !$0.values.isEmpty })
    }
  }

  @Test func `hostile tags are read as the text they are`() throws {
    let reading = try OpenFile(Corpora.fixtures.appending(path: "damaged/hostile-tags.mp3")).tags()
    #expect(!reading.tags.isEmpty)
    #expect(reading.tags.properties.contains { $0.values.contains { $0.contains("\u{1B}") } })
  }
}

/// Tags that claim more bytes than there are: what they have is read, and the stream after them is complete.
struct OverlongTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let title = TagBytes.textFrame("TIT2", "Title")
  private static let artist = TagBytes.textFrame("TPE1", "Artist")
  private static let longArtist = TagBytes.frame("TPE1", [3] + Array("Artist".utf8), claiming: 0x0FFF_FFFF)

  private static let tags: [String: [UInt8]] = [
    "a tag that claims 256 MiB": TagBytes.id3v2(title + artist, claiming: 0x0FFF_FFFF),
    "a tag that claims twice the file": TagBytes.id3v2(title + artist, claiming: 32_768),
    "a frame longer than the tag": TagBytes.id3v2(title + TagBytes.frame("TALB", [3, 0x41], claiming: 5000)),
    "a frame of 256 MiB": TagBytes.id3v2(title + longArtist),
    "a frame of 256 MiB in a tag of as many": TagBytes.id3v2(title + longArtist, claiming: 0x0FFF_FFFF),
    "a tag of version 2.3 that claims 256 MiB": Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + title + artist,
    "an APE tag that claims 4 GiB": Array("APETAGEX".utf8) + littleEndian(UInt32(2000)) + littleEndian(UInt32.max)
      + littleEndian(UInt32.max) + littleEndian(UInt32(0xA000_0000)) + [UInt8](repeating: 0, count: 8),
  ]

  // Faults: 41
  @Test(arguments: tags.keys.sorted())
  func `the stream after a tag that claims too much is complete, and what the tag has is read`(_ what: String) throws {
    let tag = try #require(Self.tags[what])
    let music = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")))
    try folder.write(music, to: "plain.mp3")
    try folder.write(tag + music, to: "a.mp3")
    let plain = try DecodedFile(folder.appending("plain.mp3"))
    let decoded = try DecodedFile(folder.appending("a.mp3"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.samples == plain.samples)
    let reading = try OpenFile(folder.appending("a.mp3")).tags()
    #expect(reading.tags["TITLE"] == (what.contains("APE") ? [] : ["Title"]))
    #expect(!reading.tags.properties.contains { $0.values.contains { $0.utf8.count > 64 } })
  }

  // Faults: 41
  @Test(arguments: [UInt32(17), 128, 1 << 20, .max])
  func `an APE tag at the end that claims more than the file is ignored`(_ size: UInt32) throws {
    let foot =
      Array("APETAGEX".utf8) + littleEndian(UInt32(2000)) + littleEndian(size) + littleEndian(UInt32(1))
      + littleEndian(UInt32(0)) + [UInt8](repeating: 0, count: 8)
    try folder.write(MPEGBytes.silentFrames(20) + foot, to: "a.mp3")
    #expect(try DecodedFile(folder.appending("a.mp3")).frameCount >= 18 * MPEGBytes.samplesPerFrame)
    #expect(try OpenFile(folder.appending("a.mp3")).tags().tags.isEmpty)
  }
}
