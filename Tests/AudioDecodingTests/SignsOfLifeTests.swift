import AudioDecoding
import Foundation
import Testing
import TestSupport

/// Somebody waits while a large file is opened on a slow disk: how it gets on must show.
struct SignsOfLifeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Walk: CustomTestStringConvertible {
    let testDescription: String
    /// Some 3 MiB, which are read in pieces of 256 KiB at most.
    let bytes: @Sendable () throws -> [UInt8]
  }

  private static let walks = [
    Walk(testDescription: "frames of MPEG") { MPEGBytes.silentFrames(30_000) },
    Walk(testDescription: "frames of MPEG in WAV") {
      let format = ChunkBytes.format().replacing([1, 0], with: [0x55, 0], maxReplacements: 1)
      return ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", MPEGBytes.silentFrames(30_000)))
    },
    Walk(testDescription: "pages of Ogg") {
      let chain = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/chained.ogg")))
      return (0...(3 << 20) / chain.count).flatMap { _ in chain }
    },
    Walk(testDescription: "FLAC without a frame") {
      FLACBytes.constant(frameCount: 1, sampleRateInHz: 8000).prefix(42) + [UInt8](repeating: 1, count: 3 << 20)
    },
  ]

  @Test(arguments: walks)
  func `a file that is walked to be opened gives signs of life on the way, and none when it is read`(
    _ walk: Walk
  ) throws {
    try folder.write(walk.bytes(), to: "a")
    let file = try OpenFile(folder.appending("a"))
    let media = try file.mediaFile()
    var signCount = 0
    let decoder = try media.makeDecoder { signCount += 1 }
    #expect(signCount >= 10)
    let openingCount = signCount
    _ = try decoder.readFrames(10_000)
    #expect(signCount == openingCount)
  }
}
