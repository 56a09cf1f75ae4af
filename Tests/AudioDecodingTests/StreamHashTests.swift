import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The hash of the stream, which changes when the recording does, and not when its tags do.
struct StreamHashTests {
  private let folder: TemporaryFolder
  private static let mp3 = Corpora.fixtures.appending(path: "damaged/clean.mp3")
  private static let flac = Corpora.fixtures.appending(path: "damaged/length-unknown.flac")
  private static let vorbis = Corpora.fixtures.appending(path: "audio/星屑電機/夜の配線/02 配線図.ogg")
  private static let wav = Corpora.fixtures.appending(
    path: "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav")

  init() throws { folder = try TemporaryFolder() }

  private func hash(_ url: URL) throws -> ContentHash { try OpenFile(url).streamHash() }

  private func hash(_ bytes: [UInt8], named name: String) throws -> ContentHash {
    try folder.write(bytes, to: name)
    return try hash(folder.appending(name))
  }

  @Test func `tags around an MPEG stream do not count`() throws {
    let audio = [UInt8](try Data(contentsOf: Self.mp3))
    let expected = try hash(Self.mp3)
    let id3v2: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let id3v1: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    let item: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0] + Array("Title".utf8) + [0, 0x41]
    let foot: [UInt8] = [0xD0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
    let ape = item + Array("APETAGEX".utf8) + foot
    #expect(try hash(id3v2 + audio, named: "a.mp3") == expected)
    #expect(try hash(audio + id3v1, named: "a.mp3") == expected)
    #expect(try hash(audio + ape, named: "a.mp3") == expected)
    #expect(try hash(id3v2 + audio + ape + id3v1, named: "a.mp3") == expected)
    for name in ["tags-behind", "hostile-tags", "tag-beyond-the-end", "cbr-without-xing", "lying-xing", "junk-before"] {
      #expect(try hash(Corpora.fixtures.appending(path: "damaged/\(name).mp3")) == expected, "\(name)")
    }
  }

  @Test func `one bit of the stream counts in every format`() throws {
    for url in [Self.mp3, Self.flac, Self.wav] {
      let name = url.lastPathComponent
      var bytes = [UInt8](try Data(contentsOf: url))
      let expected = try hash(bytes, named: name)
      bytes[bytes.count / 2] ^= 1
      #expect(try hash(bytes, named: name) != expected, "\(name)")
    }
  }

  @Test func `the same bytes in another format are another recording`() throws {
    let data = ChunkBytes.chunk("data", [UInt8](repeating: 0, count: 64_000))
    let formats = [
      ChunkBytes.format(), ChunkBytes.format(sampleRateInHz: 16_000), ChunkBytes.format(channelCount: 2),
      ChunkBytes.format(bitsPerSample: 32), ChunkBytes.format(isFloat: true, bitsPerSample: 32),
    ]
    let hashes = try formats.map { try hash(ChunkBytes.riff(ChunkBytes.chunk("fmt ", $0), data), named: "a.wav") }
    #expect(Set(hashes).count == formats.count)
    let between = ChunkBytes.chunk("JUNK", [1, 2, 3, 4])
    #expect(try hash(ChunkBytes.riff(ChunkBytes.chunk("fmt ", formats[0]), between, data), named: "b.wav") == hashes[0])
  }

  @Test func `a file under another name has the same hash`() throws {
    #expect(try hash([UInt8](try Data(contentsOf: Self.flac)), named: "other.mp3") == hash(Self.flac))
  }

  @Test func `FLAC after an ID3v2 tag has the hash and the samples of FLAC alone`() throws {
    let id3v2: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let plain = try DecodedFile(Self.flac)
    #expect(try hash(id3v2 + [UInt8](try Data(contentsOf: Self.flac)), named: "a.flac") == hash(Self.flac))
    let decoded = try DecodedFile(folder.appending("a.flac"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.samples == plain.samples)
  }

  @Test(.enabled(if: Tool.exist("metaflac"), "metaflac is not installed"))
  func `retagging FLAC with other tags, pictures and padding does not change the hash`() throws {
    let copy = folder.appending("a.flac")
    try FileManager.default.copyItem(at: Self.flac, to: copy)
    try Tool.run("chmod", "u+w", copy.path)
    let expected = try hash(Self.flac)
    try Tool.run(
      "metaflac", "--set-tag=TITLE=Another", "--set-tag=COMMENT=" + String(repeating: "x", count: 9000), copy.path)
    #expect(try hash(copy) == expected)
    try Tool.run("metaflac", "--remove-all", "--dont-use-padding", copy.path)
    #expect(try hash(copy) == expected)
  }

  @Test(.enabled(if: Tool.exist("vorbiscomment"), "vorbiscomment is not installed"))
  func `retagging Vorbis does not change the hash, although its pages are cut differently`() throws {
    let copy = folder.appending("a.ogg")
    let text = String(repeating: "long ", count: 30_000)
    try folder.write(Array("TITLE=Another\nCOMMENT=\(text)\n".utf8), to: "tags")
    try Tool.run("vorbiscomment", "-R", "-w", "-c", folder.appending("tags").path, Self.vorbis.path, copy.path)
    #expect(try hash(copy) == hash(Self.vorbis))
    #expect(try DecodedFile(copy).samples == DecodedFile(Self.vorbis).samples)
  }

  @Test(
    .enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"),
    arguments: [Self.mp3, Self.flac, Self.vorbis, Self.wav, Corpora.fixtures.appending(path: "damaged/chained.ogg")])
  func `copying the stream with other metadata does not change the hash`(_ url: URL) throws {
    let copy = folder.appending("copy.\(url.pathExtension)")
    // Only the first stream of a chain is copied, which is another recording.
    let isChain = url.lastPathComponent == "chained.ogg"
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", url.path, "-map", "0:a", "-c", "copy", "-metadata", "title=Another", "-metadata",
      "artist=Somebody", copy.path)
    #expect(try (hash(copy) == hash(url)) == !isChain)
  }
}
