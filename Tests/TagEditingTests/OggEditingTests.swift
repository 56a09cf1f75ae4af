import AudioDecoding
import Base
import Foundation
@testable import TagEditing
import Testing
import TestSupport

/// Pages of Ogg: they stay as they are as long as they can.
struct OggEditingTests {
  private static func fixture(_ name: String) throws -> TaggedFile {
    TaggedFile([UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: name))))
  }

  private static func pages(_ file: TaggedFile) throws -> [OggPage] {
    var scanner = OggPageScanner(file.buffered, range: 0..<Int64(file.bytes.count))
    var pages: [OggPage] = []
    while let page = try scanner.next() { pages.append(page) }
    return pages
  }

  /// What all packets of a page are made into, with a checksum.
  private static func sealed(_ page: [UInt8]) -> [UInt8] {
    var page = page
    page.replaceSubrange(22..<26, with: page.withUnsafeBytes { OggChecksum.ofPage($0) }.littleEndianBytes)
    return page
  }

  @Test(arguments: [
    "audio/星屑電機/夜の配線/01 真空管.ogg", "audio/صدى البحر/موجات/02 الجزر.opus", "formats/Every Connector/14 Jack.spx",
  ])
  func `shorter comments are padded, so that nothing moves`(name: String) throws {
    var file = try Self.fixture(name)
    let title = try #require(try file.properties()["TITLE"]?.first)
    try file.edit(.set("TITLE", [title + " and much more of it"]))
    let plan = try file.edit(.set("TITLE", [title]))
    #expect(TaggedFile.keepsPlaces(plan))
    #expect(plan.writtenByteCount < 2000)
  }

  @Test(arguments: [
    "audio/星屑電機/夜の配線/01 真空管.ogg", "audio/صدى البحر/موجات/02 الجزر.opus",
    "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga",
  ])
  func `many more comments take more pages, and all others are renumbered`(name: String) throws {
    var file = try Self.fixture(name)
    let before = try Self.pages(file)
    try file.edit(
      .set("LYRICS", [String(repeating: "La la la\n", count: 7000)]), .set("TITLE", ["夜"]),
      .set("COMMENT", [String(repeating: "la ", count: 5000)]))
    let after = try Self.pages(file)
    #expect(after.count > before.count)
    #expect(after.map(\.sequence) == (0..<UInt32(after.count)).map { $0 })
    #expect(after.last?.granule == before.last?.granule)
    let read = try Mutagen.read(
      file.bytes, named: "a.\(name.hasSuffix("oga") ? "oga" : name.hasSuffix("opus") ? "opus" : "ogg")")
    #expect(read["TITLE"] == ["夜"])
    file.undoAll()
    #expect(try Self.pages(file).map(\.sequence) == before.map(\.sequence))
  }

  @Test func `what Opus keeps behind the comments is kept`() throws {
    var file = try Self.fixture("audio/صدى البحر/موجات/02 الجزر.opus")
    let page = try Self.pages(file)[1]
    try #require(page.lacing.count { $0 < 255 } == 1)
    // One byte whose lowest bit is set, and more (RFC 7845 section 5.2).
    let kept: [UInt8] = [1, 0, 7, 0, 9]
    let start = Int(page.offset)
    var body = Array(file.bytes[Int(page.bodyOffset)..<Int(page.bodyOffset) + page.bodyByteCount])
    while body.last == 0 { body.removeLast() }
    body += kept
    let lacing = [UInt8](repeating: 255, count: body.count / 255) + [UInt8(body.count % 255)]
    let made = Self.sealed(
      file.bytes[start..<start + 22] + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body)
    file = TaggedFile(Array(file.bytes[..<start]) + made + file.bytes[(start + page.byteCount)...])
    try file.edit(.set("TITLE", ["Ebb"]), .set("R128_TRACK_GAIN", ["-256"]), .remove("ALBUM"))
    let edited = try Self.pages(file)[1]
    let end = Int(edited.offset) + edited.byteCount
    #expect(Array(file.bytes[end - kept.count..<end]) == kept)
    #expect(try Mutagen.read(file.bytes, named: "a.opus")["R128_TRACK_GAIN"] == ["-256"])
  }

  /// The file with its first page of sound joined to the last one of headers, as encoders make it that care little for the standard.
  private static func joined(_ file: TaggedFile) throws -> TaggedFile {
    let pages = try pages(file)
    let first = try #require(pages.firstIndex { $0.granule ?? 0 > 0 })
    let (last, sound) = (pages[first - 1], pages[first])
    try #require(last.lacing.count + sound.lacing.count < 250)
    func head(_ page: OggPage, _ number: UInt32) -> [UInt8] {
      let start = Int(page.offset)
      return file.bytes[start..<start + 18] + number.littleEndianBytes + [0, 0, 0, 0]
    }
    func body(_ page: OggPage) -> ArraySlice<UInt8> {
      file.bytes[Int(page.bodyOffset)..<Int(page.bodyOffset) + page.bodyByteCount]
    }
    // The position is that of the sound.
    var start = head(last, last.sequence)
    start.replaceSubrange(6..<14, with: head(sound, 0)[6..<14])
    let lacing = last.lacing + sound.lacing
    var bytes = Array(file.bytes[..<Int(last.offset)])
    bytes += sealed(start + [UInt8(lacing.count)] + lacing + body(last) + body(sound))
    for page in pages[(first + 1)...] {
      bytes += sealed(head(page, page.sequence - 1) + [UInt8(page.lacing.count)] + page.lacing + body(page))
    }
    return TaggedFile(bytes)
  }

  @Test(
    .enabled(if: Mutagen.isThere, Mutagen.absence), arguments: [10, 20_000, 30_000])
  func `sound on a page of headers stays in its packets and at its position`(count: Int) throws {
    var file = try Self.joined(Self.fixture("audio/星屑電機/夜の配線/01 真空管.ogg"))
    let before = try Self.pages(file)
    try file.edit(.set("TITLE", ["夜"]), .set("COMMENT", [String(repeating: "la", count: count)]))
    let after = try Self.pages(file)
    #expect(after.map(\.sequence) == (0..<UInt32(after.count)).map { $0 })
    #expect(after.compactMap(\.granule).filter { $0 > 0 } == before.compactMap(\.granule).filter { $0 > 0 })
    #expect(count > 10 || after.count == before.count)
    #expect(try Mutagen.read(file.bytes, named: "a.ogg")["TITLE"] == ["夜"])
    file.undoAll()
    #expect(try Self.pages(file).map(\.offset) == before.map(\.offset))
  }

  @Test func `several streams are refused`() throws {
    let file = try Self.fixture("audio/星屑電機/夜の配線/01 真空管.ogg")
    let other = try Self.fixture("audio/صدى البحر/موجات/02 الجزر.opus")
    let (first, second) = (try Self.pages(file)[0], try Self.pages(other)[0])
    let mixed = TaggedFile(
      Array(file.bytes[..<first.byteCount]) + other.bytes[..<second.byteCount] + file.bytes[first.byteCount...])
    #expect(mixed.refusal(.set("TITLE", ["Ebb"])) == .unsafe("the Ogg file has several streams"))
  }
}
