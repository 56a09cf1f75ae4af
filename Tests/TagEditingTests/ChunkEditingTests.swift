import AudioDecoding
import Foundation
import MediaModel
@testable import TagEditing
import Testing
import TestSupport

/// Chunks of WAV and AIFF: ID3v2 and the texts of the format are equal where both are.
struct ChunkEditingTests {
  private static func chunk(_ name: String, _ body: [UInt8], isBigEndian: Bool = false) -> [UInt8] {
    let size = UInt32(body.count)
    return Array(name.utf8) + (isBigEndian ? size.bigEndianBytes : size.littleEndianBytes) + body
      + (body.count % 2 == 1 ? [0] : [])
  }

  private static func wav(_ chunks: [UInt8]) -> [UInt8] {
    let form: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
    let body = Array("WAVE".utf8) + chunk("fmt ", form) + chunks
    return chunk("RIFF", body)
  }

  private static let sound = chunk("data", (0..<2000).map { UInt8($0 % 251) })

  private static func info(_ texts: (String, String)...) -> [UInt8] {
    chunk("LIST", Array("INFO".utf8) + texts.flatMap { chunk($0.0, Array($0.1.utf8) + [0]) })
  }

  private static func list(_ file: TaggedFile) throws -> [String] {
    try RIFFTags(file.buffered, from: 0).info.flatMap { tag in
      try tag.items.map {
        "\(String(decoding: $0.name, as: UTF8.self)) \(String(decoding: try tag.body($0, limit: 99).prefix { $0 != 0 }, as: UTF8.self))"
      }
    }
  }

  @Test func `a list INFO alone takes what it has a place for`() throws {
    let list = Self.info(("INAM", "Tide"), ("ISFT", "odd"), ("IPRT", "3"), ("ITRK", "3"))
    var file = TaggedFile(Self.wav(list + Self.sound + Self.chunk("cue ", [0, 0, 0, 0])))
    try file.edit(.set("TITLE", ["Ebb"]), .set("ARTIST", ["Émile"]), .set("TRACKNUMBER", ["12"]))
    #expect(try Self.list(file) == ["INAM Ebb", "ISFT odd", "IPRT 12", "ITRK 12", "IART Émile"])
    #expect(try RIFFTags(file.buffered, from: 0).id3v2.isEmpty)
    try file.edit(.set("MOOD", ["calm"]), .remove("TITLE"))
    #expect(try Self.list(file) == ["ISFT odd", "IPRT 12", "ITRK 12", "IART Émile"])
    #expect(try RIFFTags(file.buffered, from: 0).id3v2.count == 1)
    file.undoAll()
  }

  @Test func `new ID3v2 beside a list INFO says all that the list says`() throws {
    let list = Self.info(("INAM", "Tide"), ("IART", "Émile"), ("ITRK", "3"), ("ISFT", "odd"), ("IXYZ", "unknown"))
    var file = TaggedFile(Self.wav(list + Self.sound))
    try file.edit(.set("MOOD", ["calm"]), .set("TITLE", ["Ebb"]))
    #expect(try Self.list(file) == ["INAM Ebb", "IART Émile", "ITRK 3", "ISFT odd", "IXYZ unknown"])
    let read = try Mutagen.read(file.bytes, named: "a.wav")
    #expect(read["TITLE"] == ["Ebb"] && read["ARTIST"] == ["Émile"] && read["TRACKNUMBER"] == ["3"])
    #expect(try RIFFTags(file.buffered, from: 0).id3v2.map { try $0.properties()["MOOD"] } == [["calm"]])
    file.undoAll()
    // A cover alone, too, and nothing if there is nothing to write.
    try file.edit(.setFrontCover(.init(bytes: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 0xFF, 0xD9], mimeType: "image/jpeg")))
    #expect(try Mutagen.read(file.bytes, named: "a.wav")["TITLE"] == ["Tide"])
    file.undoAll()
    #expect(try file.plan(TagEdit([.remove("MOOD")])).isEmpty)
  }

  @Test func `INFO and ID3v2 say the same`() throws {
    let id3 = Self.chunk("ID3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide")))
    var file = TaggedFile(Self.wav(Self.info(("INAM", "Tide")) + id3 + Self.sound))
    try file.edit(.set("TITLE", ["Ebb"]), .set("ARTIST", ["A", "B"]))
    #expect(try Self.list(file) == ["INAM Ebb"])
    #expect(Array(file.bytes).firstRange(of: Array("ID3 ".utf8)) != nil, "its name stays")
    let read = try Mutagen.read(file.bytes, named: "a.wav")
    #expect(read["TITLE"] == ["Ebb"] && read["ARTIST"] == ["A", "B"])
    try file.edit(.remove("TITLE"))
    #expect(try file.properties()["TITLE"] == nil)
  }

  @Test func `a WAV file without tags gets ID3v2 behind the sound`() throws {
    for count in [2000, 2001] {
      let data = Self.chunk("data", [UInt8](repeating: 7, count: count))
      var file = TaggedFile(Self.wav(data))
      try file.edit(.set("TITLE", ["Ebb"]))
      #expect(try Mutagen.read(file.bytes, named: "a.wav")["TITLE"] == ["Ebb"])
    }
  }

  @Test func `texts in a code page are not mixed with others`() {
    let page = Self.chunk("CSET", [0xE3, 4, 0, 0, 0, 0, 0, 0])
    let file = TaggedFile(Self.wav(page + Self.info(("INAM", "Tide")) + Self.sound))
    #expect(file.refusal(.set("TITLE", ["Ebb"])) == nil)
    #expect(file.refusal(.set("TITLE", ["夜"]))?.code == "value")
  }

  @Test func `chunks that are longer than the file are refused`() {
    let id3 = Self.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide")))
    var bytes = Self.wav(Self.sound + id3)
    bytes.removeLast(4)
    let refusal = TaggedFile(bytes).refusal(.set("TITLE", ["x"]))
    #expect(refusal == .malformed("the file is shorter than its header declares"))
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `a head that says less than its chunks, or counts a byte that is left out, is corrected`() throws {
    let id3 = Self.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide")))
    let chunks = Self.wav(Self.sound + id3)
    let short = UInt32(chunks.count - 8 - id3.count).littleEndianBytes
    var odd = Self.wav(Self.chunk("data", [UInt8](repeating: 7, count: 2001)))
    odd.removeLast()
    for bytes in [Array(chunks[..<4]) + short + chunks[8...], odd] {
      var file = TaggedFile(bytes)
      try file.edit(.set("TITLE", ["Ebb"]))
      #expect(file.bytes[4..<8].elementsEqual(UInt32(file.bytes.count - 8).littleEndianBytes))
      #expect(try Mutagen.read(file.bytes, named: "a.wav")["TITLE"] == ["Ebb"])
      file.undoAll()
    }
  }

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence))
  func `a chunk for ID3v2 that is empty takes it, and of two the first one counts`() throws {
    var file = TaggedFile(Self.wav(Self.sound + Self.chunk("id3 ", [])))
    try file.edit(.set("TITLE", ["Ebb"]))
    #expect(try Mutagen.read(file.bytes, named: "a.wav")["TITLE"] == ["Ebb"])
    let id3 = Self.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide")))
    file = TaggedFile(Self.wav(Self.sound + id3 + id3))
    try file.edit(.set("TITLE", ["Ebb"]), .set("ARTIST", ["Vale"]))
    let tags = try RIFFTags(file.buffered, from: 0).id3v2
    #expect(try tags.map { try $0.properties()["TITLE"] } == [["Ebb"], ["Ebb"]])
    #expect(try tags.map { try $0.properties()["ARTIST"] } == [["Vale"], []])
  }

  @Test func `texts of AIFF follow`() throws {
    let url = Corpora.fixtures.appending(path: "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff")
    let old = [UInt8](try Data(contentsOf: url))
    let name = Self.chunk("NAME", Array("Big End".utf8), isBigEndian: true)
    let size = UInt32(old.count - 8 + name.count).bigEndianBytes
    var file = TaggedFile(Array(old[..<4]) + size + old[8..<12] + name + old[12...])
    try file.edit(.set("TITLE", ["Small End"]))
    #expect(try AIFFTags(file.buffered, from: 0).texts.properties()["TITLE"] == ["Small End"])
    #expect(try Mutagen.read(file.bytes, named: "a.aiff")["TITLE"] == ["Small End"])
    try file.edit(.remove("TITLE"))
    #expect(try file.properties()["TITLE"] == nil)
  }

  @Test func `new ID3v2 beside texts of AIFF says what they say`() throws {
    let form: [UInt8] = [0, 1, 0, 0, 3, 0xE8, 0, 16, 0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let sound = [UInt8](repeating: 0, count: 8) + (0..<2000).map { UInt8($0 % 251) }
    let chunks = [("COMM", form), ("NAME", Array("Tide".utf8)), ("AUTH", Array("Vale".utf8)), ("SSND", sound)]
    let body = Array("AIFF".utf8) + chunks.flatMap { Self.chunk($0.0, $0.1, isBigEndian: true) }
    var file = TaggedFile(Self.chunk("FORM", body, isBigEndian: true))
    try file.edit(.set("ALBUM", ["Tides"]))
    let read = try Mutagen.read(file.bytes, named: "a.aiff")
    #expect(read["TITLE"] == ["Tide"] && read["ARTIST"] == ["Vale"] && read["ALBUM"] == ["Tides"])
    #expect(try AIFFTags(file.buffered, from: 0).texts.properties()["TITLE"] == ["Tide"])
    file.undoAll()
  }
}
