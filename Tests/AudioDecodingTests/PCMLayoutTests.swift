import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// WAV files with chunks that come twice, too late or not at all.
struct ChunkOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let format = ChunkBytes.chunk("fmt ", ChunkBytes.format())
  private static let otherFormat = ChunkBytes.chunk("fmt ", ChunkBytes.format(channelCount: 2, sampleRateInHz: 48_000))
  private static let data = ChunkBytes.chunk("data", (0..<1000).flatMap { littleEndian(Int16($0 * 30)) })

  struct Order: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// nil if nothing is wrong.
    let reason: String?
  }

  private static let orders = [
    Order(testDescription: "as it should be", bytes: ChunkBytes.riff(format, data), reason: nil),
    Order(
      testDescription: "fmt twice, the same", bytes: ChunkBytes.riff(format, format, data),
      reason: "2 fmt chunks in WAV"
    ),
    Order(
      testDescription: "fmt twice, another one", bytes: ChunkBytes.riff(format, otherFormat, data),
      reason: "2 fmt chunks in WAV"),
    Order(
      testDescription: "fmt twice, on both sides", bytes: ChunkBytes.riff(format, data, otherFormat, otherFormat),
      reason: "3 fmt chunks in WAV"),
    Order(
      testDescription: "fmt after data", bytes: ChunkBytes.riff(data, format),
      reason: "the fmt chunk is after the data in WAV"),
    Order(
      testDescription: "data twice", bytes: ChunkBytes.riff(format, data, data),
      reason: "only the first of 2 data chunks is decoded in WAV"),
    Order(
      testDescription: "other chunks in between",
      bytes: ChunkBytes.riff(
        ChunkBytes.chunk("junk", [1, 2, 3]), format, ChunkBytes.chunk("fact", [0, 0, 0, 0]), data),
      reason: nil),
  ]

  // Faults: 16
  @Test(arguments: orders)
  func `the first format and the first data count, and oddities are damage`(_ order: Order) throws {
    try folder.write(order.bytes, to: "a.wav")
    let decoded = try DecodedFile(folder.appending("a.wav"))
    #expect(decoded.format.sampleRateInHz == 8000)
    let ramp = (0..<1000).map { (sample: Int) -> Float in Float(sample * 30) / 32_768 }
    #expect(decoded.samples == ramp)
    #expect(decoded.outcome.problem?.reason == order.reason)
    #expect(decoded.outcome.state == (order.reason == nil ? .ok : .damaged))
  }

  // Faults: 16
  @Test(arguments: [("fmt ", "no data chunk in WAV"), ("data", "no fmt chunk in WAV")])
  func `a file without one of the two is damaged, and the reason names it`(_ name: String, _ reason: String) throws {
    try folder.write(ChunkBytes.riff(name == "data" ? Self.data : Self.format), to: "a.wav")
    let error = #expect(throws: DecodingError.self) { try DecodedFile(folder.appending("a.wav")) }
    #expect(error?.state == .damaged)
    #expect(error?.problem.reason == reason)
  }
}

/// WAV files whose writer could not go back to fill in their length.
struct UnfilledLengthsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let samples = (0..<1000).map { Int16($0 * 30) }

  private func decoded(claiming byteCount: UInt32) throws -> DecodedFile {
    let data = ChunkBytes.chunk("data", Self.samples.flatMap { littleEndian($0) }, claiming: byteCount)
    try folder.write(ChunkBytes.riff(ChunkBytes.chunk("fmt ", ChunkBytes.format()), data), to: "a.wav")
    return try DecodedFile(folder.appending("a.wav"))
  }

  // Faults: 13
  /// What SoX writes for blocks of 2, 6, 65 and 4,095 bytes, what others write, and the greatest numbers of whole blocks.
  @Test(arguments: [0, .max, 0x7FFF_F000, 0x7FFF_EFFC, 0x7FFF_EFC2, 0x7FFF_EF81, 0x7FFF_FFFE, 0x8000_0000, 0xFFFF_FFFE])
  func `a length that was never filled in reaches to the end`(byteCount: UInt32) throws {
    let decoded = try decoded(claiming: byteCount)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
    #expect(decoded.samples == Self.samples.map { Float($0) / 32_768 })
  }

  @Test(arguments: [0x7F00_0002, 0x7FFE_FFFE, 0x8000_0002, 0xFFFE_FFFE, 4000])
  func `any other length beyond the end is damage`(byteCount: UInt32) throws {
    let decoded = try decoded(claiming: byteCount)
    #expect(decoded.outcome.problem?.code == "truncated")
    #expect(decoded.samples.count == 1000)
  }

  // Faults: 13
  @Test(
    .enabled(if: Tool.exist("sox"), "SoX is not installed"),
    arguments: [
      ["-b", "16"], ["-b", "24", "-c", "6"], ["-e", "float", "-b", "32"], ["-e", "a-law"], ["-e", "ima-adpcm"],
    ])
  func `what SoX writes to a pipe is complete`(_ encoding: [String]) throws {
    let source = folder.appending("source.wav").path
    try Tool.run("sox", "-R", "-n", "-r", "22050", "-c", "2", "-b", "24", source, "synth", "0.5", "sine", "300-3000")
    // SoX writes the length to a pipe if it knows it in advance; with this effect it does not.
    let effect = ["silence", "1", "0", "0%"]
    try Tool.run("sox", arguments: ["-D", source] + encoding + [folder.appending("file.wav").path] + effect)
    let bytes = try Tool.run("sox", arguments: ["-D", source] + encoding + ["-t", "wav", "-"] + effect)
    try #require(Array(bytes[6..<8]) == [0xFF, 0x7F])
    try folder.write(bytes, to: "pipe.wav")
    let (file, pipe) = try (DecodedFile(folder.appending("file.wav")), DecodedFile(folder.appending("pipe.wav")))
    #expect(pipe.outcome.state == .ok)
    // For compressed blocks, nothing says where in the last one the recording ends.
    #expect(pipe.samples.prefix(file.samples.count) == file.samples[...])
    #expect(encoding.contains("ima-adpcm") || pipe.samples.count == file.samples.count)
  }
}

/// Containers of PCM after a tag, which no standard allows.
struct PCMBehindTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// With odd lengths.
  private static let tags: [String: [UInt8]] = [
    "ID3v2": TagBytes.id3v2(TagBytes.textFrame("TIT2", "In front.")),
    "APE": TagBytes.ape([("Title", "In front")]),
    "both": TagBytes.id3v2(TagBytes.textFrame("TIT2", "In front")) + TagBytes.ape([("Title", "In front.")]),
  ]

  private static let files = [
    "01 Kick.wav", "02 String.wav", "03 Float.wav", "04 Long Side.rf64", "05 Wave Sixty-Four.w64", "06 Big End.aiff",
    "07 Core.caf", "08 Sun.au",
  ]

  private func compare(_ music: [UInt8], behind tag: [UInt8]) throws {
    try folder.write(music, to: "plain")
    try folder.write(tag + music, to: "tagged")
    let (plain, tagged) = (folder.appending("plain"), folder.appending("tagged"))
    let expected = try DecodedFile(plain)
    let decoded = try DecodedFile(tagged)
    #expect(expected.frameCount > 500)
    #expect(expected.outcome.state == .ok)
    #expect(decoded.outcome == expected.outcome)
    #expect(decoded.mediaFormat == expected.mediaFormat)
    #expect(decoded.samples == expected.samples)
    #expect(try OpenFile(tagged).streamHash() == OpenFile(plain).streamHash())
    // Tags of the format's own count; Wave64 and AU have none, so those around the file do.
    let (own, found) = (try OpenFile(plain).tags(), try OpenFile(tagged).tags())
    #expect(found == own || own.tags.isEmpty && found.tags["TITLE"].allSatisfy { $0.hasPrefix("In front") })
    let file = try OpenFile(tagged)
    let decoder = try file.decoder()
    try decoder.seek(toFrame: 321)
    #expect(
      try decoder.readFrames(100)
        == Array(
          expected.samples.dropFirst(321 * decoder.format.channelCount).prefix(
            100 * decoder.format.channelCount)))
  }

  @Test(arguments: files, tags.keys.sorted())
  func `PCM after a tag is the same as without it`(_ name: String, _ tag: String) throws {
    let album = Corpora.fixtures.appending(path: "audio/The Locked Grooves/Thirty-Three and a Third")
    try compare([UInt8](try Data(contentsOf: album.appending(path: name))), behind: try #require(Self.tags[tag]))
  }

  /// Here libsndfile reads the whole container.
  @Test(arguments: tags.keys.sorted()) func `compressed audio after a tag is the same as without it`(_ tag: String)
    throws
  {
    let format =
      littleEndian(UInt16(0x11)) + littleEndian(UInt16(1)) + littleEndian(UInt32(8000)) + littleEndian(UInt32(4055))
      + littleEndian(UInt16(256)) + littleEndian(UInt16(4)) + littleEndian(UInt16(2)) + littleEndian(UInt16(505))
    let block: [UInt8] = [0, 0, 20, 0] + (0..<252).map { UInt8($0) }
    let music = ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", block + block + block + block))
    try compare(music, behind: try #require(Self.tags[tag]))
  }
}
