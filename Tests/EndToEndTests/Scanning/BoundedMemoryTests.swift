import Foundation
import Testing
import TestSupport

/// No number in a file decides how much memory a worker uses; if a library uses all it gets, the limit stops it.
struct BoundedMemoryTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
  }

  /// Its total of samples is in the low 36 bits from byte 21 on.
  private static let hugeClaim: [UInt8] = {
    var bytes = FLACBytes.constant(frameCount: 100, sampleRateInHz: 8000)
    bytes[21] |= 0x0F
    bytes.replaceSubrange(22..<26, with: [0xFF, 0xFF, 0xFF, 0xFF])
    return bytes
  }()

  private static let title = TagBytes.textFrame("TIT2", "Title")
  private static let longTitle = TagBytes.frame("TIT2", [3] + Array("Title".utf8), claiming: 0x0FFF_FFFF)

  /// Files that claim more than they are, in the order in which they are read.
  private static let claims: [String: (bytes: [UInt8], state: String)] = [
    "a.flac": (hugeClaim, "damaged"),
    "b.wav": (
      ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", ChunkBytes.format()), ChunkBytes.chunk("data", [1, 2], claiming: 0xF000_0000)),
      "damaged"
    ),
    "c.rf64": (ChunkBytes.rf64Header(dataByteCount: 1 << 60, format: ChunkBytes.format()) + [1, 2], "damaged"),
    "d.mp3": (MPEGBytes.xingFrame(frameCount: .max, byteCount: .max) + MPEGBytes.silentFrames(20), "ok"),
    "e.mp3": (TagBytes.id3v2(title, claiming: 0x0FFF_FFFF) + MPEGBytes.silentFrames(21), "ok"),
    "f.mp3": (TagBytes.id3v2(longTitle, claiming: 0x0FFF_FFFF) + MPEGBytes.silentFrames(22), "ok"),
    "g.mp3": (TagBytes.id3v2(title, claiming: 0x0FFF_FFFF), "damaged"),
  ]

  // Faults: 10, 41
  @Test func `files that claim gigabytes cost what they are`() async throws {
    for (name, claim) in Self.claims { try music.write(claim.bytes, to: name) }
    // Keeps the worker alive after them: its peak can be read only while it lives.
    try music.addSilence(seconds: 900, as: "z.wav")
    let scan = try deadwax.start(["scan", "--jobs", "1", music.path])
    let worker = try #require(try await scan.worker(after: 0.25))
    let peak = try #require(ProcessTable.peakMemory(of: worker.processID))
    #expect(peak < 64 << 20, "the worker held \(peak >> 20) MiB")
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let states = try list.lines(TrackRow.self).map { (URL(filePath: $0.path).lastPathComponent, $0.state) }
    for (name, claim) in Self.claims { #expect(states.contains { $0 == (name, claim.state) }, "\(name)") }
  }

  /// A stream of zlib (RFC 1950, 1951) that decompresses to three gigabytes: one NUL, then 258 more, again and again.
  private static let compressedBomb: [UInt8] = {
    // The last block, with fixed codes: the literal 0, then "258 bytes from 1 byte before", 13 bits each.
    let repetition: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    func bytes(_ bits: [UInt8]) -> [UInt8] {
      stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
      }
    }
    let start = bytes([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0] + repetition)
    let eight = bytes((0..<8).flatMap { _ in repetition })
    return [0x78, 0x01] + start + repeatElement(eight, count: (3 << 30) / (8 * 258)).flatMap { $0 }
  }()

  // Faults: 30
  @Test func `a tag that is decompressed without end is left out, and the sounds are read`() async throws {
    let body = TagBytes.synchsafe(0x0FFF_FFFF) + Self.compressedBomb
    // Compressed, with its length before.
    let frame = TagBytes.frame("TIT2", flags: [0, 0x09], body)
    let music = try MusicFolder("damaged/clean.mp3", "damaged/streamed.wav")
    try music.write(TagBytes.id3v2(frame) + MPEGBytes.silentFrames(20), to: "bomb.mp3")
    let scan = try deadwax.start(["scan", "--json", "--jobs", "2", music.path])
    var peak = 0
    while scan.isRunning {
      for worker in scan.workers { peak = max(peak, ProcessTable.peakMemory(of: worker.processID) ?? 0) }
      try await Task.sleep(for: .milliseconds(10))
    }
    // No more of it is decompressed than a text may have.
    #expect(peak > 0 && peak < 256 << 20, "the worker held \(peak >> 20) MiB")
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let tracks = try list.lines(TrackRow.self)
    #expect(tracks.count == 3)
    #expect(tracks.filter { !$0.path.hasSuffix("bomb.mp3") }.allSatisfy { $0.state == "ok" })
    let bomb = try #require(tracks.first { $0.path.hasSuffix("bomb.mp3") })
    #expect(bomb.state == "ok")
    #expect(bomb.title == nil)
    let shown = try await deadwax.run(["show", "--json", bomb.path])
    #expect(shown.text.contains("malformed-tags"))
  }
}
