import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Lengths in frames, compared with the formats' own tools.
struct ExactLengthTests {
  private static func all(_ extensions: String...) -> [URL] {
    let waveforms = Corpora.root.flatMap {
      FileManager.default.enumerator(at: $0.appending(path: "waveforms"), includingPropertiesForKeys: nil)
    }
    let others = (waveforms?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }
    return Corpora.fixtureFiles(in: "audio", endingIn: Set(extensions)) + others.sorted { $0.path < $1.path }
  }

  /// Bytes of raw PCM that a tool writes.
  private func length(_ tool: String, _ arguments: [String]) throws -> Int {
    try #require(Tool(tool)).run(arguments).count
  }

  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"), arguments: all("flac", "oga"))
  func `FLAC is as long as flac decodes it, and sounds the same`(_ url: URL) throws {
    let decoded = try DecodedFile(url, verifiesChecksum: true)
    let bytes = (try #require(decoded.mediaFormat.bitsPerSample) + 7) / 8
    let container = url.pathExtension == "oga" ? ["--ogg"] : []
    let arguments = ["-d", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed"]
    #expect(try length("flac", arguments + container + [url.path]) == decoded.samples.count * bytes)
    #expect(decoded.outcome.state == .ok)
  }

  @Test(.enabled(if: Tool.exist("oggdec"), "oggdec is not installed"), arguments: all("ogg"))
  func `Vorbis is as long as oggdec decodes it, and sounds the same`(_ url: URL) throws {
    let decoded = try DecodedFile(url)
    let raw = try #require(Tool("oggdec")).run(["-Q", "-R", "-b", "16", "-o", "-", url.path])
    #expect(raw.count == decoded.samples.count * 2)
    let reference = raw.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int32(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
    }
    #expect(!zip(decoded.integers(bits: 16), reference).contains { abs($0 - $1) > 1 })
  }

  @Test(.enabled(if: Tool.exist("mpg123"), "mpg123 is not installed"), arguments: all("mp3", "mp2"))
  func `MPEG audio is as long as mpg123 decodes it without gaps`(_ url: URL) throws {
    let decoded = try DecodedFile(url)
    let count = try length("mpg123", ["-q", "--gapless", "-e", "s16", "-s", url.path])
    #expect(count == decoded.samples.count * 2)
  }

  // Faults: 27
  @Test(arguments: all("opus"))
  func `Opus is as long as its granules say`(_ url: URL) throws {
    let pages = try OggPages(url)
    let last = try #require(pages.offsets.last)
    let granule = (0..<8).reduce(0) { $0 | Int(pages.bytes[last + 6 + $1]) << (8 * $1) }
    // The first packet is after the page header with one lacing value.
    let delay = Int(pages.bytes[28 + 10]) | Int(pages.bytes[28 + 11]) << 8
    let decoded = try DecodedFile(url)
    #expect(decoded.mediaFormat.declaredFrameCount == Int64(granule - delay))
    #expect(decoded.mediaFormat.delayFrameCount == delay)
    // A last granule after the end of the packets is damage.
    #expect((decoded.frameCount == granule - delay) == (decoded.outcome.state == .ok))
  }

  @Test(.enabled(if: Tool.exist("sox"), "SoX is not installed"), arguments: all("wav", "aiff", "au", "w64", "caf"))
  func `PCM is as long as SoX decodes it, and sounds the same`(_ url: URL) throws {
    let decoded = try DecodedFile(url)
    let raw = try #require(Tool("sox")).run(["-D", url.path, "-t", "raw", "-e", "float", "-b", "32", "-"])
    #expect(raw.count == decoded.samples.count * 4)
    let reference = raw.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    #expect(!zip(decoded.samples, reference).contains { abs($0 - $1) > 1 / 8_388_608 })
  }
}
