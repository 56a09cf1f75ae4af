import AudioDecoding
import Foundation
import MediaModel
@testable import TagEditing
import Testing
import TestSupport

/// Blocks of FLAC: padding gives way, and all others are copied.
@Suite(.enabled(if: Tool.exist("metaflac"), "flac is not installed"))
struct FLACEditingTests {
  private static func fixture(_ options: String...) throws -> TaggedFile {
    let url = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac")
    let folder = try TemporaryFolder()
    try folder.write(try Data(contentsOf: url), to: "a.flac")
    if !options.isEmpty {
      try Tool.run("metaflac", arguments: ["--dont-use-padding"] + options + [folder.appending("a.flac").path])
    }
    return TaggedFile(try folder.bytes(of: "a.flac"))
  }

  /// What the reference program says of the blocks, and whether it decodes the file.
  private static func blocks(_ file: TaggedFile) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(file.bytes, to: "a.flac")
    try Tool.run("flac", "-s", "-t", folder.appending("a.flac").path)
    let list = String(decoding: try Tool.run("metaflac", "--list", folder.appending("a.flac").path), as: UTF8.self)
    return list.split(separator: "\n").filter { $0.hasPrefix("  type:") }.map { String($0.split(separator: " ")[1]) }
  }

  @Test func `padding gives way, so that frames stay where they are`() throws {
    var file = try Self.fixture("--add-padding=600")
    for values in [["a"], [String(repeating: "b", count: 500)], [], ["c", "d"]] {
      #expect(TaggedFile.keepsPlaces(try file.edit(.set("MOOD", values))))
      #expect(try Self.blocks(file).last == "1")
    }
    file.undoAll()
  }

  @Test func `without padding the file grows, and gets some`() throws {
    var file = try Self.fixture("--remove", "--block-type=PADDING")
    #expect(!(try Self.blocks(file)).contains("1"))
    #expect(!TaggedFile.keepsPlaces(try file.edit(.set("MOOD", ["calm"]))))
    #expect(try Self.blocks(file).last == "1")
    #expect(TaggedFile.keepsPlaces(try file.edit(.set("MOOD", ["calm", "slow"]))))
  }

  @Test func `a block of comments with other bytes behind them is refused`() throws {
    var bytes = try Self.fixture().bytes
    var offset = 4
    while bytes[offset] & 0x7F != 4 { offset += 4 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3]) }
    let count = Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 20), at: offset + 4 + count)
    (bytes[offset + 2], bytes[offset + 3]) = (UInt8((count + 20) >> 8), UInt8((count + 20) & 0xFF))
    let file = TaggedFile(bytes)
    #expect(file.refusal(.set("TITLE", ["x"])) == .malformed("the comment block is longer than its comments"))
  }

  @Test func `a new block of comments says what ID3v2 in front of the file says`() throws {
    let bytes = try Self.fixture("--remove", "--block-type=VORBIS_COMMENT").bytes
    let frames = TagBytes.textFrame("TIT2", "Tide") + TagBytes.textFrame("TPE1", "Vale")
    var file = TaggedFile(TagBytes.id3v2(frames) + bytes)
    try file.edit(.set("ALBUM", ["Tides"]), .set("TITLE", ["Ebb"]))
    let read = try Mutagen.read(file.bytes, named: "a.flac")
    #expect(read["TITLE"] == ["Ebb"] && read["ARTIST"] == ["Vale"] && read["ALBUM"] == ["Tides"])
    #expect(try SurroundingTags(file.buffered).tags[0].properties()["TITLE"] == ["Ebb"])
    file.undoAll()
  }

  @Test func `names keep their case and their order, and odd comments stay`() throws {
    var file = try Self.fixture(
      "--remove-all-tags", "--set-tag=Title=Tide", "--set-tag=artist=A", "--set-tag=EMPTY=",
      "--set-tag=ARTIST=B", "--set-tag=PERFORMER:VIOLIN=Nora")
    try file.edit(.set("ARTIST", ["C", "D", "E"]), .set("TITLE", ["Ebb"]))
    let folder = try TemporaryFolder()
    try folder.write(file.bytes, to: "a.flac")
    let exported = try Tool.run("metaflac", "--export-tags-to=-", folder.appending("a.flac").path)
    #expect(
      String(decoding: exported, as: UTF8.self) == """
        Title=Ebb
        artist=C
        EMPTY=
        ARTIST=D
        ARTIST=E
        PERFORMER:VIOLIN=Nora

        """)
    try file.edit(.set("PERFORMER", ["Nora (viola)"]))
    #expect(try file.properties()["PERFORMER"] == ["Nora (viola)"])
  }

  @Test func `tags of other kinds around it follow, and only what they have`() throws {
    let flac = try Self.fixture().bytes
    let id3 = TagBytes.id3v2(TagBytes.textFrame("TIT2", "Tide") + TagBytes.textFrame("TXXX", "OWN\0x"))
    var file = TaggedFile(id3 + flac + TagBytes.id3v1(title: "Tide", artist: "", album: "", year: "", genre: 255))
    try file.edit(.set("TITLE", ["Ebb"]), .set("ALBUM", ["Tides"]))
    let tags = try SurroundingTags(file.buffered).tags
    #expect(try tags.map { try $0.properties()["TITLE"] } == [["Ebb"], ["Ebb"]])
    #expect(try tags[0].properties()["ALBUM"].isEmpty)
    try file.edit(.remove("TITLE"))
    #expect(try file.properties()["TITLE"] == nil)
  }

  @Test func `of two blocks of comments the first one gets what is new`() throws {
    let bytes = try Self.fixture().bytes
    let comment = Array("ALBUM=Other".utf8)
    let list =
      UInt32(1).littleEndianBytes + [65] + UInt32(1).littleEndianBytes + UInt32(comment.count).littleEndianBytes
      + comment
    let block = [4] + UInt32(list.count).bigEndianBytes.dropFirst() + list
    // Behind STREAMINFO; the fixture's own block becomes the second one.
    var file = TaggedFile(Array(bytes[..<42]) + block + bytes[42...])
    try file.edit(.set("ALBUM", ["Tides"]), .set("MOOD", ["calm"]))
    #expect(try file.properties()["ALBUM"] == ["Tides"])
    #expect(try file.properties()["MOOD"] == ["calm"])
    file.undoAll()
  }

  @Test func `damaged blocks and blocks that are too long are refused`() throws {
    let file = try Self.fixture()
    let text = String(repeating: "x", count: 1 << 24)
    #expect(file.refusal(.set("LYRICS", [text])) == .tooLong("a FLAC block of more than 16 MiB"))
    #expect(file.refusal(.set("A=B", ["x"]))?.code == "value")
    var damaged = file
    damaged.bytes[5] = 1
    #expect(damaged.refusal(.set("TITLE", ["x"])) != nil)
  }
}
