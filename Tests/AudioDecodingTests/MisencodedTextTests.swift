import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Text in tags that breaks their standards (ID3v2.4 made by hand, before half a second of silence).
struct TagTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ frames: [UInt8]) throws -> TagReading {
    try folder.write(TagBytes.id3v2(frames) + MPEGBytes.silentFrames(20), to: "a.mp3")
    return try OpenFile(folder.appending("a.mp3")).tags()
  }

  // Faults: 42
  @Test func `half a surrogate pair becomes a replacement character, and the rest of the text stays`() throws {
    let units: [UInt16] = [0x0041, 0xD83D, 0x0042, 0xDE00, 0x0043, 0xD83D, 0xDE00]
    let text = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try read(TagBytes.textFrame("TIT2", .utf16BigEndian, text)).tags["TITLE"] == ["A\u{FFFD}B\u{FFFD}C😀"])
  }

  @Test(
    arguments: [[0xFE, 0xFF], [0xFF, 0xFE], [0xFE, 0xFF, 0, 0]] as [[UInt8]], [TagBytes.TextEncoding.latin1, .utf16])
  func `a byte order mark without a text is no value`(_ mark: [UInt8], _ encoding: TagBytes.TextEncoding) throws {
    let reading = try read(TagBytes.textFrame("TDRC", encoding, mark) + TagBytes.textFrame("TPE1", "Duo"))
    #expect(reading.tags.properties == [Tags.Property(name: "ARTIST", values: ["Duo"])])
  }

  @Test(arguments: [true, false]) func `UTF-16 that claims to be Latin-1 is read`(_ isBigEndian: Bool) throws {
    let text = "2010".utf16.flatMap { isBigEndian ? bigEndian($0) : littleEndian($0) }
    let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    #expect(try read(TagBytes.textFrame("TDRC", .latin1, mark + text)).tags["DATE"] == ["2010"])
  }

  // Faults: 50
  @Test func `a value of white space is ignored`() throws {
    let reading = try read(
      TagBytes.textFrame("TIT2", .utf8, Array("  \t ".utf8)) + TagBytes.textFrame("TPE1", .utf8, Array(" Duo ".utf8)))
    #expect(reading.tags.properties == [Tags.Property(name: "ARTIST", values: [" Duo "])])
  }

  @Test func `values in a row are several values`() throws {
    let reading = try read(TagBytes.textFrame("TPE1", .utf8, Array("One\0Two\0\0Three".utf8)))
    #expect(reading.tags["ARTIST"].filter { !$0.isEmpty } == ["One", "Two", "Three"])
  }

  @Test func `Latin-1 is read`() throws {
    let title = try #require(try read(TagBytes.textFrame("TIT2", .latin1, [0x42, 0xF6, 0xFF])).tags["TITLE"].first)
    #expect(title == "Böÿ")
  }

  @Test func `a very long value is cut between characters, with a note`() throws {
    let reading = try read(TagBytes.textFrame("TIT2", .utf8, Array(String(repeating: "ü", count: 100_001).utf8)))
    let title = try #require(reading.tags["TITLE"].first)
    #expect(title.utf8.count <= 64 << 10)
    #expect(title.allSatisfy { $0 == "ü" })
    #expect(reading.notes == ["truncated-tags"])
  }

  @Test func `no more than ten thousand values are kept, with a note`() throws {
    let many = Array((0..<12_000).map { "v\($0)" }.joined(separator: "\0").utf8)
    let reading = try read(TagBytes.textFrame("TPE1", .utf8, many))
    #expect(reading.tags["ARTIST"].count == 10_000)
    #expect(reading.notes == ["truncated-tags"])
  }

  private static func units(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? bigEndian($0) : littleEndian($0) }
  }

  // Faults: 42
  /// The standard requires a byte order mark before UTF-16.
  @Test(arguments: [false, true], ["title", "Ünïcode 😀", "ab"])
  func `UTF-16 without its mark is read in the order that fits`(_ isBigEndian: Bool, _ title: String) throws {
    let reading = try read(
      TagBytes.textFrame("TPE1", "Duo")
        + TagBytes.textFrame("TIT2", .utf16, Self.units(title, isBigEndian: isBigEndian) + [0, 0])
        + TagBytes.textFrame("TALB", "Both"))
    #expect(reading.tags["TITLE"] == [title])
    #expect(reading.tags["ARTIST"] == ["Duo"])
    #expect(reading.tags["ALBUM"] == ["Both"])
  }

  @Test(arguments: [[0x78], [], [0, 0]] as [[UInt8]])
  func `UTF-16 of less than a character is ignored`(_ text: [UInt8]) throws {
    let reading = try read(TagBytes.textFrame("TIT2", .utf16, text) + TagBytes.textFrame("TALB", "Both"))
    #expect(reading.tags.properties == [Tags.Property(name: "ALBUM", values: ["Both"])])
  }

  // Faults: 42
  @Test(arguments: [[0xFF, 0xFE] + units("title"), [0xFE, 0xFF] + units("title", isBigEndian: true)] as [[UInt8]])
  func `half a unit at the end of UTF-16 is dropped`(_ text: [UInt8]) throws {
    #expect(try read(TagBytes.textFrame("TIT2", .utf16, text + [0x78])).tags["TITLE"] == ["title"])
    #expect(try read(TagBytes.textFrame("TIT2", .utf16, text)).tags["TITLE"] == ["title"])
  }

  @Test func `Latin-1 that claims to be UTF-8 is read`() throws {
    let reading = try read(
      TagBytes.textFrame("TIT2", .utf8, Array("Caf".utf8) + [0xE9, 0x20, 0x42])
        + TagBytes.textFrame("TPE1", .utf8, Array("One".utf8) + [0, 0xFF, 0x21]) + TagBytes.textFrame("TALB", "Both"))
    #expect(reading.tags["TITLE"] == ["Café B"])
    #expect(reading.tags["ALBUM"] == ["Both"])
    #expect(reading.tags["ARTIST"] == ["One", "ÿ!"])
    #expect(reading.notes == ["misencoded-tags"])
  }

  @Test func `damaged UTF-8 keeps its readable part`() throws {
    let reading = try read(TagBytes.textFrame("TIT2", .utf8, Array("Größe x".utf8) + [0xC3, 0x20, 0x42]))
    #expect(reading.tags["TITLE"] == ["Größe x\u{FFFD} B"])
    #expect(reading.notes == ["misencoded-tags"])
  }

  /// As programs of other countries write it, in the code page of the system.
  private static let foreignTitles: [String: [UInt8]] = [
    "Группа крови": [0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8],
    "月亮代表我的心": [0xD4, 0xC2, 0xC1, 0xC1, 0xB4, 0xFA, 0xB1, 0xED, 0xCE, 0xD2, 0xB5, 0xC4, 0xD0, 0xC4],
    "Søren’s": [0x53, 0xF8, 0x72, 0x65, 0x6E, 0x92, 0x73], "éèê": [0xE9, 0xE8, 0xEA],
    "Größe": [0x47, 0x72, 0xC3, 0xB6, 0xC3, 0x9F, 0x65],
  ]

  @Test(arguments: foreignTitles.keys.sorted())
  func `a code page in what claims to be Latin-1 is read if no language of Western Europe has it`(
    _ title: String
  ) throws {
    let text = try #require(Self.foreignTitles[title])
    #expect(try read(TagBytes.textFrame("TIT2", .latin1, text)).tags["TITLE"] == [title])
    let tag = Array("TAG".utf8) + text + [UInt8](repeating: 0, count: 124 - text.count) + [255]
    try folder.write(MPEGBytes.silentFrames(20) + tag, to: "b.mp3")
    #expect(try OpenFile(folder.appending("b.mp3")).tags().tags["TITLE"] == [title])
  }

  /// A title, an artist and an album in GBK and EUC-KR, of which one by accident looks like damaged UTF-8.
  private static let albums: [[(String, [UInt8])]] = [
    [
      ("平凡之路", [0xC6, 0xBD, 0xB7, 0xB2, 0xD6, 0xAE, 0xC2, 0xB7]),
      ("朴树", [0xC6, 0xD3, 0xCA, 0xF7]),
      ("猎户星座", [0xC1, 0xD4, 0xBB, 0xA7, 0xD0, 0xC7, 0xD7, 0xF9]),
    ],
    [
      ("봄날", [0xBA, 0xBD, 0xB3, 0xAF]),
      ("방탄소년단", [0xB9, 0xE6, 0xC5, 0xBA, 0xBC, 0xD2, 0xB3, 0xE2, 0xB4, 0xDC]),
      ("화양연화", [0xC8, 0xAD, 0xBE, 0xE7, 0xBF, 0xAC, 0xC8, 0xAD]),
    ],
  ]

  @Test(arguments: 0..<2) func `one code page is that of all texts of a tag`(_ number: Int) throws {
    let album = Self.albums[number]
    let frames = zip(["TIT2", "TPE1", "TALB"], album).flatMap { TagBytes.textFrame($0, .utf8, $1.1) }
    let reading = try read(frames)
    #expect(["TITLE", "ARTIST", "ALBUM"].map { reading.tags[$0].first } == album.map(\.0))
  }

  @Test func `Shift-JIS that claims to be Latin-1 is read if it has bytes that no Latin letter has`() throws {
    let texts: [(String, [UInt8])] = [
      ("ﾄﾄﾛ", [0xC4, 0xC4, 0xDB]),
      ("久石譲", [0x8B, 0x76, 0x90, 0xCE, 0x8F, 0xF7]),
      ("となりのトトロ", [0x82, 0xC6, 0x82, 0xC8, 0x82, 0xE8, 0x82, 0xCC, 0x83, 0x67, 0x83, 0x67, 0x83, 0x8D]),
    ]
    let reading = try read(zip(["TIT2", "TPE1", "TALB"], texts).flatMap { TagBytes.textFrame($0, .latin1, $1.1) })
    #expect(["TITLE", "ARTIST", "ALBUM"].map { reading.tags[$0].first } == texts.map(\.0))
  }

  /// Without a mark, the order of the units is that of the tag: some texts have no zeros.
  @Test(arguments: [false, true], [["Für Elise", "愛の歌"], ["愛の歌", "Привет"], ["Привет", "Für Elise"]])
  func `UTF-16 without a mark has one order in a tag`(_ isBigEndian: Bool, _ texts: [String]) throws {
    let frames = zip(["TIT2", "TPE1"], texts).flatMap {
      TagBytes.textFrame($0, .utf16, Self.units($1, isBigEndian: isBigEndian))
    }
    let reading = try read(frames)
    #expect(["TITLE", "ARTIST"].map { reading.tags[$0].first } == texts)
  }

  @Test(arguments: [false, true], [["Für Elise", "愛の歌"], ["Fantasie", "Привет"]])
  func `lists of texts in UTF-16 are read to their end`(_ isBigEndian: Bool, _ texts: [String]) throws {
    func body(_ text: String) -> [UInt8] { Self.units(text, isBigEndian: isBigEndian) + [0, 0] }
    let list = ChunkBytes.chunk("INAM", body(texts[0])) + ChunkBytes.chunk("IART", body(texts[1]))
    try folder.write(
      ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", [0, 0, 1, 0]),
        ChunkBytes.chunk("LIST", Array("INFO".utf8) + list)), to: "a.wav")
    let tags = try OpenFile(folder.appending("a.wav")).tags().tags
    #expect(["TITLE", "ARTIST"].map { tags[$0].first } == texts)
  }

  @Test func `a mark of UTF-8 is no part of a text`() throws {
    let text = [0xEF, 0xBB, 0xBF] + Array("Café".utf8)
    #expect(try read(TagBytes.textFrame("TIT2", .utf8, text)).tags["TITLE"] == ["Café"])
  }

  /// By the chunk CSET, with the number of Windows' code page.
  @Test(
    arguments: [
      (1253, "Παιδιά", [0xD0, 0xE1, 0xE9, 0xE4, 0xE9, 0xDC]), (1254, "Şarkı", [0xDE, 0x61, 0x72, 0x6B, 0xFD]),
      (1255, "שיר", [0xF9, 0xE9, 0xF8]), (1257, "Šaukšmas", [0xD0, 0x61, 0x75, 0x6B, 0xF0, 0x6D, 0x61, 0x73]),
      (850, "Größe", [0x47, 0x72, 0x94, 0xE1, 0x65]), (866, "Песня", [0x8F, 0xA5, 0xE1, 0xAD, 0xEF]),
    ] as [(Int, String, [UInt8])])
  func `the code page that a WAV file names counts`(_ number: Int, _ title: String, _ bytes: [UInt8]) throws {
    try folder.write(
      ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", ChunkBytes.format()),
        ChunkBytes.chunk("CSET", littleEndian(UInt16(number)) + [UInt8](repeating: 0, count: 6)),
        ChunkBytes.chunk("LIST", Array("INFO".utf8) + ChunkBytes.chunk("INAM", bytes + [0])),
        ChunkBytes.chunk("data", [0, 0, 1, 0])), to: "a.wav")
    #expect(try OpenFile(folder.appending("a.wav")).tags().tags["TITLE"] == [title])
  }

  /// A date as mutagen reads it, whatever its encoding; only the T before a time becomes a blank.
  @Test(arguments: [
    ("TDRC", "昭和58年(1983年)", "昭和58年(1983年)"), ("TDRC", "OCT 3, 1995", "OCT 3, 1995"),
    ("TDRC", "2010-04-03T12:30", "2010-04-03 12:30"), ("TYER", "2001年05月06日", "2001年05月06日"),
    ("TYER", "1999–2001", "1999–2001"), ("TYER", "2010", "2010"),
  ])
  func `a date is text before it is a date`(_ frame: String, _ written: String, _ date: String) throws {
    for frames in [
      TagBytes.textFrame(frame, written), TagBytes.textFrame(frame, .utf16, [0xFF, 0xFE] + Self.units(written)),
    ] { #expect(try read(frames).tags["DATE"] == [date]) }
  }

  @Test func `the address of a picture is no picture`() throws {
    let body = [0] + Array("-->\0\u{3}\0http://example.org/a.jpg".utf8)
    #expect(try read(TagBytes.frame("APIC", body)).artwork.isEmpty)
  }

  @Test func `a NUL ends a value, and is never part of one`() throws {
    let values = try read(TagBytes.textFrame("TIT2", .latin1, Array("one\0two".utf8))).tags["TITLE"]
    #expect(values.joined(separator: "|").hasPrefix("one"))
    #expect(!values.contains { $0.unicodeScalars.contains("\0") })
  }
}

/// Which of a file's tags counts if they disagree: the table of docs/tags.md.
struct ConflictingTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file with tags of several kinds, each of which has the same names with its own kind as the value.
  struct Conflict: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// Of TITLE, ARTIST and ALBUM: the best kind has all three, the next one has two, the last one an artist.
    let kinds: [String]
  }

  private static func id3v2(_ names: [String], _ value: String = "ID3v2") -> [UInt8] {
    let frames = ["TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB"]
    return TagBytes.id3v2(names.flatMap { TagBytes.textFrame(frames[$0] ?? "TXXX", value) })
  }

  private static func ape(_ names: [String]) -> [UInt8] { TagBytes.ape(names.map { ($0.capitalized, "APE") }) }

  private static func id3v1(_ names: [String]) -> [UInt8] {
    func text(_ name: String) -> String { names.contains(name) ? "ID3v1" : "" }
    return TagBytes.id3v1(title: text("TITLE"), artist: text("ARTIST"), album: text("ALBUM"), year: "", genre: 255)
  }

  private static func comments(_ names: [String]) -> [UInt8] {
    FLACBytes.metadataBlock(4, TagBytes.vorbisComments(names.map { Array("\($0)=Vorbis".utf8) }))
  }

  private static func information(_ names: [String]) -> [UInt8] {
    let keys = ["TITLE": "INAM", "ARTIST": "IART", "ALBUM": "IPRD"]
    return ChunkBytes.chunk(
      "LIST", Array("INFO".utf8) + names.flatMap { ChunkBytes.chunk(keys[$0] ?? "ICMT", Array("INFO\0".utf8)) })
  }

  private static let (one, two, three) = (["TITLE"], ["TITLE", "ARTIST"], ["TITLE", "ARTIST", "ALBUM"])
  private static let flac = FLACBytes.constant(frameCount: 1000, sampleRateInHz: 8000)
  /// Its STREAMINFO is not the last block.
  private static let openFLAC = Array(flac[..<4]) + [0] + flac[5..<42]

  private static let conflicts: [Conflict] = [
    Conflict(
      testDescription: "MP3: ID3v2, APE, ID3v1",
      bytes: id3v2(one) + MPEGBytes.silentFrames(20) + ape(two) + id3v1(three), kinds: ["ID3v2", "APE", "ID3v1"]),
    Conflict(
      testDescription: "MP3: ID3v2, ID3v1", bytes: id3v2(two) + MPEGBytes.silentFrames(20) + id3v1(three),
      kinds: ["ID3v2", "ID3v2", "ID3v1"]),
    Conflict(
      testDescription: "MP3: APE, ID3v1", bytes: MPEGBytes.silentFrames(20) + ape(two) + id3v1(three),
      kinds: ["APE", "APE", "ID3v1"]),
    Conflict(
      testDescription: "FLAC: comments, ID3v2, ID3v1",
      bytes: id3v2(two) + openFLAC + comments(one) + FLACBytes.metadataBlock(0x81, [0, 0, 0, 0])
        + flac.dropFirst(42) + id3v1(three), kinds: ["Vorbis", "ID3v2", "ID3v1"]),
    Conflict(
      testDescription: "WAV: ID3v2, INFO",
      bytes: ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", ChunkBytes.format()), information(three), ChunkBytes.chunk("data", [0, 0, 1, 0]),
        ChunkBytes.chunk("ID3 ", id3v2(two))), kinds: ["ID3v2", "ID3v2", "INFO"]),
    Conflict(
      testDescription: "Monkey's Audio: APE, ID3v1",
      bytes: Array("MAC ".utf8) + [UInt8](repeating: 0, count: 2000) + ape(two) + id3v1(three),
      kinds: ["APE", "APE", "ID3v1"]),
    Conflict(
      testDescription: "WavPack: APE, ID3v1",
      bytes: Array("wvpk".utf8) + [UInt8](repeating: 0, count: 2000) + ape(two) + id3v1(three),
      kinds: ["APE", "APE", "ID3v1"]),
    Conflict(
      testDescription: "Musepack: APE, ID3v1",
      bytes: Array("MP+".utf8) + [UInt8](repeating: 0, count: 2000) + ape(two) + id3v1(three),
      kinds: ["APE", "APE", "ID3v1"]),
    Conflict(
      testDescription: "True Audio: ID3v2, ID3v1",
      bytes: id3v2(two) + Array("TTA1".utf8) + [UInt8](repeating: 0, count: 2000) + id3v1(three),
      kinds: ["ID3v2", "ID3v2", "ID3v1"]),
  ]

  // Faults: 49
  @Test(arguments: conflicts)
  func `each value is that of the best tag that has it`(_ conflict: Conflict) throws {
    try folder.write(conflict.bytes, to: "a.bin")
    let tags = try OpenFile(folder.appending("a.bin")).tags().tags
    #expect(Self.three.map { tags[$0] } == conflict.kinds.map { [$0] })
  }

  // Faults: 49
  @Test func `several values of a name come from one tag, never from two`() throws {
    let bytes =
      TagBytes.id3v2(TagBytes.textFrame("TPE1", "One\0Two")) + MPEGBytes.silentFrames(20) + Self.id3v1(["ARTIST"])
    try folder.write(bytes, to: "a.mp3")
    #expect(try OpenFile(folder.appending("a.mp3")).tags().tags["ARTIST"] == ["One", "Two"])
  }

  // Faults: 49
  @Test func `of two ID3v2 tags at the start the first counts`() throws {
    try folder.write(
      Self.id3v2(Self.one, "first") + Self.id3v2(Self.two, "second") + MPEGBytes.silentFrames(20), to: "a.mp3")
    let tags = try OpenFile(folder.appending("a.mp3")).tags().tags
    #expect(tags["TITLE"] == ["first"])
  }
}
