import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Containers of PCM with a tag in front of them, where no standard has one.
struct PCMBehindTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Of lengths that are no multiple of anything.
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
    #expect(try OpenFile(tagged).payloadHash() == OpenFile(plain).payloadHash())
    #expect(try OpenFile(tagged).tags() == OpenFile(plain).tags())
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
  func `sound behind a tag is what it is without`(_ name: String, _ tag: String) throws {
    let album = Corpora.fixtures.appending(path: "audio/The Locked Grooves/Thirty-Three and a Third")
    try compare([UInt8](try Data(contentsOf: album.appending(path: name))), behind: try #require(Self.tags[tag]))
  }

  /// The container is then given to libsndfile as a whole.
  @Test(arguments: tags.keys.sorted()) func `compressed sound behind a tag is what it is without`(_ tag: String) throws
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
