import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The test suite of the FLAC working group.
@Suite(.enabled(if: Corpora.root != nil, "\(Corpora.absence)"))
struct FLACCorpusTests {
  private static let folder = Corpora.root?.appending(path: "flac")

  private static func files(in name: String) -> [URL] {
    guard let folder = folder?.appending(path: name) else { return [] }
    let urls = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (urls ?? []).filter { $0.pathExtension == "flac" }.sorted { $0.path < $1.path }
  }

  /// The checksum of the samples as little-endian integers, as in the header (RFC 9639 section 8.2).
  private static func digest(_ decoded: DecodedFile) -> [UInt8] {
    let bits = decoded.mediaFormat.bitsPerSample ?? 16
    var bytes: [UInt8] = []
    bytes.reserveCapacity(decoded.samples.count * ((bits + 7) / 8))
    for sample in decoded.integers(bits: bits) {
      for byte in 0..<(bits + 7) / 8 { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * Int32(byte)))) }
    }
    return MD5.digest(of: bytes)
  }

  /// The checksum in STREAMINFO, which these files have as their first block.
  private static func promisedDigest(_ url: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: url).dropFirst(4 + 4 + 18).prefix(16))
  }

  @Test(arguments: files(in: "subset"))
  func `a file of the subset decodes to the samples of its checksum`(_ url: URL) throws {
    let decoded = try DecodedFile(url, verifiesChecksum: true)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes.isEmpty)
    #expect(Self.digest(decoded) == (try Self.promisedDigest(url)))
    if let declared = decoded.mediaFormat.declaredFrameCount { #expect(declared == Int64(decoded.frameCount)) }
  }

  @Test func `the subset is complete`() { #expect(Self.files(in: "subset").count == 36) }

  // Faults: 8
  @Test func `a file without a number of samples is intact and counted by decoding`() throws {
    let url = try #require(Self.files(in: "subset").first { $0.lastPathComponent.hasPrefix("45") })
    let decoded = try DecodedFile(url)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
    #expect(decoded.mediaFormat.decodedFrameCount == 336_410)
  }

  /// The result that a file of the corpus must have.
  struct Expectation: CustomTestStringConvertible {
    let name: String
    let code: String?
    let frameCount: Int
    /// A part of the reason.
    var mention = ""
    /// In frames.
    var position: Int?
    var testDescription: String { name }
  }

  @Test(arguments: [
    // The numbers of the frames count blocks of the size in the header, which is wrong.
    Expectation(name: "faulty/01", code: nil, frameCount: 101_999),
    Expectation(name: "faulty/02", code: nil, frameCount: 195_891),
    Expectation(name: "faulty/03", code: "header-contradicts", frameCount: 89_903),
    Expectation(name: "faulty/04", code: "header-contradicts", frameCount: 97_391),
    Expectation(
      name: "faulty/05", code: "longer-than-header", frameCount: 109_487,
      mention: "stream longer than header: 109487 frames instead of 39842", position: 39_842),
    Expectation(name: "faulty/06", code: "no-streaminfo", frameCount: 69_743),
    Expectation(name: "faulty/07", code: nil, frameCount: 106_031),
    Expectation(name: "faulty/08", code: nil, frameCount: 202_347),
    Expectation(name: "faulty/09", code: nil, frameCount: 41_519),
    Expectation(name: "faulty/10", code: nil, frameCount: 119_279),
    // A metadata block that claims to be longer than the file: the frames behind it are found.
    Expectation(name: "faulty/11", code: nil, frameCount: 64_559),
    Expectation(
      name: "uncommon/02", code: "parameters-change", frameCount: 147_456,
      mention: "parameters change at frame 147456 (to ", position: 147_456),
    Expectation(
      name: "uncommon/03", code: "parameters-change", frameCount: 180_224,
      mention: "parameters change at frame 180224 (to ", position: 180_224),
    Expectation(
      name: "uncommon/04", code: "parameters-change", frameCount: 139_264,
      mention: "parameters change at frame 139264 (to ", position: 139_264),
    Expectation(name: "uncommon/09", code: nil, frameCount: 105_083),
    // The rest of a stream that began hours before.
    Expectation(name: "uncommon/10", code: "no-streaminfo", frameCount: 664_669),
    // The same behind bytes that are no FLAC.
    Expectation(name: "uncommon/11", code: "no-streaminfo", frameCount: 568_394),
  ])
  // Faults: 9, 12
  func `a faulty or uncommon file gives the audio it has and says what is wrong`(_ expected: Expectation) throws {
    let parts = expected.name.split(separator: "/").map(String.init)
    let url = try #require(Self.files(in: parts[0]).first { $0.lastPathComponent.hasPrefix(parts[1]) })
    let decoded = try DecodedFile(url)
    #expect(decoded.outcome.problem?.code == expected.code)
    #expect(decoded.outcome.state == (expected.code == nil ? .ok : .damaged))
    #expect(decoded.frameCount == expected.frameCount)
    #expect(expected.mention.isEmpty || decoded.outcome.problem?.reason.contains(expected.mention) == true)
    if let position = expected.position {
      let seconds = Double(position) / Double(decoded.format.sampleRateInHz)
      #expect(decoded.outcome.problem?.positionInSeconds == seconds)
    }
  }
}
