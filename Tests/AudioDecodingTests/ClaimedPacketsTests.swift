import AudioDecoding
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

// Faults: 225
/// Headers of a few bytes that claim very many packets, or very long ones: what they cost is bounded by what is there.
struct ClaimedPacketsTests {
  /// What is given in place of packets that do not decode: ten minutes, and a second for each hundred of their bytes.
  private static let freeSeconds = 600

  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  /// One packet of sound, then blocks of a lace of 256 packets without bytes.
  @Test func `laces without bytes are not more packets than the file has bytes`() throws {
    var file = MatroskaBytes()
    file.packets = [MP4Bytes.silentPacket]
    let lace: [UInt8] = [0xA3, 0x85, 0x81, 0, 0, 4, 255]
    let bytes = file.bytes + MatroskaBytes.element(0x1F43_B675, (0..<10_000).flatMap { _ in lace })
    let identity = try files.identity(bytes)
    let frameCount = try #require(identity.declaration.frameCount)
    #expect(frameCount <= Int64(bytes.count) * 1024)
    #expect(!identity.declaration.isSound)
    let decoded = try files.decode(bytes)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.frameCount <= (Self.freeSeconds + 2) * 44_100)
  }

  /// A packet of version 8 has up to 16,384 blocks of 1,152 frames, whether it has bytes for them or not.
  @Test func `packets of Musepack that do not decode are not days of silence`() throws {
    func packet(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + [UInt8(3 + body.count)] + body }
    // Checksum, version, no count, no silence; 31 subbands, two channels, 4^7 blocks a packet.
    let header = packet("SH", [0, 0, 0, 0, 8, 0, 0, 0x1E, 0x17])
    let bytes =
      Array("MPCK".utf8) + header + (0..<400).flatMap { _ in packet("AP", [0xFF, 0xFF, 0xFF]) } + packet("SE", [])
    let stated = try #require(try files.identity(bytes).declaration.frameCount)
    #expect(stated > 47 * 3600 * 44_100)
    let decoded = try files.decode(bytes)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.frameCount <= (Self.freeSeconds + 20) * 44_100)
  }

  @Test func `packets of Opus without bytes have no frames`() throws {
    let original = try StreamFixture.opusStream()
    let plain = try files.identity(original.bytes())
    var stream = original
    let last = stream.packets.count - 1
    for _ in 0..<20_000 { stream.packets.insert(OggStream.Packet(bytes: []), at: last) }
    let identity = try files.identity(stream.bytes())
    #expect(identity.declaration.frameCount == plain.declaration.frameCount)
    #expect(identity.hash != plain.hash)
    #expect(try Int64(files.decode(stream.bytes()).frameCount) == plain.declaration.frameCount)
  }

  /// 4,294,967,295 samples of a byte in a file of 600 bytes, and a hole.
  @Test(
    .enabled(
      if: TestSize.isSlow,
      "it reads 70 million samples: \(TestSize.slowOnly)"))
  func `a sparse file has no more packets than two days of the shortest ones`() throws {
    var file = MP4Bytes()
    file.packets = [[0]]
    file.sizeBitCount = nil
    file.durations = [(1, 1024)]
    var bytes = file.bytes
    for name in ["stsz", "stts", "stsc"] {
      let place = try #require(bytes.firstRange(of: Array(name.utf8))?.upperBound)
      // Size and count; entries, count; entries, first chunk, count.
      let offset = ["stsz": 8, "stts": 8, "stsc": 12][name] ?? 0
      bytes.replaceSubrange(place + offset..<place + offset + 4, with: littleEndian(UInt32.max))
    }
    try files.folder.write(bytes, to: "a")
    let path = files.folder.appending("a").path
    try #require(truncate(path, 1 << 40) == 0)
    let identity = try OpenFile(files.folder.appending("a")).identity()
    #expect(identity.byteCount <= 70_000_000)
    #expect(!identity.declaration.isSound)
  }
}
