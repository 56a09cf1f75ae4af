import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Text that tags hold in spite of their standards (ID3v2.4 made by hand, in front of half a second of silence).
struct TagTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ frames: [UInt8]) throws -> TagReading {
    try folder.write(TagBytes.id3v2(frames) + MPEGBytes.silentFrames(20), to: "a.mp3")
    return try OpenFile(folder.appending("a.mp3")).tags()
  }

  @Test func `half a surrogate pair becomes a replacement character, and the rest of the text stays`() throws {
    let units: [UInt16] = [0x0041, 0xD83D, 0x0042, 0xDE00, 0x0043, 0xD83D, 0xDE00]
    let text = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try read(TagBytes.textFrame("TIT2", .utf16BigEndian, text)).tags["TITLE"] == ["A\u{FFFD}B\u{FFFD}C😀"])
  }

  @Test func `a value of nothing but space is no value`() throws {
    let reading = try read(
      TagBytes.textFrame("TIT2", .utf8, Array("  \t ".utf8)) + TagBytes.textFrame("TPE1", .utf8, Array(" Duo ".utf8)))
    #expect(reading.tags.properties == [Tags.Property(name: "ARTIST", values: [" Duo "])])
  }

  @Test func `values behind one another are several values`() throws {
    let reading = try read(TagBytes.textFrame("TPE1", .utf8, Array("One\0Two\0\0Three".utf8)))
    #expect(reading.tags["ARTIST"].filter { !$0.isEmpty } == ["One", "Two", "Three"])
  }

  @Test func `Latin-1 that is UTF-8 in truth is text all the same`() throws {
    let title = try #require(try read(TagBytes.textFrame("TIT2", .latin1, [0x42, 0xF6, 0xFF])).tags["TITLE"].first)
    #expect(title == "Böÿ")
  }

  @Test func `a very long value is cut between characters and said to be`() throws {
    let reading = try read(TagBytes.textFrame("TIT2", .utf8, Array(String(repeating: "ü", count: 100_001).utf8)))
    let title = try #require(reading.tags["TITLE"].first)
    #expect(title.utf8.count <= 64 << 10)
    #expect(title.allSatisfy { $0 == "ü" })
    #expect(reading.notes == ["truncated-tags"])
  }

  @Test func `no more than ten thousand values are kept, and that is said`() throws {
    let many = Array((0..<12_000).map { "v\($0)" }.joined(separator: "\0").utf8)
    let reading = try read(TagBytes.textFrame("TPE1", .utf8, many))
    #expect(reading.tags["ARTIST"].count == 10_000)
    #expect(reading.notes == ["truncated-tags"])
  }

  private static func units(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? bigEndian($0) : littleEndian($0) }
  }

  /// The standard asks for a mark in front of UTF-16, and TagLib leaves out what has none.
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
  func `UTF-16 of less than a character is no value`(_ text: [UInt8]) throws {
    let reading = try read(TagBytes.textFrame("TIT2", .utf16, text) + TagBytes.textFrame("TALB", "Both"))
    #expect(reading.tags.properties == [Tags.Property(name: "ALBUM", values: ["Both"])])
  }

  @Test(arguments: [[0xFF, 0xFE] + units("title"), [0xFE, 0xFF] + units("title", isBigEndian: true)] as [[UInt8]])
  func `half a unit at the end of UTF-16 is dropped`(_ text: [UInt8]) throws {
    #expect(try read(TagBytes.textFrame("TIT2", .utf16, text + [0x78])).tags["TITLE"] == ["title"])
    #expect(try read(TagBytes.textFrame("TIT2", .utf16, text)).tags["TITLE"] == ["title"])
  }

  /// TagLib leaves out what is not in the encoding that it claims.
  @Test func `Latin-1 that claims to be UTF-8 keeps what is readable of it`() throws {
    let reading = try read(
      TagBytes.textFrame("TIT2", .utf8, Array("Caf".utf8) + [0xE9, 0x20, 0x42])
        + TagBytes.textFrame("TPE1", .utf8, Array("One".utf8) + [0, 0xFF, 0x21]) + TagBytes.textFrame("TALB", "Both"))
    #expect(reading.tags["TITLE"] == ["Caf\u{FFFD} B"])
    #expect(reading.tags["ALBUM"] == ["Both"])
    #expect(reading.tags["ARTIST"].first == "One")
  }

  @Test func `a NUL inside ends a value, and never gets into one`() throws {
    let values = try read(TagBytes.textFrame("TIT2", .latin1, Array("one\0two".utf8))).tags["TITLE"]
    #expect(values.joined(separator: "|").hasPrefix("one"))
    #expect(!values.contains { $0.unicodeScalars.contains("\0") })
  }
}
