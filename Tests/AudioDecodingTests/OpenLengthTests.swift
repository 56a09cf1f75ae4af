import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// WAV files whose header leaves the length of the data open, as programs write them to a pipe.
struct OpenLengthTests {
  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  private static let samples = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private static func file(_ size: UInt32, bitsPerSample: Int = 16, _ samples: [UInt8] = samples) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(UInt32.max) + Array("WAVE".utf8)
      + ChunkBytes.chunk("fmt ", ChunkBytes.format(bitsPerSample: bitsPerSample)) + Array("data".utf8)
      + littleEndian(size) + samples
  }

  struct Appended: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
  }

  private static let appended = [
    Appended(
      testDescription: "ID3v1", bytes: TagBytes.id3v1(title: "a", artist: "b", album: "c", year: "1999", genre: 1)),
    Appended(testDescription: "APE", bytes: TagBytes.ape([("Title", "Another")])),
    Appended(
      testDescription: "id3 chunk", bytes: ChunkBytes.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "a")))),
    Appended(
      testDescription: "several chunks and tags",
      bytes: ChunkBytes.chunk("LIST", Array("INFOINAM".utf8) + littleEndian(UInt32(4)) + Array("abc\0".utf8))
        + ChunkBytes.chunk("bext", [UInt8](repeating: 7, count: 603)) + ChunkBytes.chunk("_PMX", [1, 2, 3])
        + ChunkBytes.chunk("ID3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "b")))
        + TagBytes.id3v1(title: "a", artist: "b", album: "c", year: "1999", genre: 1)),
    Appended(
      testDescription: "a large picture",
      bytes: ChunkBytes.chunk("id3 ", (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })),
    Appended(testDescription: "an empty chunk", bytes: ChunkBytes.chunk("JUNK", [])),
  ]

  @Test(arguments: [UInt32(0), .max, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFB4], appended)
  func `what is appended is not part of the stream`(_ size: UInt32, _ appended: Appended) throws {
    let bytes = Self.file(size)
    let plain = try files.identity(bytes)
    let samples = try files.decode(bytes).samples
    #expect(samples.count == 2000)
    let identity = try files.identity(bytes + appended.bytes)
    #expect(identity.hash == plain.hash)
    #expect(identity.byteCount == plain.byteCount)
    #expect(identity.declaration == plain.declaration)
    #expect(identity.formerHash != plain.formerHash)
    let decoded = try files.decode(bytes + appended.bytes)
    #expect(decoded.samples == samples)
    #expect(decoded.outcome.state == .ok)
  }

  @Test func `a byte that fills up to an even length is not a sample`() throws {
    let samples = [UInt8](repeating: 9, count: 3999)
    let plain = try files.identity(Self.file(0, bitsPerSample: 8, samples))
    let tagged = try files.identity(
      Self.file(0, bitsPerSample: 8, samples) + [0] + ChunkBytes.chunk("LIST", [1, 2, 3, 4]))
    #expect(tagged.hash == plain.hash)
  }

  @Test func `what looks like a chunk within the samples stays`() throws {
    var samples = Self.samples
    samples.replaceSubrange(1000..<1012, with: ChunkBytes.chunk("LIST", [1, 2, 3, 4]))
    #expect(try files.identity(Self.file(0, samples)).byteCount == 4000)
    samples.replaceSubrange(3000..<3008, with: Array("LIST".utf8) + littleEndian(UInt32(5000)))
    #expect(try files.identity(Self.file(0, samples)).byteCount == 4000)
  }

  @Test func `half a frame at the end does not count`() throws {
    let whole = try files.identity(Self.file(0))
    let more = try files.identity(Self.file(0, Self.samples + [1]))
    #expect(more.hash == whole.hash)
    #expect(more.formerHash != whole.formerHash)
  }

  @Test func `a file of which less is there than declared says so before it is decoded`() throws {
    let bytes = ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", Self.samples, claiming: 8000))
    let identity = try files.identity(bytes)
    #expect(!identity.declaration.isSound)
    #expect(try OpenFile(files.folder.appending("a")).decoder().ownProblem?.reason == "truncated: 2000 of 4000 frames")
  }

  /// What programs of others write to a pipe; opusdec and lame 0x7FFFFFFF, arecord 0x80000000 in WAV and 0xFFFFFFFE in AU.
  @Test(arguments: [0x7FFF_FFFF, 0x8000_0000, 0x7FFF_FFDA, 0xFFFF_FFFE, 0xFFFF_FF00, 0x7F00_0000] as [UInt32])
  func `the greatest length stands for the end of the file`(_ size: UInt32) throws {
    let decoded = try files.decode(Self.file(size))
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 2000)
    let head = [24, size, 3, 8000, 1].flatMap { bigEndian($0) }
    let sun = try files.decode(Array(".snd".utf8) + head + Self.samples)
    #expect(sun.outcome.state == .ok && sun.frameCount == 2000)
  }

  @Test func `a length that is merely large is not open`() throws {
    for size in [UInt32(0x7000_0000), 0x7FFE_0000, 0x8000_1000, 0xF000_0000] {
      #expect(try files.decode(Self.file(size)).outcome.state == .damaged, "\(size)")
    }
  }

  // MARK: Other containers

  private func chunks(_ type: String, _ common: [UInt8], size: UInt32, _ samples: [UInt8]) -> [UInt8] {
    Array("FORM".utf8) + bigEndian(UInt32(0)) + Array(type.utf8) + Array("COMM".utf8)
      + bigEndian(UInt32(common.count)) + common + Array("SSND".utf8) + bigEndian(size) + samples
  }

  private func annotation(_ text: String) -> [UInt8] {
    Array("ANNO".utf8) + bigEndian(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  /// 16 bits, one channel, 8000 Hz.
  private func common(frameCount: UInt32) -> [UInt8] {
    bigEndian(UInt16(1)) + bigEndian(frameCount) + bigEndian(UInt16(16)) + [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
  }

  /// FFmpeg writes zeros, SoX lengths that no file has; others set all bits.
  private static let openLengths: [(size: UInt32, frameCount: UInt32)] = [
    (0, 0), (0x7F00_0008, 0x3F80_0000), (UInt32.max, UInt32.max), (0, 2000), (8, 0),
  ]

  @Test(arguments: openLengths)
  func `AIFF whose length was never filled in goes to the end`(_ size: UInt32, _ frameCount: UInt32) throws {
    let data = [UInt8](repeating: 0, count: 8) + Self.samples
    let file = chunks("AIFF", common(frameCount: frameCount), size: size, data)
    let decoded = try files.decode(file)
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 2000)
    let plain = try files.identity(file)
    #expect(plain.byteCount == 4000)
    let tagged = annotation("written to a pipe!")
    #expect(try files.identity(file + tagged).hash == plain.hash)
  }

  @Test func `AIFF without frames in its header has those of its data, and none if the data is empty`() throws {
    let data = [UInt8](repeating: 0, count: 8) + Self.samples
    let decoded = try files.decode(chunks("AIFF", common(frameCount: 0), size: UInt32(data.count), data))
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 2000)
    let empty = [UInt8](repeating: 0, count: 8) + annotation("text")
    #expect(try files.decode(chunks("AIFF", common(frameCount: 0), size: 8, empty)).frameCount == 0)
  }

  /// Less than the header says is still damage.
  @Test func `AIFF that was cut off is not open`() throws {
    let data = [UInt8](repeating: 0, count: 8) + Self.samples
    let decoded = try files.decode(chunks("AIFF", common(frameCount: 5000), size: 10_008, data))
    #expect(decoded.outcome.problem?.reason == "truncated: 2000 of 5000 frames")
  }

  @Test(arguments: [UInt64(0), 24, 23, 0x7FFF_FFFF_FFFF_FFFF, .max])
  func `Wave64 whose length was never filled in goes to the end`(_ size: UInt64) throws {
    let rest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let format = ChunkBytes.format(bitsPerSample: 16)
    let head =
      Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
      + littleEndian(UInt64.max) + Array("wave".utf8) + rest + Array("fmt ".utf8) + rest
      + littleEndian(UInt64(24 + format.count)) + format
    let decoded = try files.decode(head + Array("data".utf8) + rest + littleEndian(size) + Self.samples)
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 2000)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg", "sh"), "ffmpeg is not installed"), arguments: ["aiff", "w64", "caf", "au"])
  func `what FFmpeg writes to a pipe is as long as its source`(_ format: String) throws {
    let music = try EncodedMusic()
    let (source, target) = (music.folder.appending("source.wav"), music.folder.appending("pipe.\(format)"))
    try Tool.run(
      "sh", arguments: ["-c", "ffmpeg -v error -i '\(source.path)' -f \(format) - | cat > '\(target.path)'"])
    let (piped, whole) = (try DecodedFile(target), try DecodedFile(source))
    #expect(piped.outcome.state == .ok && piped.samples == whole.samples)
  }
}
