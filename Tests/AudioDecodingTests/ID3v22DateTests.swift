import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

struct ID3v22DateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
  }

  private static func latin(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }

  /// With the mark of the byte order.
  private static func wide(_ text: String) -> [UInt8] {
    [1, 0xFF, 0xFE] + text.utf16.flatMap { littleEndian($0) } + [0, 0]
  }

  private func tags(_ frames: [UInt8]) throws -> Tags {
    let body = frames + Self.frame("TT2", Self.latin("Kept")) + [UInt8](repeating: 0, count: 30)
    let tag = Array("ID3".utf8) + [2, 0, 0] + TagBytes.synchsafe(body.count) + body
    // Without a single frame of audio behind it.
    try folder.write(tag + [UInt8](repeating: 0, count: 5000), to: "a.mp3")
    return try OpenFile(folder.appending("a.mp3")).tags().tags
  }

  @Test(arguments: [latin, wide])
  func `the day and month belong to the date`(_ text: @Sendable (String) -> [UInt8]) throws {
    let found = try tags(Self.frame("TYE", text("2010")) + Self.frame("TDA", text("0304")))
    #expect(found["DATE"] == ["2010-04-03"])
    #expect(found["TITLE"] == ["Kept"])
  }

  @Test(arguments: ["0000", "3213", "0013", "4", "abcd", "03-04", ""])
  func `an impossible day leaves the year`(_ day: String) throws {
    let found = try tags(Self.frame("TYE", Self.latin("2010")) + Self.frame("TDA", Self.latin(day)))
    #expect(found["DATE"] == ["2010"])
  }

  @Test func `a day without a year is nothing`() throws {
    #expect(try tags(Self.frame("TDA", Self.latin("0304")))["DATE"] == [])
  }
}
