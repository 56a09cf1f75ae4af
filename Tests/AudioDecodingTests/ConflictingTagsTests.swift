import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Which of a file's tags counts where they disagree: the table of docs/tags.md.
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

  @Test(arguments: conflicts)
  func `each value is that of the best tag that has it`(_ conflict: Conflict) throws {
    try folder.write(conflict.bytes, to: "a.bin")
    let tags = try OpenFile(folder.appending("a.bin")).tags().tags
    #expect(Self.three.map { tags[$0] } == conflict.kinds.map { [$0] })
  }

  @Test func `several values of a name come from one tag, never from two`() throws {
    let bytes =
      TagBytes.id3v2(TagBytes.textFrame("TPE1", "One\0Two")) + MPEGBytes.silentFrames(20) + Self.id3v1(["ARTIST"])
    try folder.write(bytes, to: "a.mp3")
    #expect(try OpenFile(folder.appending("a.mp3")).tags().tags["ARTIST"] == ["One", "Two"])
  }

  @Test func `of two ID3v2 tags in front the first counts`() throws {
    try folder.write(
      Self.id3v2(Self.one, "first") + Self.id3v2(Self.two, "second") + MPEGBytes.silentFrames(20), to: "a.mp3")
    let tags = try OpenFile(folder.appending("a.mp3")).tags().tags
    #expect(tags["TITLE"] == ["first"])
  }
}
