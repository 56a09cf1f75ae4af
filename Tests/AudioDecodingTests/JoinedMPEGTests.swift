import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// MP3 files joined as they are, and what their headers then promise.
struct JoinedMPEGTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func decode(_ bytes: [UInt8]) throws -> DecodedFile {
    try folder.write(bytes, to: "a.mp3")
    return try DecodedFile(folder.appending("a.mp3"))
  }

  /// What lies between two files that were joined: tags of the first, then tags of the second.
  private static let tags: [String: [UInt8]] = [
    "ID3v2": TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "ID3v1, ID3v2": TagBytes.id3v1(title: "The first", artist: "", album: "", year: "", genre: 255)
      + TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "APE, ID3v1, ID3v2": TagBytes.ape([("Title", "The first")])
      + TagBytes.id3v1(title: "The first", artist: "", album: "", year: "", genre: 255)
      + TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second")),
    "ID3v2 with the header of a frame in it": TagBytes.id3v2(TagBytes.frame("PRIV", MPEGBytes.silentFrames(2))),
  ]

  @Test(arguments: tags.keys.sorted())
  func `tags between joined files are no gap, no junk and no sound`(_ what: String) throws {
    let music = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/cbr-without-xing.mp3")))
    let plain = try decode(music + music)
    let hash = try OpenFile(folder.appending("a.mp3")).payloadHash()
    let joined = try decode(music + (Self.tags[what] ?? []) + music)
    #expect(joined.outcome.state == .ok)
    #expect(joined.outcome.notes.isEmpty)
    #expect(joined.samples == plain.samples)
    #expect(try OpenFile(folder.appending("a.mp3")).payloadHash() == hash)
  }

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

  @Test func `a tag between joined files that claims more than the rest is damage at its place`() throws {
    let tag = TagBytes.id3v2(TagBytes.textFrame("TIT2", "The second"), claiming: 1 << 20)
    let joined = try decode(MPEGBytes.silentFrames(30) + tag + MPEGBytes.silentFrames(20))
    #expect(joined.frameCount == 50 * MPEGBytes.samplesPerFrame)
    #expect(joined.outcome.problem?.code == "junk")
    #expect(joined.outcome.problem?.positionInSeconds == Double(30 * MPEGBytes.samplesPerFrame) / 44_100)
  }

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
