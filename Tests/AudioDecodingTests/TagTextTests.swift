import AudioDecoding
import Foundation
import MediaModel
import TestSupport
import Testing

/// Text that tags hold in spite of their standards (ID3v2.4 made by hand, in front of half a second of silence).
struct TagTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private enum Encoding: UInt8 {
    case latin1, utf16, utf16BigEndian, utf8
  }

  private static func synchsafe(_ size: Int) -> [UInt8] { (0..<4).map { UInt8(size >> (21 - 7 * $0) & 0x7F) } }

  private static func frame(_ name: String, _ encoding: Encoding, _ text: [UInt8]) -> [UInt8] {
    Array(name.utf8) + synchsafe(text.count + 1) + [0, 0, encoding.rawValue] + text
  }

  /// MPEG-1 layer III at 32 kbit/s and 44.1 kHz: a header, then nothing.
  private static let silentFrames = (0..<20).flatMap { _ in
    [0xFF, 0xFB, 0x10, 0xC0] + [UInt8](repeating: 0, count: 100)
  }

  private func read(_ frames: [UInt8]) throws -> TagReading {
    try folder.write(
      Array("ID3".utf8) + [4, 0, 0] + Self.synchsafe(frames.count) + frames + Self.silentFrames, to: "a.mp3")
    return try OpenFile(folder.appending("a.mp3")).tags()
  }

  @Test func `half a surrogate pair becomes a replacement character, and the rest of the text stays`() throws {
    let units: [UInt16] = [0x0041, 0xD83D, 0x0042, 0xDE00, 0x0043, 0xD83D, 0xDE00]
    let text = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try read(Self.frame("TIT2", .utf16BigEndian, text)).tags["TITLE"] == ["A\u{FFFD}B\u{FFFD}C😀"])
  }

  @Test func `a value of nothing but space is no value`() throws {
    let reading = try read(
      Self.frame("TIT2", .utf8, Array("  \t ".utf8)) + Self.frame("TPE1", .utf8, Array(" Duo ".utf8)))
    #expect(reading.tags.properties == [Tags.Property(name: "ARTIST", values: [" Duo "])])
  }

  @Test func `values behind one another are several values`() throws {
    let reading = try read(Self.frame("TPE1", .utf8, Array("One\0Two\0\0Three".utf8)))
    #expect(reading.tags["ARTIST"].filter { !$0.isEmpty } == ["One", "Two", "Three"])
  }

  @Test func `Latin-1 that is UTF-8 in truth is text all the same`() throws {
    let title = try #require(try read(Self.frame("TIT2", .latin1, [0x42, 0xF6, 0xFF])).tags["TITLE"].first)
    #expect(title == "Böÿ")
  }

  @Test func `a very long value is cut between characters and said to be`() throws {
    let reading = try read(Self.frame("TIT2", .utf8, Array(String(repeating: "ü", count: 100_001).utf8)))
    let title = try #require(reading.tags["TITLE"].first)
    #expect(title.utf8.count <= 64 << 10)
    #expect(title.allSatisfy { $0 == "ü" })
    #expect(reading.notes == ["truncated-tags"])
  }

  @Test func `no more than ten thousand values are kept, and that is said`() throws {
    let many = Array((0..<12_000).map { "v\($0)" }.joined(separator: "\0").utf8)
    let reading = try read(Self.frame("TPE1", .utf8, many))
    #expect(reading.tags["ARTIST"].count == 10_000)
    #expect(reading.notes == ["truncated-tags"])
  }
}
