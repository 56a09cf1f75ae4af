import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Made-up Matroska files: every form of blocks and clusters, and files that are damaged or lie.
struct MatroskaLayoutTests {
  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  /// 20 packets of which no two are equal, as far as their bytes go: decoders ignore what is behind the last element.
  private static let packets = (0..<20).map {
    MP4Bytes.silentPacket + [UInt8](repeating: UInt8($0), count: $0 == 7 ? 600 : $0 % 5)
  }

  private static func file(_ change: (inout MatroskaBytes) -> Void = { _ in }) -> MatroskaBytes {
    var result = MatroskaBytes()
    result.packets = packets
    change(&result)
    return result
  }

  private static let forms: [(String, MatroskaBytes)] = [
    ("plain", file()), ("live", file { $0.isLive = true }), ("groups", file { $0.hasGroups = true }),
    ("filler", file { $0.hasFiller = true }), ("one cluster", file { $0.blocksPerCluster = 100 }),
    (
      "Xiph's lacing",
      file {
        $0.lacing = .xiph
        $0.packetsPerBlock = 7
      }
    ),
    (
      "EBML's lacing",
      file {
        $0.lacing = .ebml
        $0.packetsPerBlock = 8
        $0.isLive = true
      }
    ),
    (
      "other tracks before it",
      file {
        $0.otherTracks = [
          MatroskaBytes.entry(number: 2, type: 1, codec: "V_VP9"),
          MatroskaBytes.entry(number: 3, codec: "A_OPUS", isDefault: false),
          MatroskaBytes.entry(number: 4, codec: "A_FLAC", isEnabled: false),
        ]
      }
    ),
  ]

  @Test func `every form of blocks and clusters leads to the same packets, which are those of MP4`() throws {
    var movie = MP4Bytes()
    movie.packets = Self.packets
    let usual = try files.identity(movie.bytes)
    for (form, file) in Self.forms {
      let identity = try files.identity(file.bytes)
      #expect(identity.hash == usual.hash, Comment(rawValue: form))
      #expect(identity.byteCount == usual.byteCount, Comment(rawValue: form))
      let decoded = try files.decode(file.bytes)
      #expect(decoded.outcome.state == .ok && decoded.frameCount == 20 * 1024, Comment(rawValue: form))
      #expect(decoded.mediaFormat.container == .matroska && decoded.mediaFormat.codec == .aac)
    }
  }

  @Test func `packets of one size need no sizes in a lace`() throws {
    var file = MatroskaBytes()
    let usual = try files.identity(file.bytes)
    (file.lacing, file.packetsPerBlock) = (.fixed, 6)
    #expect(try files.identity(file.bytes).hash == usual.hash)
  }

  @Test func `headers that were stripped are put back, and what zlib has compressed is inflated`() throws {
    let usual = try files.identity(Self.file().bytes)
    let stripped = Self.file {
      $0.packets = Self.packets.map { Array($0.dropFirst(2)) }
      $0.compression = (3, Array(MP4Bytes.silentPacket.prefix(2)))
    }
    // A block of zlib that is stored as it is: a head, a length and its complement, the bytes, Adler's sum.
    let compressed = Self.file {
      $0.packets = Self.packets.map { packet in
        let count = UInt16(packet.count)
        let sums = packet.reduce((1, 0)) { sums, byte in
          let first = (sums.0 + Int(byte)) % 65_521
          return (first, (sums.1 + first) % 65_521)
        }
        return [0x78, 0x01, 0x01] + bigEndian(count.byteSwapped) + bigEndian((~count).byteSwapped) + packet
          + bigEndian(UInt16(sums.1)) + bigEndian(UInt16(sums.0))
      }
      $0.compression = (0, [])
    }
    #expect(try files.identity(stripped.bytes).hash == usual.hash)
    #expect(try files.identity(compressed.bytes).hash == usual.hash)
    #expect(try files.decode(compressed.bytes).outcome.state == .ok)
  }

  @Test func `delay and padding are dropped`() throws {
    let decoded = try files.decode(
      Self.file {
        $0.codecDelay = 1024 * 1_000_000_000 / 44_100
        $0.discardPadding = 500 * 1_000_000_000 / 44_100
      }.bytes)
    #expect(decoded.frameCount == 20 * 1024 - 1024 - 500)
    #expect(decoded.mediaFormat.delayFrameCount == 1024)
    #expect(decoded.mediaFormat.declaredFrameCount == Int64(decoded.frameCount))
  }

  @Test func `a cluster that makes no sense costs its own packets, and the rest is found`() throws {
    let file = Self.file()
    var bytes = file.bytes
    let clusters = bytes.indices.filter { bytes[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) }
    // The first block of the third cluster, behind its time.
    let block = try #require((clusters[2]..<bytes.count).first { bytes[$0] == 0xA3 })
    for place in block..<block + 9 { bytes[place] = 0 }
    let decoded = try files.decode(bytes)
    #expect(decoded.frameCount == 17 * 1024)
    #expect(decoded.outcome.state == .damaged && decoded.outcome.problem?.code == "junk")
    #expect(decoded.outcome.problem?.positionInSeconds == Double(6 * 1024) / 44_100)
  }

  @Test func `a size that lies does not swallow the clusters behind it`() throws {
    var bytes = Self.file().bytes
    let cluster = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) })
    let block = try #require((cluster..<bytes.count).first { bytes[$0] == 0xA3 })
    bytes[block + 4] = 0x7F
    let decoded = try files.decode(bytes)
    #expect(decoded.frameCount == 17 * 1024 && decoded.outcome.problem?.code == "junk")
  }

  @Test(arguments: [false, true])
  func `a file that is cut gives what is there`(_ isLive: Bool) throws {
    let bytes = Self.file { $0.isLive = isLive }.bytes
    let decoded = try files.decode(Array(bytes.dropLast(30)))
    #expect(decoded.outcome.state == .damaged && decoded.outcome.problem?.code == "truncated")
    #expect(decoded.frameCount == 18 * 1024)
  }

  @Test func `sizes in a lace that make no sense move nothing`() throws {
    let file = Self.file {
      ($0.lacing, $0.packetsPerBlock) = (.xiph, 4)
    }
    var bytes = file.bytes
    let block = try #require((0..<bytes.count).first { bytes[$0...].starts(with: [0x81, 0, 0, 2, 3]) })
    for place in block + 5..<block + 8 { bytes[place] = 0xFE }
    #expect(try files.decode(bytes).frameCount == 20 * 1024)
  }

  @Test func `what cannot be decoded is named`() throws {
    for (file, reason) in [
      (Self.file { $0.isEncrypted = true }, "AAC in Matroska is encrypted"),
      (Self.file { $0.codec = "A_TRUEHD" }, "no decoder for TrueHD in Matroska"),
      (Self.file { $0.compression = (2, []) }, "no decoder for AAC with additional compression in Matroska"),
    ] {
      #expect(throws: DecodingError.unsupported(reason: reason)) { try files.decode(file.bytes) }
    }
    let bytes = Self.file { $0.configuration = [] }.bytes
    #expect(throws: DecodingError.self) { try files.decode(bytes) }
  }

  @Test func `samples are those of a WAV file with the same bytes`() throws {
    let numbers = (0..<4000).map { Int16(truncatingIfNeeded: $0 * 7919) }
    let wave = WaveFile.bytes(numbers, sampleRateInHz: 44_100, channelCount: 2)
    let samples = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    var file = MatroskaBytes()
    (file.codec, file.configuration, file.channelCount, file.bitDepth) = ("A_PCM/INT/LIT", [], 2, 16)
    // Packets that end in the middle of a frame, too.
    file.packets = stride(from: 0, to: samples.count, by: 402).map { Array(samples[$0..<min(samples.count, $0 + 402)]) }
    #expect(try files.identity(file.bytes).hash == files.identity(wave).hash)
    #expect(try files.decode(file.bytes).samples == files.decode(wave).samples)
  }

  // MARK: Tags

  private func tags(_ others: [[UInt8]]) throws -> TagReading {
    var file = MatroskaBytes()
    file.others = others
    try files.folder.write(file.bytes, to: "tags.mka")
    return try OpenFile(files.folder.appending("tags.mka")).tags()
  }

  @Test func `discs, albums and box sets have numbers, parts and titles of their own`() throws {
    let album = MatroskaBytes.tag(level: 50, [("TITLE", "Album"), ("PART_NUMBER", "2"), ("TOTAL_PARTS", "12")])
    let song = MatroskaBytes.tag([("TITLE", "Song"), ("PART_NUMBER", "5"), ("GENRE", "Dub")])
    let box = MatroskaBytes.tag(
      level: 60, [("TITLE", "Box"), ("ARTIST", "Lathe"), ("TOTAL_PARTS", "3"), ("GENRE", "Jazz"), ("LABEL", "Groove")])
    let scene = MatroskaBytes.tag(level: 20, [("TITLE", "Bridge"), ("MOOD", "calm")])
    func read(_ parts: [[UInt8]]) throws -> Tags {
      try tags([MatroskaBytes.element(0x1254_C367, parts.flatMap { $0 })]).tags
    }
    var expected = [
      ("ALBUM", "Album"), ("DISCNUMBER", "2"), ("DISCTOTAL", "3"), ("GENRE", "Dub"), ("LABEL", "Groove"),
      ("TITLE", "Song"),
      ("TRACKNUMBER", "5"), ("TRACKTOTAL", "12"),
    ]
    func tagsOfExpected() -> Tags { Tags(expected.map { Tags.Property(name: $0.0, values: [$0.1]) }) }
    // In every order.
    #expect(try read([box, scene, album, song]) == tagsOfExpected())
    #expect(try read([song, album, box, scene]) == tagsOfExpected())

    let disc = MatroskaBytes.tag(level: 40, [("TITLE", "Side"), ("PART_NUMBER", "1"), ("TOTAL_PARTS", "7")])
    let discs = MatroskaBytes.tag(level: 50, [("TITLE", "Album"), ("TOTAL_PARTS", "2")])
    expected = [
      ("ALBUM", "Album"), ("DISCNUMBER", "1"), ("DISCSUBTITLE", "Side"), ("DISCTOTAL", "2"), ("GENRE", "Dub"),
      ("LABEL", "Groove"), ("TITLE", "Song"), ("TRACKNUMBER", "5"), ("TRACKTOTAL", "7"),
    ]
    #expect(try read([discs, box, disc, song]) == tagsOfExpected())
  }

  @Test func `tags of the recording and of its album are told apart, and pictures are kept`() throws {
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    let reading = try tags([
      MatroskaBytes.element(
        0x1254_C367,
        MatroskaBytes.tag(level: 50, [("TITLE", "Album"), ("ARTIST", "Band"), ("TOTAL_PARTS", "12")])
          + MatroskaBytes.tag(level: 30, [("TITLE", "Song"), ("ARTIST", "Singer"), ("PART_NUMBER", "3")])
          + MatroskaBytes.tag([("genre", "Jazz"), ("DATE_RELEASED", "1999")])
          + MatroskaBytes.tag(track: 1001, [("BPS", "1000"), ("MOOD", "calm")])
          + MatroskaBytes.tag(track: 77, [("COMMENT", "of another track")])),
      MatroskaBytes.element(
        0x1941_A469,
        MatroskaBytes.attachment(name: "cover.png", type: "image/png", picture)
          + MatroskaBytes.attachment(name: "font.ttf", type: "font/ttf", [1, 2, 3])),
    ])
    let expected: [(String, String)] = [
      ("ALBUM", "Album"), ("ALBUMARTIST", "Band"), ("ARTIST", "Singer"), ("DATE", "1999"), ("GENRE", "Jazz"),
      ("MOOD", "calm"), ("TITLE", "Song"), ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12"),
    ]
    #expect(reading.tags == Tags(expected.map { Tags.Property(name: $0.0, values: [$0.1]) }))
    #expect(reading.artwork.map(\.bytes) == [picture] && reading.artwork.first?.pictureType == 3)
    #expect(reading.artwork.first?.mimeType == "image/png")
  }

  @Test func `the title of the segment counts if no tag has one`() throws {
    let title = MatroskaBytes.element(0x1549_A966, MatroskaBytes.element(0x7BA9, text: "Segment"))
    #expect(try tags([title]).tags == Tags([Tags.Property(name: "TITLE", values: ["Segment"])]))
    let tag = MatroskaBytes.element(0x1254_C367, MatroskaBytes.tag([("TITLE", "Tag")]))
    #expect(try tags([title, tag]).tags == Tags([Tags.Property(name: "TITLE", values: ["Tag"])]))
  }
}
