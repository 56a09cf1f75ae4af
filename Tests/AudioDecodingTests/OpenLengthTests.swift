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

  @Test(arguments: [UInt32(0), .max, 0x7FFF_F000], appended)
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
}
