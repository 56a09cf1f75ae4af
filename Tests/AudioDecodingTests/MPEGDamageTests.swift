import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Streams of MPEG frames with something wrong among them, made by hand.
struct MPEGDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// MPEG-1 layer III, 32 kbit/s, 44.1 kHz, with nothing in it.
  private static func frame(isMono: Bool) -> [UInt8] {
    [0xFF, 0xFB, 0x10, isMono ? 0xC0 : 0x00] + [UInt8](repeating: 0, count: 100)
  }

  private func decode(_ bytes: [UInt8]) throws -> DecodedFile {
    try folder.write(bytes, to: "a.mp3")
    return try DecodedFile(folder.appending("a.mp3"))
  }

  private static func frames(_ count: Int, isMono: Bool = true) -> [UInt8] {
    (0..<count).flatMap { _ in frame(isMono: isMono) }
  }

  @Test(arguments: [1, 2])
  func `a few frames of another shape are damage, and the recording goes on behind them`(_ count: Int) throws {
    let decoded = try decode(Self.frames(10) + Self.frames(count, isMono: false) + Self.frames(10))
    #expect(decoded.format.channelCount == 1)
    #expect(decoded.frameCount == 20 * 1152)
    #expect(decoded.outcome.problem?.code == "junk")
    #expect(decoded.outcome.problem?.positionInSeconds == Double(10 * 1152) / 44_100)
  }

  @Test func `a change of channels that lasts ends the recording at its position`() throws {
    let decoded = try decode(Self.frames(10) + Self.frames(10, isMono: false))
    #expect(decoded.frameCount == 10 * 1152)
    #expect(decoded.outcome.problem?.code == "parameters-change")
    #expect(decoded.outcome.problem?.reason.contains("at frame 11520") == true)
  }

  @Test(arguments: [1, 700, 5000])
  func `a seek across junk arrives at the samples of a whole decode`(_ junkByteCount: Int) throws {
    let music = Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")
    let bytes = [UInt8](try Data(contentsOf: music))
    // Half a frame is lost, which is where the junk begins.
    try folder.write(bytes[..<5000] + [UInt8](repeating: 0x55, count: junkByteCount) + bytes[5000...], to: "b.mp3")
    let file = try OpenFile(folder.appending("b.mp3"))
    let decoder = try file.decoder()
    let whole = try decoder.readAll()
    #expect(decoder.outcome.state == .damaged)
    for frame in [0, 20_000, 25_001, 60_000] {
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(3000) == Array(whole[frame..<frame + 3000]))
    }
  }

  @Test func `byte order marks of a tag that never ends are not frames of layer I`() throws {
    let text: [UInt8] = [0x01, 0xFF, 0xFE, 0x4C, 0x00, 0x65, 0x00]
    let bytes = Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + (0..<2000).flatMap { _ in text }
    let error = #expect(throws: DecodingError.self) { try decode(bytes) }
    #expect(error?.state == .damaged)
    #expect(error?.problem.reason.contains("tag longer than the file") == true)
  }

  @Test func `a file cut within its first frame names the format`() throws {
    let error = #expect(throws: DecodingError.self) { try decode([0xFF, 0xFB, 0x90]) }
    #expect(error?.state == .damaged)
    #expect(error?.problem.reason.contains("MPEG frame") == true)
  }
}
