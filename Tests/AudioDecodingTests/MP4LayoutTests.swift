import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Made-up MP4 files: every form of their tables, and tables that lie.
struct MP4LayoutTests {
  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  /// 20 packets of which no two are equal, as far as their bytes go: decoders ignore what is behind the last element.
  private static let packets = (0..<20).map { MP4Bytes.silentPacket + [UInt8](repeating: UInt8($0), count: $0 % 5) }

  private static let forms: [(String, MP4Bytes)] = {
    var plain = MP4Bytes()
    plain.packets = packets
    func form(_ change: (inout MP4Bytes) -> Void) -> MP4Bytes {
      var result = plain
      change(&result)
      return result
    }
    return [
      ("plain", plain), ("64-bit offsets", form { $0.hasLongOffsets = true }),
      ("sizes of 4 bits", form { $0.sizeBitCount = 4 }), ("sizes of 8 bits", form { $0.sizeBitCount = 8 }),
      ("sizes of 16 bits", form { $0.sizeBitCount = 16 }), ("chunks of one", form { $0.chunkLengths = [1] }),
      ("one chunk", form { $0.chunkLengths = [20] }), ("fragments", form { $0.fragmentLengths = [1, 9, 4, 6] }),
      ("other bytes before the samples", form { $0.padding = 1000 }),
      (
        "a track that is switched off before it",
        form { file in
          var other = MP4Bytes()
          other.isEnabled = false
          file.otherTracks = [other]
        }
      ),
    ]
  }()

  @Test func `every form of the tables leads to the same packets`() throws {
    let identities = try Self.forms.map { try files.identity($0.1.bytes) }
    for (form, identity) in zip(Self.forms, identities) {
      #expect(identity.hash == identities[0].hash, Comment(rawValue: form.0))
      #expect(identity.byteCount == Int64(Self.packets.joined().count))
      let decoded = try files.decode(form.1.bytes)
      #expect(decoded.outcome.state == .ok && decoded.frameCount == 20 * 1024, Comment(rawValue: form.0))
    }
  }

  @Test func `samples of one size need no table of sizes`() throws {
    var file = MP4Bytes()
    let usual = try files.identity(file.bytes)
    file.sizeBitCount = nil
    #expect(try files.identity(file.bytes).hash == usual.hash)
  }

  @Test func `the first packet, the order and the bounds of packets count`() throws {
    var file = MP4Bytes()
    file.packets = Self.packets
    var hashes: Set<ContentHash> = [try files.identity(file.bytes).hash]
    file.packets.swapAt(3, 4)
    #expect(hashes.insert(try files.identity(file.bytes).hash).inserted)
    file.packets = Self.packets
    file.packets[4].append(file.packets[5].removeFirst())
    #expect(hashes.insert(try files.identity(file.bytes).hash).inserted)
    file.packets = Array(Self.packets.dropFirst())
    #expect(hashes.insert(try files.identity(file.bytes).hash).inserted)
  }

  /// What a track says about its times, and which frames are then the recording.
  private struct Timing {
    let durations: [(count: Int, ticks: Int)]
    var edits: [(duration: Int, time: Int)] = []
    var movieTimescale = 1000
    var comment: String?
    let delay: Int?
    let frameCount: Int
    var notes: [String] = []
  }

  private static let timings = [
    Timing(durations: [(20, 1024)], delay: nil, frameCount: 20_480),
    // The last sample says where the sound ends.
    Timing(durations: [(19, 1024), (1, 500)], edits: [(0, 1024)], delay: 1024, frameCount: 18_932),
    // The length of an edit leaves out more than the short packet, or nothing.
    Timing(
      durations: [(19, 1024), (1, 500)], edits: [(10_000, 1024)], movieTimescale: 44_100, delay: 1024,
      frameCount: 10_000),
    Timing(
      durations: [(19, 1024), (1, 500)], edits: [(18_000, 1024)], movieTimescale: 44_100, delay: 1024,
      frameCount: 18_932),
    // Without that, the length of the edit does, in ticks of the movie.
    Timing(
      durations: [(20, 1024)], edits: [(18_000, 2112)], movieTimescale: 44_100, delay: 2112, frameCount: 18_000),
    // A length that is as exact as its ticks is no declaration.
    Timing(durations: [(20, 1024)], edits: [(441, 1024)], delay: 1024, frameCount: 19_456),
    Timing(durations: [(20, 1024)], edits: [(0, 1024), (5, 0)], delay: 1024, frameCount: 19_456, notes: ["edit-list"]),
    Timing(
      durations: [(20, 1024)], edits: [(100, -1), (0, 1024)], delay: 1024, frameCount: 19_456, notes: ["edit-list"]),
    Timing(
      durations: [(20, 1024)], comment: MP4Bytes.gaplessComment(delay: 2112, padding: 368, frameCount: 18_000),
      delay: 2112, frameCount: 18_000),
    // One that does not add up is not believed.
    Timing(
      durations: [(20, 1024)], comment: MP4Bytes.gaplessComment(delay: 2112, padding: 1, frameCount: 18_000),
      delay: nil, frameCount: 20_480, notes: ["header-lies"]),
    Timing(durations: [(20, 1024)], comment: " 0 zz", delay: nil, frameCount: 20_480),
    // Durations that have nothing to do with the packets.
    Timing(durations: [(20, 1)], delay: nil, frameCount: 20_480, notes: ["header-lies"]),
    Timing(durations: [], delay: nil, frameCount: 20_480),
  ]

  @Test(arguments: timings.indices)
  func `times say which frames are the recording`(_ number: Int) throws {
    let timing = Self.timings[number]
    var file = MP4Bytes()
    file.durations = timing.durations
    file.edits = timing.edits
    file.movieTimescale = timing.movieTimescale
    file.gaplessComment = timing.comment
    let decoded = try files.decode(file.bytes)
    #expect(decoded.frameCount == timing.frameCount)
    #expect(decoded.mediaFormat.delayFrameCount == timing.delay)
    #expect(decoded.mediaFormat.declaredFrameCount == Int64(timing.frameCount))
    #expect(decoded.outcome.notes == timing.notes)
    #expect(decoded.outcome.state == .ok)
    #expect(try files.identity(file.bytes).declaration.frameCount == Int64(timing.frameCount))
  }

  @Test func `a number of samples that no chunk holds does not count`() throws {
    var file = MP4Bytes()
    file.sizeBitCount = nil
    var bytes = file.bytes
    // The number of samples, of which there are 20.
    let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stsz".utf8)) })
    bytes.replaceSubrange(mark + 12..<mark + 16, with: bigEndian(UInt32(21)))
    #expect(try files.decode(bytes).outcome.state == .ok)
    bytes.replaceSubrange(mark + 12..<mark + 16, with: bigEndian(UInt32.max))
    // The chunks say that there are no more.
    #expect(try files.decode(bytes).frameCount == 20 * 1024)
  }

  @Test func `chunks that lie behind the end of the file are missing`() throws {
    var file = MP4Bytes()
    file.chunkLengths = [10]
    var bytes = file.bytes
    let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stco".utf8)) })
    bytes.replaceSubrange(mark + 16..<mark + 20, with: bigEndian(UInt32(1 << 30)))
    let decoded = try files.decode(bytes)
    #expect(decoded.frameCount == 10 * 1024)
    #expect(decoded.outcome.problem?.reason == "truncated: 10240 of 20480 frames")
  }

  @Test func `items with names of their own are tags, what iTunes counts is none`() throws {
    var file = MP4Bytes()
    file.gaplessComment = MP4Bytes.gaplessComment(delay: 2112, padding: 368, frameCount: 18_000)
    file.freeForm = [("REPLAYGAIN_TRACK_GAIN", "-7.5 dB"), ("Key of the piece", "d minor"), ("LABEL", "Lathe")]
    try files.folder.write(file.bytes, to: "a.m4a")
    let tags = try OpenFile(files.folder.appending("a.m4a")).tags().tags
    #expect(tags["REPLAYGAIN_TRACK_GAIN"] == ["-7.5 dB"] && tags["KEY OF THE PIECE"] == ["d minor"])
    #expect(tags["LABEL"] == ["Lathe"] && tags.properties.count == 3)
  }

  /// Mutagen and FFmpeg read them as numbers, too.
  @Test(arguments: [1, 21, 0])
  func `numbers of iTunes are numbers, whatever type they are given`(_ type: UInt32) throws {
    func item(_ name: String, _ type: UInt32, _ value: [UInt8]) -> [UInt8] {
      MP4Bytes.box(name, MP4Bytes.box("data", bigEndian(type), [0, 0, 0, 0], value))
    }
    var file = MP4Bytes()
    file.items = [
      item("trkn", type, [0, 0, 0, 3, 0, 12, 0, 0]), item("disk", type, [0, 0, 0, 1, 0, 2]),
      item("gnre", type, [0, 18]), item("tmpo", type, [0, 120]), item("cpil", type, [1]),
    ]
    try files.folder.write(file.bytes, to: "a.m4a")
    let tags = try OpenFile(files.folder.appending("a.m4a")).tags().tags
    #expect(tags["TRACKNUMBER"] == ["3/12"] && tags["DISCNUMBER"] == ["1/2"])
    #expect(tags["GENRE"] == ["Rock"] && tags["BPM"] == ["120"] && tags["COMPILATION"] == ["1"])
    // A text in place of a number is one.
    file.items = [
      item("trkn", 1, Array("3/12".utf8)), item("disk", 1, Array("2".utf8)), item("gnre", 1, Array("Rock".utf8)),
      item("tmpo", 1, Array("96".utf8)),
    ]
    try files.folder.write(file.bytes, to: "b.m4a")
    let texts = try OpenFile(files.folder.appending("b.m4a")).tags().tags
    #expect(texts["TRACKNUMBER"] == ["3/12"] && texts["DISCNUMBER"] == ["2"])
    #expect(texts["GENRE"] == ["Rock"] && texts["BPM"] == ["96"])
  }

  @Test func `an encrypted track, and a type that nobody knows, are named`() throws {
    for (type, reason) in [
      ("drms", "protected AAC in MP4 is encrypted"), ("wxyz", "no decoder for MP4 type wxyz in MP4"),
    ] {
      var bytes = MP4Bytes().bytes
      let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("mp4a".utf8)) })
      bytes.replaceSubrange(mark..<mark + 4, with: Array(type.utf8))
      #expect(throws: DecodingError.unsupported(reason: reason)) { try files.decode(bytes) }
    }
  }
}
