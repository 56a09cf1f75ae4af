import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

// Faults: 159
/// Sound behind the end that a header of PCM gives, which is not decoded.
struct SurplusTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let rate = 8000
  private static let format = ChunkBytes.format(sampleRateInHz: rate)

  private static func samples(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { littleEndian(Int16(truncatingIfNeeded: $0 * 30)) }
  }

  private static func wav(_ bytes: [UInt8], claiming byteCount: Int) -> [UInt8] {
    ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", bytes, claiming: UInt32(byteCount)))
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] { littleEndian(number).reversed() }

  private static func bigChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(UInt32(body.count)) + body + [UInt8](repeating: 0, count: body.count & 1)
  }

  /// AIFF of 16 bits, mono, at 8 kHz.
  private static func aiff(_ bytes: [UInt8], frameCount: Int, dataByteCount: Int? = nil) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let common = bigChunk("COMM", big(Int16(1)) + big(UInt32(frameCount)) + big(Int16(16)) + rate)
    let sound =
      Array("SSND".utf8) + big(UInt32(8 + (dataByteCount ?? bytes.count))) + [UInt8](repeating: 0, count: 8) + bytes
    return Array("FORM".utf8) + big(UInt32(4 + common.count + sound.count)) + Array("AIFF".utf8) + common + sound
  }

  private static func au(_ bytes: [UInt8], byteCount: Int) -> [UInt8] {
    Array(".snd".utf8) + [24, UInt32(byteCount), 3, 8000, 1].flatMap { big(UInt32($0)) } + bytes
  }

  private static func caf(_ bytes: [UInt8], byteCount: Int) -> [UInt8] {
    let description = big(8000.0.bitPattern) + Array("lpcm".utf8) + [2, 2, 1, 1, 16].flatMap { big(UInt32($0)) }
    return Array("caff".utf8) + big(UInt16(1)) + big(UInt16(0)) + Array("desc".utf8) + big(Int64(32)) + description
      + Array("data".utf8) + big(Int64(4 + byteCount)) + big(UInt32(0)) + bytes
  }

  private static func wave64(_ bytes: [UInt8], byteCount: Int) -> [UInt8] {
    ChunkBytes.wave64Header(dataByteCount: byteCount, format: format) + bytes
  }

  private func judged(_ bytes: [UInt8], _ name: String = "a.wav") throws -> (DecodedFile, StreamDeclaration) {
    try folder.write(bytes, to: name)
    let url = folder.appending(name)
    let decoded = try DecodedFile(url)
    return (decoded, try OpenFile(url).identity().declaration)
  }

  struct Short: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let frameCount: Int
    var foundCount = 20_000
  }

  private static let short = [
    Short(testDescription: "AIFF", bytes: aiff(samples(20_000), frameCount: 1), frameCount: 1),
    Short(
      testDescription: "AIFF whose data is short, too",
      bytes: aiff(samples(20_000), frameCount: 10_000, dataByteCount: 20_000), frameCount: 10_000),
    Short(testDescription: "WAV", bytes: wav(samples(20_000), claiming: 20_000), frameCount: 10_000),
    Short(testDescription: "WAV of one frame", bytes: wav(samples(3000), claiming: 2), frameCount: 1, foundCount: 3000),
    Short(testDescription: "AU", bytes: au(samples(20_000), byteCount: 20_000), frameCount: 10_000),
    Short(testDescription: "CAF", bytes: caf(samples(20_000), byteCount: 20_000), frameCount: 10_000),
    Short(testDescription: "Wave64", bytes: wave64(samples(20_000), byteCount: 20_000), frameCount: 10_000),
  ]

  @Test(arguments: short) func `a header that gives far less than there is is damage`(_ short: Short) throws {
    let (decoded, declaration) = try judged(short.bytes)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.outcome.problem?.code == "longer-than-header")
    #expect(
      decoded.outcome.problem?.reason
        == "stream longer than header: \(short.foundCount) frames instead of \(short.frameCount)")
    #expect(decoded.outcome.problem?.positionInSeconds == Double(short.frameCount) / 8000)
    #expect(decoded.outcome.notes == ["header-lies"])
    #expect(!declaration.isSound)
    // As it always was: the header counts.
    #expect(decoded.frameCount == short.frameCount)
  }

  private static let remarkable = [
    Short(
      testDescription: "zeros", bytes: wav(samples(8000), claiming: 16_000) + [UInt8](repeating: 0, count: 60_000),
      frameCount: 8000),
    Short(testDescription: "a few frames", bytes: wav(samples(8000), claiming: 15_000), frameCount: 7500),
    Short(testDescription: "a few frames of AIFF", bytes: aiff(samples(8000), frameCount: 7990), frameCount: 7990),
    Short(
      testDescription: "zeros of AIFF",
      bytes: aiff(samples(8000) + [UInt8](repeating: 0, count: 60_000), frameCount: 8000), frameCount: 8000),
    Short(
      testDescription: "junk behind a chunk",
      bytes: wav(samples(8000), claiming: 16_000) + ChunkBytes.chunk("xtra", [1, 2, 3]) + [1, 2, 3, 4],
      frameCount: 8000),
  ]

  @Test(arguments: remarkable) func `a little more than the header gives, or padding, is a note`(_ short: Short) throws
  {
    let (decoded, declaration) = try judged(short.bytes)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == ["header-lies"])
    #expect(!declaration.isSound)
    #expect(decoded.frameCount == short.frameCount)
  }

  private static let tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", "Behind the sound"))

  private static let explained = [
    Short(testDescription: "nothing", bytes: wav(samples(8000), claiming: 16_000), frameCount: 8000),
    Short(
      testDescription: "chunks",
      bytes: wav(samples(8000), claiming: 16_000) + ChunkBytes.chunk("xtra", [1, 2, 3])
        + ChunkBytes.chunk("LIST", Array("INFO".utf8)), frameCount: 8000),
    Short(
      testDescription: "chunks of odd length without padding",
      bytes: wav(samples(8000), claiming: 16_000) + ChunkBytes.chunk("xtra", [1, 2, 3]).dropLast()
        + ChunkBytes.chunk("LIST", Array("INFO".utf8)), frameCount: 8000),
    Short(
      testDescription: "a chunk that is cut off",
      bytes: wav(samples(8000), claiming: 16_000) + ChunkBytes.chunk("LIST", samples(5000)).dropLast(4000),
      frameCount: 8000),
    Short(
      testDescription: "the name of a chunk", bytes: wav(samples(8000), claiming: 16_000) + Array("id3 ".utf8),
      frameCount: 8000),
    Short(testDescription: "a tag", bytes: wav(samples(8000), claiming: 16_000) + tag, frameCount: 8000),
    Short(
      testDescription: "a tag of APE",
      bytes: wav(samples(8000), claiming: 16_000) + TagBytes.ape([("Title", "Behind")]),
      frameCount: 8000),
    Short(testDescription: "one byte", bytes: wav(samples(8000), claiming: 16_000) + [7], frameCount: 8000),
    Short(
      testDescription: "AIFF with chunks",
      bytes: aiff(samples(8000), frameCount: 8000) + bigChunk("ID3 ", tag) + bigChunk("ANNO", [65, 66, 67]),
      frameCount: 8000),
    Short(
      testDescription: "CAF with a chunk",
      bytes: caf(samples(8000), byteCount: 16_000) + Array("info".utf8) + big(Int64(4)) + [0, 0, 0, 0],
      frameCount: 8000),
    Short(
      testDescription: "Wave64 with a chunk",
      bytes: wave64(samples(8000), byteCount: 16_000) + Array("junk".utf8) + [UInt8](repeating: 0, count: 12)
        + littleEndian(UInt64(32)) + [1, 2, 3, 4, 5, 6, 7, 8], frameCount: 8000),
    Short(testDescription: "AU with a tag", bytes: au(samples(8000), byteCount: 16_000) + tag, frameCount: 8000),
  ]

  @Test(arguments: explained) func `chunks and tags behind the data are nothing special`(_ short: Short) throws {
    let (decoded, declaration) = try judged(short.bytes)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == [])
    #expect(declaration.isSound)
    #expect(decoded.frameCount == short.frameCount)
  }

  @Test func `sound behind the data is not part of the stream`() throws {
    let (_, _) = try judged(Self.wav(Self.samples(10_000), claiming: 20_000), "whole.wav")
    let (_, _) = try judged(Self.wav(Self.samples(20_000), claiming: 20_000), "short.wav")
    let (whole, short) = try (
      OpenFile(folder.appending("whole.wav")).identity(), OpenFile(folder.appending("short.wav")).identity()
    )
    #expect(whole.hash == short.hash && whole.formerHash == short.formerHash)
    #expect(whole.declaration > short.declaration)
  }
}
