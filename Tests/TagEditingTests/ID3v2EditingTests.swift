import AudioDecoding
import Foundation
import MediaModel
@testable import TagEditing
import Testing
import TestSupport

/// Frames of ID3v2 in their versions, and the tags beside them.
struct ID3v2EditingTests {
  private static let sound: [UInt8] = {
    let url = Corpora.fixtures.appending(path: "damaged/clean.mp3")
    let bytes = (try? [UInt8](Data(contentsOf: url))) ?? []
    let start = (try? TagBounds(BytesInMemory(bytes).file).audio) ?? 0..<0
    return Array(bytes[Int(start.lowerBound)..<Int(start.upperBound)])
  }()

  /// A frame of version 2.2 or 2.3.
  private static func frame(_ name: String, flags: [UInt8] = [0, 0], _ body: [UInt8]) -> [UInt8] {
    let size = UInt32(body.count).bigEndianBytes
    return Array(name.utf8) + (name.utf8.count == 3 ? size.dropFirst() + [] : size + flags) + body
  }

  private static func tag(_ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8], padding: Int = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + TagBytes.synchsafe(frames.count + padding) + frames
      + [UInt8](repeating: 0, count: padding)
  }

  private static func utf16(_ text: String) -> [UInt8] { [0xFF, 0xFE] + text.utf16.flatMap(\.littleEndianBytes) }

  private static let strange: [UInt8] =
    frame("PRIV", flags: [0x80, 0], Array("WM/Provider\0".utf8) + utf16("x")) + frame("XYZW", [1, 2, 3])
    + frame("POPM", Array("a@b\0".utf8) + [255, 0, 0, 0, 1])

  @Test func `version 2.3 stays version 2.3`() throws {
    let old =
      Self.frame("TIT2", [0] + Array("Tide".utf8)) + Self.strange
      + Self.frame("TYER", [0] + Array("1999".utf8)) + Self.frame("TPE1", [1] + Self.utf16("Vale"))
    var file = TaggedFile(Self.tag(3, old, padding: 500) + Self.sound)
    let plan = try file.edit(
      .set("TITLE", ["Ebb"]), .set("DATE", ["2010-04-03 12:30"]), .set("ARTIST", ["Émile", "夜"]),
      .set("REPLAYGAIN_TRACK_GAIN", ["-1.00 dB"]), .set("ORIGINALDATE", ["1970"]))
    #expect(TaggedFile.keepsPlaces(plan))
    let tag = try #require(try ID3v2Reader.tag(file.buffered, at: 0, before: file.buffered.byteCount))
    #expect(
      tag.items.map { String(decoding: $0.name, as: UTF8.self) } == [
        "TIT2", "PRIV", "XYZW", "POPM", "TYER", "TDAT", "TIME", "TPE1", "TXXX", "TORY",
      ])
    #expect(try tag.body(tag.items[0], limit: 99) == [0] + Array("Ebb".utf8))
    #expect(try tag.body(tag.items[5], limit: 99) == [0] + Array("0304".utf8))
    #expect(try tag.body(tag.items[7], limit: 99) == [1] + Self.utf16("Émile") + [0, 0] + Self.utf16("夜"))
    let read = try Mutagen.read(file.bytes, named: "a.mp3")
    #expect(read["DATE"] == ["2010-04-03 12:30:00"])
    #expect(read["ARTIST"] == ["Émile", "夜"])
    #expect(
      file.refusal(.set("DATE", ["2010-04"]))
        == .value(
          property: "DATE",
          reason: "ID3v2.3 has a year, and a day and a time with it: YYYY, YYYY-MM-DD or YYYY-MM-DD hh:mm"))
    file.undoAll()
  }

  @Test func `version 2.2 stays version 2.2`() throws {
    let frames =
      Self.frame("TT2", [0] + Array("Tide".utf8)) + Self.frame("XYZ", [1, 2, 3])
      + Self.frame("TYE", [0] + Array("1999".utf8))
    var file = TaggedFile(Self.tag(2, frames) + Self.sound)
    try file.edit(
      .set("TITLE", ["Émile"]), .set("DATE", ["2010-04-03"]), .set("ALBUM", ["夜"]), .set("MY OWN NAME", ["x"]),
      .set("PERFORMER", ["Nora (violin)"]), .set("COMMENT", ["c"]),
      .setFrontCover(TagEdit.Cover(bytes: [0xFF, 0xD8, 0xFF, 1, 2], mimeType: "image/jpeg")))
    let tag = try #require(try ID3v2Reader.tag(file.buffered, at: 0, before: file.buffered.byteCount))
    #expect(
      tag.items.map { String(decoding: $0.name, as: UTF8.self) }
        == ["TT2", "XYZ", "TYE", "TDA", "TAL", "TXX", "COM", "PIC", "IPL"])
    // Latin-1 as before.
    #expect(try tag.body(tag.items[0], limit: 99) == [0, 0xC9] + Array("mile".utf8))
    let read = try Mutagen.read(file.bytes, named: "a.mp3")
    #expect(read["TITLE"] == ["Émile"] && read["DATE"] == ["2010-04-03"] && read["ALBUM"] == ["夜"])
    #expect(read["COVER"] == ["5"] && read["PEOPLE"] == ["violin Nora"])
  }

  @Test(arguments: [UInt8(3), 4])
  func `lists of people are edited role by role`(version: UInt8) throws {
    let name = version == 3 ? "IPLS" : "TIPL"
    let list = "producer\0Hal\0lights\0Kim\0engineer\0Gil\0"
    let frame = version == 3 ? Self.frame(name, [0] + Array(list.utf8)) : TagBytes.frame(name, [3] + Array(list.utf8))
    var file = TaggedFile(Self.tag(version, frame) + Self.sound)
    try file.edit(.set("PRODUCER", ["Ida", "Hal"]), .remove("ENGINEER"), .set("MIXER", ["Jo"]))
    #expect(
      try Mutagen.read(file.bytes, named: "a.mp3")["PEOPLE"]
        == ["producer Ida", "producer Hal", "lights Kim", "mix Jo"])
    try file.edit(.set("PERFORMER", ["Nora Vale (violin)", "Lee"]))
    #expect(try file.properties()["PERFORMER"] == ["Nora Vale (violin)", "Lee"])
    #expect(file.refusal(.set("ARRANGER", ["Vale, Nora"]))?.code == "contradicted")
  }

  @Test func `the language and description of a comment stay`() throws {
    let frames =
      TagBytes.frame("COMM", [3] + Array("deu\0first".utf8))
      + TagBytes.frame("COMM", [3] + Array("engiTunNORM\0 0001".utf8))
    var file = TaggedFile(TagBytes.id3v2(frames) + Self.sound)
    try file.edit(.set("COMMENT", ["second"]))
    let tag = try #require(try ID3v2Reader.tag(file.buffered, at: 0, before: file.buffered.byteCount))
    #expect(try tag.body(tag.items[0], limit: 99) == [3] + Array("deu\0second".utf8))
    #expect(tag.items.count == 2)
  }

  // MARK: Beside ID3v2

  @Test func `ID3v1 and APE follow where they are`() throws {
    let v1 = TagBytes.id3v1(title: "Tide", artist: "Vale", album: "", year: "1999", genre: 17)
    let ape = TagBytes.ape([("Title", "Tide"), ("REPLAYGAIN_TRACK_GAIN", "-3.00 dB"), ("Custom", "x")])
    var file = TaggedFile(TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide")) + Self.sound + ape + v1)
    try file.edit(
      .set("TITLE", ["Ebb and a title of more than thirty letters"]), .set("ARTIST", ["夜"]), .set("GENRE", ["Jazz"]))
    let tags = try SurroundingTags(file.buffered).tags
    #expect(tags.map(\.kind) == [.id3v2, .ape, .id3v1])
    #expect(try tags[1].properties()["TITLE"] == ["Ebb and a title of more than thirty letters"])
    #expect(try tags[1].properties()["ARTIST"].isEmpty)
    #expect(try tags[2].properties()["TITLE"] == ["Ebb and a title of more than t"])
    #expect(try tags[2].properties()["ARTIST"].isEmpty)
    #expect(try tags[2].properties()["GENRE"] == ["Jazz"])
    #expect(try tags[2].properties()["DATE"] == ["1999"])
    try file.edit(.remove("TITLE"), .set("TRACKNUMBER", ["7/9"]))
    #expect(try SurroundingTags(file.buffered).tags[2].properties()["TITLE"].isEmpty)
    #expect(file.bytes.suffix(3) == [0, 7, 8])
    file.undoAll()
  }

  @Test func `a new tag beside ID3v1 alone says what that says, too`() throws {
    let v1 = TagBytes.id3v1(title: "Tide", artist: "Vale", album: "Ebb", year: "1999", genre: 17)
    var file = TaggedFile(Self.sound + v1)
    try file.edit(.set("REPLAYGAIN_TRACK_GAIN", ["-3.00 dB"]), .set("ARTIST", ["夜"]))
    let tags = try SurroundingTags(file.buffered).tags
    #expect(tags.map(\.kind) == [.id3v2, .id3v1])
    let new = try tags[0].properties()
    #expect(new["TITLE"] == ["Tide"] && new["ARTIST"] == ["夜"] && new["ALBUM"] == ["Ebb"] && new["DATE"] == ["1999"])
    #expect(new["GENRE"] == ["Rock"] && new["REPLAYGAIN_TRACK_GAIN"] == ["-3.00 dB"])
    file.undoAll()
    // What it has alone is changed alone.
    #expect(try !TaggedFile(Self.sound + v1).plan(TagEdit([.remove("TITLE")])).isEmpty)
    var removed = TaggedFile(Self.sound + v1)
    try removed.edit(.remove("TITLE"))
    #expect(try SurroundingTags(removed.buffered).tags.map(\.kind) == [.id3v1])
  }

  @Test func `a file without tags gets ID3v2 4, one with APE alone keeps to it`() throws {
    var file = TaggedFile(Self.sound)
    try file.edit(.set("TITLE", ["Tide"]))
    #expect(file.bytes.starts(with: Array("ID3".utf8) + [4]))
    #expect(TaggedFile(Self.sound).refusal(.remove("TITLE")) == nil)
    #expect(try TaggedFile(Self.sound).plan(TagEdit([.remove("TITLE")])).isEmpty)

    file = TaggedFile(Self.sound + TagBytes.ape([("Title", "Tide")]))
    try file.edit(.set("ALBUM", ["Tides"]))
    #expect(try SurroundingTags(file.buffered).tags.map(\.kind) == [.ape])
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `AAC without tags gets APE behind it, because Mutagen takes it for MP3 behind ID3v2`() throws {
    let url = Corpora.fixtures.appending(path: "formats/Every Connector/06 Spade.aac")
    let tagged = TaggedFile([UInt8](try Data(contentsOf: url)))
    let audio = try TagBounds(tagged.buffered).audio
    var file = TaggedFile(Array(tagged.bytes[Int(audio.lowerBound)..<Int(audio.upperBound)]))
    try file.edit(.set("TITLE", ["Ebb"]), .set("ARTIST", ["A", "B"]))
    #expect(try SurroundingTags(file.buffered).tags.map(\.kind) == [.ape])
    let folder = try TemporaryFolder()
    try folder.write(file.bytes, to: "a.aac")
    try Mutagen.run(
      """
      from mutagen import aac
      assert mutagen.File(path) is not None and aac.AAC(path).info.channels == 2
      assert list(apev2.APEv2(path)['Artist']) == ['A', 'B']
      """, folder.appending("a.aac"))
    file.undoAll()
    // One that has ID3v2 keeps to it.
    var other = tagged
    try other.edit(.set("TITLE", ["Ebb"]))
    #expect(try SurroundingTags(other.buffered).tags.map(\.kind) == [.id3v2])
  }

  // MARK: Unusual tags

  /// The frames of a tag with their names, and the title that Mutagen reads.
  private static func expect(
    _ names: [String], _ file: TaggedFile, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let tag = try #require(try ID3v2Reader.tag(file.buffered, at: 0, before: file.buffered.byteCount))
    #expect(tag.items.map { String(decoding: $0.name, as: UTF8.self) } == names, sourceLocation: sourceLocation)
    #expect(try Mutagen.read(file.bytes, named: "a.mp3")["TITLE"] == ["Ebb ÿ"], sourceLocation: sourceLocation)
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `an unsynchronised tag stays unsynchronised`() throws {
    // Of version 2.3, all of it: a zero behind each 255 that one of 0 or more than 223 follows.
    let picture: [UInt8] = [0xFF, 0xFE, 0xFF, 0, 0xFF, 1, 0xFF]
    let frames =
      Self.frame("TIT2", [1] + Self.utf16("Tide")) + Self.frame("PRIV", Array("x\0".utf8) + picture)
      + Self.frame("TPE1", [0, 65])
    var written: [UInt8] = []
    for (byte, next) in zip(frames, frames.dropFirst() + [65]) {
      written += byte == 0xFF && (next == 0 || next >= 0xE0) ? [byte, 0] : [byte]
    }
    for padding in [0, 300] {
      var file = TaggedFile(Self.tag(3, flags: 0x80, written, padding: padding) + Self.sound)
      try file.edit(.set("TITLE", ["Ebb ÿ"]))
      #expect(file.bytes[5] == 0x80)
      #expect(ID3v2Reader.resynchronised(Array(file.bytes[10..<60])) != nil)
      try Self.expect(["TIT2", "PRIV", "TPE1"], file)
      file.undoAll()
    }
    // Of version 2.4, frame by frame.
    let second = TagBytes.frame("PRIV", flags: [0, 2], [0x78, 0, 0xFF, 0, 0xFE])
    var file = TaggedFile(Self.tag(4, flags: 0x80, TagBytes.textFrame("TIT2", "Tide") + second) + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]), .set("ALBUM", ["夜"]))
    try Self.expect(["TIT2", "PRIV", "TALB"], file)
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `an extended header without a checksum stays`() throws {
    let third = Self.frame("TIT2", [0] + Array("Tide".utf8))
    var file = TaggedFile(
      Self.tag(3, flags: 0x40, [0, 0, 0, 6, 0, 0, 0, 0, 0, 40] + third, padding: 40) + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]))
    try Self.expect(["TIT2"], file)
    // Four letters more in UTF-16 than in Latin-1, and one.
    let padding = try #require(file.bytes[10..<20].last)
    #expect(file.bytes[10 + 10 + third.count + 40 - Int(padding)..<10 + 10 + third.count + 40].allSatisfy { $0 == 0 })
    file.undoAll()
    file = TaggedFile(
      Self.tag(4, flags: 0x40, [0, 0, 0, 6, 1, 0] + TagBytes.textFrame("TIT2", "Tide")) + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]))
    try Self.expect(["TIT2"], file)
    #expect(file.bytes[10..<16].elementsEqual([0, 0, 0, 6, 1, 0]))
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `frames that are odd, but whose places are certain, stay where they are`() throws {
    let odd = TagBytes.frame("TENC", []) + TagBytes.frame("tsse", [3, 65]) + TagBytes.textFrame("TIT2", "Tide")
    var file = TaggedFile(Self.tag(4, odd) + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]), .set("ARTIST", ["Vale"]))
    try Self.expect(["TENC", "tsse", "TIT2", "TPE1"], file)
    // What is behind the frames is not known, and stays.
    let rest = [UInt8](repeating: 7, count: 9)
    file = TaggedFile(Self.tag(4, TagBytes.textFrame("TIT2", "Tide") + rest) + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]))
    try Self.expect(["TIT2"], file)
    let length = try #require(TagBounds.id3v2Length(Array(file.bytes[..<10])))
    #expect(Array(file.bytes[Int(length) - 9..<Int(length)]) == rest)
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `a footer says what the head says`() throws {
    let footed = Self.tag(4, flags: 0x10, TagBytes.textFrame("TIT2", "Tide"))
    var file = TaggedFile(footed + Array("3DI".utf8) + footed[3..<10] + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]), .set("ARTIST", ["Vale"]))
    try Self.expect(["TIT2", "TPE1"], file)
    let length = Int(try #require(TagBounds.id3v2Length(Array(file.bytes[..<10]))))
    #expect(file.bytes[length - 10..<length].elementsEqual(Array("3DI".utf8) + file.bytes[3..<10]))
    file.undoAll()
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `of two tags the first one gets what is new, and both say the same`() throws {
    let second = Self.tag(4, TagBytes.textFrame("TIT2", "Tide") + TagBytes.textFrame("TALB", "Tides"))
    var file = TaggedFile(Self.tag(4, TagBytes.textFrame("TIT2", "Tide")) + second + Self.sound)
    try file.edit(.set("TITLE", ["Ebb ÿ"]), .set("GENRE", ["Jazz"]))
    try Self.expect(["TIT2", "TCON"], file)
    let tags = try SurroundingTags(file.buffered).tags
    #expect(try tags.map { try $0.properties()["TITLE"] } == [["Ebb ÿ"], ["Ebb ÿ"]])
    #expect(try tags[1].properties()["GENRE"].isEmpty)
  }

  // MARK: Refusals

  @Test func `what is not safe is refused with its reason`() {
    let title = TagBytes.textFrame("TIT2", "Tide")
    func code(_ bytes: [UInt8]) -> String? { TaggedFile(bytes).refusal(.set("TITLE", ["Ebb"]))?.reason }
    let unsafe = "the tags cannot be edited safely: "
    let checked: [UInt8] = [0, 0, 0, 12, 1, 0x20, 5, 0, 1, 2, 3, 4]
    #expect(
      code(Self.tag(4, flags: 0x40, checked + title) + Self.sound)
        == unsafe + "the ID3v2 tag has a checksum, or restrictions")
    let frame = Self.frame("TIT2", [0] + Array("Tide".utf8))
    #expect(
      code(Self.tag(3, flags: 0x40, [0, 0, 0, 10, 0x80, 0, 0, 0, 0, 0, 1, 2, 3, 4] + frame) + Self.sound)
        == unsafe + "the ID3v2 tag has a checksum")
    let encrypted = TagBytes.frame("TIT2", flags: [0, 4], [1, 3, 65])
    #expect(code(Self.tag(4, encrypted) + Self.sound) == unsafe + "the frame TIT2 is encrypted")
    let readOnly = TagBytes.frame("TIT2", flags: [0x10, 0], [3, 65])
    #expect(code(Self.tag(4, readOnly) + Self.sound) == unsafe + "the frame TIT2 is marked as read-only")
    #expect(
      code(TagBytes.id3v2(title, claiming: 9_000_000) + Self.sound)?.hasPrefix("the tags are damaged") == true)
    // Another frame that is encrypted is copied.
    #expect(code(Self.tag(4, title + TagBytes.frame("TALB", flags: [0, 4], [1, 3, 65])) + Self.sound) == nil)
  }
}
