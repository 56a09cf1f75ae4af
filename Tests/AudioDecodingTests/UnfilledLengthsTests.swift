import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// WAV files whose writer could not come back to say how long they are.
struct UnfilledLengthsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let samples = (0..<1000).map { Int16($0 * 30) }

  private func decoded(claiming byteCount: UInt32) throws -> DecodedFile {
    let data = ChunkBytes.chunk("data", Self.samples.flatMap { littleEndian($0) }, claiming: byteCount)
    try folder.write(ChunkBytes.riff(ChunkBytes.chunk("fmt ", ChunkBytes.format()), data), to: "a.wav")
    return try DecodedFile(folder.appending("a.wav"))
  }

  /// What SoX writes for blocks of 2, 6, 65 and 4,095 bytes, and what others write.
  @Test(arguments: [0, .max, 0x7FFF_F000, 0x7FFF_EFFC, 0x7FFF_EFC2, 0x7FFF_EF81])
  func `a length that was never filled in reaches to the end`(byteCount: UInt32) throws {
    let decoded = try decoded(claiming: byteCount)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
    #expect(decoded.samples == Self.samples.map { Float($0) / 32_768 })
  }

  @Test(arguments: [0x7FFF_F002, 0x7FFF_E000, 0x7FFF_FFFE, 0xFFFF_FFFE, 4000])
  func `any other length beyond the end is a promise that is not kept`(byteCount: UInt32) throws {
    let decoded = try decoded(claiming: byteCount)
    #expect(decoded.outcome.problem?.code == "truncated")
    #expect(decoded.samples.count == 1000)
  }

  @Test(
    .enabled(if: Tool.exist("sox"), "SoX is not installed"),
    arguments: [
      ["-b", "16"], ["-b", "24", "-c", "6"], ["-e", "float", "-b", "32"], ["-e", "a-law"], ["-e", "ima-adpcm"],
    ])
  func `what SoX writes into a pipe is whole`(_ encoding: [String]) throws {
    let source = folder.appending("source.wav").path
    try Tool.run("sox", "-R", "-n", "-r", "22050", "-c", "2", "-b", "24", source, "synth", "0.5", "sine", "300-3000")
    // Where SoX knows the length in advance it writes it into a pipe, too; after this effect it does not.
    let effect = ["silence", "1", "0", "0%"]
    try Tool.run("sox", arguments: ["-D", source] + encoding + [folder.appending("file.wav").path] + effect)
    let bytes = try Tool.run("sox", arguments: ["-D", source] + encoding + ["-t", "wav", "-"] + effect)
    try #require(Array(bytes[6..<8]) == [0xFF, 0x7F])
    try folder.write(bytes, to: "pipe.wav")
    let (file, pipe) = try (DecodedFile(folder.appending("file.wav")), DecodedFile(folder.appending("pipe.wav")))
    #expect(pipe.outcome.state == .ok)
    // Of compressed blocks nobody says where in the last one the sound ends.
    #expect(pipe.samples.prefix(file.samples.count) == file.samples[...])
    #expect(encoding.contains("ima-adpcm") || pipe.samples.count == file.samples.count)
  }
}
