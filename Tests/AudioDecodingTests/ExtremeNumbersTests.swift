import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Lengths and positions so large that adding to them would overflow.
struct ExtremeNumbersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 16-bit mono at 8 kHz.
  private static let formatBody =
    littleEndian(UInt16(1)) + littleEndian(UInt16(1)) + littleEndian(UInt32(8000)) + littleEndian(UInt32(16_000))
    + littleEndian(UInt16(2)) + littleEndian(UInt16(16))
  private static let hundredFrames = [UInt8](repeating: 1, count: 200)

  @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 62])
  func `RF64 that claims to be endless gives the frames it has`(_ size: UInt64) throws {
    let sizes =
      littleEndian(size) + littleEndian(size) + littleEndian(size) + littleEndian(UInt32(0))
    try folder.write(
      Array("RF64".utf8) + littleEndian(UInt32.max) + Array("WAVEds64".utf8) + littleEndian(UInt32(28))
        + sizes
        + Array("fmt ".utf8) + littleEndian(UInt32(16)) + Self.formatBody + Array("data".utf8)
        + littleEndian(UInt32.max) + Self.hundredFrames, to: "a.rf64")
    let decoded = try DecodedFile(folder.appending("a.rf64"))
    #expect(decoded.frameCount == 100)
    #expect(decoded.outcome.problem?.code == "truncated")
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max), 1 << 62])
  func `Wave64 that claims to be endless gives the frames it has`(_ size: UInt64) throws {
    func identifier(_ name: String) -> [UInt8] { Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count) }
    try folder.write(
      identifier("riff") + [UInt8](repeating: 0, count: 8) + identifier("wave") + identifier("fmt ")
        + littleEndian(UInt64(40)) + Self.formatBody + identifier("data") + littleEndian(size)
        + Self.hundredFrames, to: "a.w64")
    let decoded = try DecodedFile(folder.appending("a.w64"))
    #expect(decoded.frameCount == 100)
    #expect(decoded.outcome.state == .damaged)
  }

  /// CAF of 16 bits, whose data never end.
  private func writeCAF(codec: String) throws {
    let description =
      bigEndian((8000.0).bitPattern) + Array(codec.utf8) + bigEndian(UInt32(0)) + bigEndian(UInt32(2))
      + bigEndian(UInt32(1)) + bigEndian(UInt32(1)) + bigEndian(UInt32(16))
    try folder.write(
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + bigEndian(Int64(32)) + description
        + Array("data".utf8) + bigEndian(Int64.max) + [0, 0, 0, 0] + Self.hundredFrames, to: "a.caf")
  }

  @Test func `ALAC in CAF that does not give its width is unsupported, not damaged`() throws {
    try writeCAF(codec: "alac")
    #expect(throws: DecodingError.unsupported(reason: "no decoder for ALAC of unknown width in CAF")) {
      try DecodedFile(folder.appending("a.caf"))
    }
  }

  @Test func `CAF that claims to be endless gives the frames it has`() throws {
    try writeCAF(codec: "lpcm")
    let decoded = try DecodedFile(folder.appending("a.caf"))
    #expect(decoded.frameCount == 100)
    #expect(decoded.outcome.state == .damaged)
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 7])
  func `an MP4 box that claims to be endless is no movie`(_ size: UInt64) throws {
    let bytes = bigEndian(UInt32(1)) + Array("ftyp".utf8) + bigEndian(size) + Self.hundredFrames
    try folder.write(bytes, to: "a.m4a")
    #expect(throws: DecodingError.unsupported(reason: "no movie box in MP4")) {
      try DecodedFile(folder.appending("a.m4a"))
    }
    #expect(try OpenFile(folder.appending("a.m4a")).payloadHash() == OpenFile(folder.appending("a.m4a")).payloadHash())
  }

  @Test(arguments: ["chained.ogg", "clean.opus"], [Int64.max, Int64.min, 1 << 60])
  func `an Ogg page with an impossible position damages the stream and no more`(_ name: String, _ granule: Int64) throws
  {
    let url =
      name == "chained.ogg"
      ? Corpora.fixtures.appending(path: "damaged/chained.ogg")
      : Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus")
    let original = try OggPages(url)
    #expect(original.offsets.count > 3)
    let whole = try DecodedFile(url)
    for number in [0, 1, 2, original.offsets.count / 2, original.offsets.count - 1] {
      var pages = original
      pages.setGranule(granule, ofPage: number)
      try folder.write(pages.bytes, to: name)
      let file = try OpenFile(folder.appending(name))
      let decoder = try file.decoder()
      let frameCount = try decoder.readAll().count / decoder.format.channelCount
      // Without the last position the last block is not cut.
      #expect((1...whole.frameCount + 8192).contains(frameCount))
      try decoder.seek(toFrame: .max)
      #expect(try decoder.readFrames(10).isEmpty)
    }
  }
}
