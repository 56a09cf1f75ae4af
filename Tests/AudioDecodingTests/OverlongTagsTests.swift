import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Tags that claim more bytes than there are: they give what they have, and the sound behind them is whole.
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

  @Test(arguments: tags.keys.sorted())
  func `the sound behind a tag that claims too much is whole, and what the tag has is read`(_ what: String) throws {
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

  @Test(arguments: [UInt32(17), 128, 1 << 20, .max])
  func `an APE tag behind the sound that claims more than the file is no tag`(_ size: UInt32) throws {
    let foot =
      Array("APETAGEX".utf8) + littleEndian(UInt32(2000)) + littleEndian(size) + littleEndian(UInt32(1))
      + littleEndian(UInt32(0)) + [UInt8](repeating: 0, count: 8)
    try folder.write(MPEGBytes.silentFrames(20) + foot, to: "a.mp3")
    #expect(try DecodedFile(folder.appending("a.mp3")).frameCount >= 18 * MPEGBytes.samplesPerFrame)
    #expect(try OpenFile(folder.appending("a.mp3")).tags().tags.isEmpty)
  }
}
