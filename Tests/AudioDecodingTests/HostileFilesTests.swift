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
    /// nil where no decoder can be made.
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
    Expectation(
      name: "hugeclaim.wav", state: .damaged, code: "truncated", frameCount: 100, mention: "100 of 1073741820"),
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
    // Cut exactly between two chained streams, so that what is left is whole.
    Expectation(name: "trunc.ogg", state: .ok, code: nil, frameCount: 132_300),
    Expectation(name: "hole.ogg", state: .damaged, code: "missing-pages", frameCount: 41_984),
    Expectation(name: "hang.wv", state: .unsupported, code: "unsupported-codec", frameCount: nil, mention: "WavPack"),
    Expectation(name: "deep.m4a", state: .unsupported, code: "unsupported-codec", frameCount: nil),
    Expectation(name: "zero.xm", state: .unsupported, code: "unsupported-codec", frameCount: nil),
  ])
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

  @Test(arguments: ["midjunk.mp3", "trunc.flac", "trunc.mp3", "hole.ogg", "hugeclaim.wav"])
  func `damage comes with its position in the audio`(_ name: String) throws {
    let decoded = try DecodedFile(try Self.url(name))
    let position = try #require(decoded.outcome.problem?.positionInSeconds)
    let duration = try #require(decoded.mediaFormat.durationInSeconds)
    #expect((0...duration).contains(position))
  }

  @Test func `samples that are not finite are counted and given out as silence`() throws {
    let decoded = try DecodedFile(try Self.url("nan.wav"))
    #expect(decoded.outcome.nonFiniteSampleCount == 300)
    #expect(!decoded.samples.contains { !$0.isFinite })
  }

  @Test func `junk adds no sound to what it stands in front of`() throws {
    let clean = try DecodedFile(try Self.url("noxing.mp3"))
    #expect(try DecodedFile(try Self.url("junk100k.mp3")).samples == clean.samples)
  }
}
