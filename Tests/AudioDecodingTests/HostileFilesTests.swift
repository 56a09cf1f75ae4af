import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The crafted files that mislead libraries. Tags are not read here: some of these hang or crash the tag library.
@Suite(.enabled(if: Corpora.root != nil, "\(Corpora.absence)"))
struct HostileFilesTests {
  struct Expectation: CustomTestStringConvertible {
    let name: String
    let state: FileState
    let code: String?
    /// nil if no decoder can be made.
    let frameCount: Int?
    /// A part of the reason.
    var mention = ""
    var testDescription: String { name }
  }

  private static func url(_ name: String) throws -> URL {
    try #require(Corpora.root).appending(path: "hostile").appending(path: name)
  }

  @Test(arguments: [
    Expectation(name: "hugeclaim.flac", state: .damaged, code: "truncated", frameCount: 0),
    // As long as a header can say: its length was never filled in.
    Expectation(name: "hugeclaim.wav", state: .ok, code: nil, frameCount: 100),
    Expectation(
      name: "rate0.flac", state: .damaged, code: "impossible-header", frameCount: nil, mention: "sample rate of 0"),
    Expectation(
      name: "sr0.wav", state: .damaged, code: "impossible-header", frameCount: nil, mention: "sample rate of 0"),
    Expectation(
      name: "srmax.wav", state: .damaged, code: "impossible-header", frameCount: nil, mention: "4294967295 Hz"),
    Expectation(name: "ch0.wav", state: .damaged, code: "impossible-header", frameCount: nil, mention: "0 channels"),
    Expectation(
      name: "ch65535.wav", state: .damaged, code: "impossible-header", frameCount: nil, mention: "65535 channels"),
    Expectation(name: "nan.wav", state: .ok, code: nil, frameCount: 600),
    Expectation(
      name: "id3huge.mp3", state: .damaged, code: "truncated", frameCount: nil, mention: "tag longer than the file"),
    Expectation(name: "junk100k.mp3", state: .ok, code: nil, frameCount: 222_336),
    Expectation(name: "midjunk.mp3", state: .damaged, code: "junk", frameCount: 222_336, mention: "300000 bytes"),
    Expectation(name: "noxing.mp3", state: .ok, code: nil, frameCount: 222_336),
    Expectation(name: "noxing_vbr.mp3", state: .ok, code: nil, frameCount: 222_336),
    Expectation(
      name: "trunc.flac", state: .damaged, code: "truncated", frameCount: 3847, mention: "3847 of 41519 frames"),
    Expectation(
      name: "trunc.mp3", state: .damaged, code: "truncated", frameCount: 108_335, mention: "108335 of 220500 frames"),
    Expectation(name: "chain.ogg", state: .ok, code: nil, frameCount: 264_600),
    // Cut exactly between two chained streams, so that the rest is intact.
    Expectation(name: "trunc.ogg", state: .ok, code: nil, frameCount: 132_300),
    Expectation(name: "hole.ogg", state: .damaged, code: "missing-pages", frameCount: 132_300),
    Expectation(name: "hang.wv", state: .unsupported, code: "unsupported-codec", frameCount: nil, mention: "WavPack"),
    Expectation(name: "deep.m4a", state: .unsupported, code: "unsupported-codec", frameCount: nil),
    Expectation(name: "zero.xm", state: .damaged, code: "undecodable", frameCount: nil),
  ])
  // Faults: 6, 10, 11, 20, 22, 25, 41
  func `a hostile file ends with its state, its reason and the audio it has`(_ expected: Expectation) throws {
    do {
      let decoded = try DecodedFile(try Self.url(expected.name))
      #expect(decoded.outcome.state == expected.state)
      #expect(decoded.outcome.problem?.code == expected.code)
      #expect(expected.mention.isEmpty || decoded.outcome.problem?.reason.contains(expected.mention) == true)
      #expect(decoded.frameCount == expected.frameCount)
      #expect(decoded.mediaFormat.decodedFrameCount == Int64(decoded.frameCount))
    } catch let error as DecodingError {
      #expect(expected.frameCount == nil)
      #expect(error.state == expected.state)
      #expect(error.problem.code == expected.code)
      #expect(expected.mention.isEmpty || error.problem.reason.contains(expected.mention))
    }
  }

  @Test(arguments: ["midjunk.mp3", "trunc.flac", "trunc.mp3", "hole.ogg"])
  func `damage comes with its position in the audio`(_ name: String) throws {
    let decoded = try DecodedFile(try Self.url(name))
    let position = try #require(decoded.outcome.problem?.positionInSeconds)
    let duration = try #require(decoded.mediaFormat.durationInSeconds)
    #expect((0...duration).contains(position))
  }

  // Faults: 15
  @Test func `samples that are not finite are counted and become silence`() throws {
    let decoded = try DecodedFile(try Self.url("nan.wav"))
    #expect(decoded.outcome.nonFiniteSampleCount == 300)
    #expect(!decoded.samples.contains { !$0.isFinite })
  }

  // Faults: 22
  @Test func `junk before a stream adds no samples`() throws {
    let clean = try DecodedFile(try Self.url("noxing.mp3"))
    #expect(try DecodedFile(try Self.url("junk100k.mp3")).samples == clean.samples)
  }
}

/// Lengths and positions so large that adding to them would overflow.
struct ExtremeNumbersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 16-bit mono at 8 kHz.
  private static let formatBody =
    littleEndian(UInt16(1)) + littleEndian(UInt16(1)) + littleEndian(UInt32(8000)) + littleEndian(UInt32(16_000))
    + littleEndian(UInt16(2)) + littleEndian(UInt16(16))
  private static let hundredFrames = [UInt8](repeating: 1, count: 200)

  // Faults: 14
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
    // A length that no file has was never filled in.
    #expect(decoded.frameCount == 100 && decoded.outcome.problem?.code == nil)
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
    #expect((decoded.outcome.state == .ok) == (size > 1 << 62))
  }

  /// CAF of 16 bits, whose data has no end.
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
    #expect(decoded.outcome.state == .ok)
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 7])
  func `an MP4 box that claims to be endless is no movie`(_ size: UInt64) throws {
    let bytes = bigEndian(UInt32(1)) + Array("ftyp".utf8) + bigEndian(size) + Self.hundredFrames
    try folder.write(bytes, to: "a.m4a")
    #expect(throws: DecodingError.unsupported(reason: "no movie box in MP4")) {
      try DecodedFile(folder.appending("a.m4a"))
    }
    #expect(try OpenFile(folder.appending("a.m4a")).streamHash() == OpenFile(folder.appending("a.m4a")).streamHash())
  }

  // Faults: 27
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
