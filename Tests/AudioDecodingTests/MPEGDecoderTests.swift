import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Streams of MPEG frames with something wrong among them, made by hand.
struct MPEGDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// MPEG-1 layer III, 32 kbit/s, 44.1 kHz, silent.
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
  func `a few frames of another shape are damage, and the recording goes on after them`(_ count: Int) throws {
    let decoded = try decode(Self.frames(10) + Self.frames(count, isMono: false) + Self.frames(10))
    #expect(decoded.format.channelCount == 1)
    #expect(decoded.frameCount == 20 * 1152)
    #expect(decoded.outcome.problem?.code == "junk")
    #expect(decoded.outcome.problem?.positionInSeconds == Double(10 * 1152) / 44_100)
  }

  @Test func `a lasting change of channels ends the recording at its position`() throws {
    let decoded = try decode(Self.frames(10) + Self.frames(10, isMono: false))
    #expect(decoded.frameCount == 10 * 1152)
    #expect(decoded.outcome.problem?.code == "parameters-change")
    #expect(decoded.outcome.problem?.reason.contains("at frame 11520") == true)
  }

  @Test(arguments: [1, 700, 5000])
  func `a seek across junk leads to the samples of a whole decode`(_ junkByteCount: Int) throws {
    let music = Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")
    let bytes = [UInt8](try Data(contentsOf: music))
    // The junk begins in the middle of a frame, which is lost.
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

/// MP3 files that were joined without changes, and what their headers promise.
struct JoinedMPEGTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func decode(_ bytes: [UInt8]) throws -> DecodedFile {
    try folder.write(bytes, to: "a.mp3")
    return try DecodedFile(folder.appending("a.mp3"))
  }

  /// What is between two joined files: tags of the first, then tags of the second.
  private static let tags: [String: [UInt8]] = [
    "ID3v2": TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "ID3v1, ID3v2": TagBytes.id3v1(title: "The first", artist: "", album: "", year: "", genre: 255)
      + TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "APE, ID3v1, ID3v2": TagBytes.ape([("Title", "The first")])
      + TagBytes.id3v1(title: "The first", artist: "", album: "", year: "", genre: 255)
      + TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "ID3v2 with the header of a frame in it": TagBytes.id3v2(TagBytes.frame("PRIV", MPEGBytes.silentFrames(2))),
  ]

  // Faults: 24
  @Test(arguments: tags.keys.sorted())
  func `tags between joined files are not a gap, not junk and not audio`(_ what: String) throws {
    let music = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")))
    let plain = try decode(music + music)
    let hash = try OpenFile(folder.appending("a.mp3")).streamHash()
    let joined = try decode(music + (Self.tags[what] ?? []) + music)
    #expect(joined.outcome.state == .ok)
    #expect(joined.outcome.notes.isEmpty)
    #expect(joined.samples == plain.samples)
    #expect(try OpenFile(folder.appending("a.mp3")).streamHash() == hash)
  }

  // Faults: 24
  @Test func `joined files with their Xing frames are as long as both, less the first delay and the last padding`()
    throws
  {
    let music = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/clean.mp3")))
    let single = try decode(music)
    let delay = try #require(single.mediaFormat.delayFrameCount) + 529
    let padding = try #require(single.mediaFormat.paddingFrameCount) - 529
    let joined = try decode(music + (Self.tags["ID3v2"] ?? []) + music)
    #expect(joined.outcome.state == .ok)
    #expect(joined.outcome.notes.isEmpty)
    #expect(joined.frameCount == 2 * single.frameCount + delay + padding)
    #expect(joined.mediaFormat.declaredFrameCount == Int64(joined.frameCount))
    #expect(joined.samples.starts(with: single.samples))
  }

  @Test func `delay and padding of a later file are not those of the first, which has no Xing frame`() throws {
    let first = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")))
    let second = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/clean.mp3")))
    let (intro, music) = (try decode(first), try decode(second))
    let delay = try #require(music.mediaFormat.delayFrameCount) + 529
    let joined = try decode(first + second)
    #expect(joined.outcome.state == .ok)
    #expect(joined.outcome.notes.isEmpty)
    #expect(joined.frameCount == intro.frameCount + delay + music.frameCount)
    #expect(joined.samples.starts(with: intro.samples))
    #expect(joined.mediaFormat.declaredFrameCount == nil && joined.mediaFormat.delayFrameCount == nil)
  }

  // Faults: 24
  @Test func `a tag between joined files that claims more than the rest is damage at its position`() throws {
    let tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second"), claiming: 1 << 20)
    let joined = try decode(MPEGBytes.silentFrames(30) + tag + MPEGBytes.silentFrames(20))
    #expect(joined.frameCount == 50 * MPEGBytes.samplesPerFrame)
    #expect(joined.outcome.problem?.code == "junk")
    #expect(joined.outcome.problem?.positionInSeconds == Double(30 * MPEGBytes.samplesPerFrame) / 44_100)
  }

  // Faults: 21
  @Test(arguments: [
    MPEGBytes.xingFrame(frameCount: 0), MPEGBytes.xingFrame(frameCount: 3), MPEGBytes.xingFrame(frameCount: 1 << 31),
    MPEGBytes.xingFrame(frameCount: .max), MPEGBytes.xingFrame(frameCount: .max, byteCount: .max),
    MPEGBytes.xingFrame(frameCount: 0, byteCount: 0),
  ])
  func `a Xing frame that promises another length is noted, and the frames count`(_ xing: [UInt8]) throws {
    let decoded = try decode(xing + MPEGBytes.silentFrames(40))
    #expect(decoded.frameCount == 40 * MPEGBytes.samplesPerFrame)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == ["header-lies"])
  }

  @Test func `a Xing frame that keeps its promise is not noted`() throws {
    let decoded = try decode(MPEGBytes.xingFrame(frameCount: 40) + MPEGBytes.silentFrames(40))
    #expect(decoded.frameCount == 40 * MPEGBytes.samplesPerFrame)
    #expect(decoded.outcome.notes.isEmpty)
  }
}
