import Foundation
import TestSupport
import Testing

/// Copies of a few streams that say different things about them, by name, with the state that each must get.
struct HostileCopies {
  private(set) var files: [String: (bytes: [UInt8], state: String)] = [:]

  init() throws {
    try addFLAC()
    try addMPEG()
    try addVorbis()
    try addOpus()
  }

  /// Only that all scans agree is known.
  private let either = "ok|damaged"

  private mutating func add(_ name: String, _ bytes: [UInt8], _ state: String = "ok") {
    files[name] = (bytes, state)
  }

  private static func fixture(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: path)))
  }

  // MARK: - One sound without loss

  private mutating func addFLAC() throws {
    let count = 100_000
    func value(_ block: Int) -> Int16 { block == 0 ? 7000 : -3000 }
    let whole = FLACBytes.constant(frameCount: count, sampleRateInHz: 44_100, value: value)
    let samples = (0..<count).map { value($0 / FLACBytes.framesPerBlock) }
    let pcm = samples.flatMap { littleEndian($0) }
    func withCount(_ count: Int) -> [UInt8] {
      var bytes = whole
      bytes.replaceSubrange(22..<26, with: bigEndian(UInt32(count)))
      return bytes
    }
    func withChecksum(_ digest: [UInt8]) -> [UInt8] {
      var bytes = whole
      bytes.replaceSubrange(26..<42, with: digest)
      return bytes
    }
    add("whole.flac", whole)
    add("checksum.flac", withChecksum(MD5.digest(of: pcm)))
    add("wrong checksum.flac", withChecksum(MD5.digest(of: [1])))
    add("count unknown.flac", withCount(0))
    add("count too high.flac", withCount(count + 1000), "damaged")
    add("count too low.flac", withCount(count - 1000), "damaged")
    let half = (whole.count - 42) / 2
    add("last block missing.flac", Array(whole.dropLast(half)), "damaged")
    add("half a block missing.flac", Array(whole.dropLast(7)), "damaged")
    add("first block missing.flac", Array(whole[..<42] + whole.suffix(half)), "damaged")
    add("blocks swapped.flac", Array(whole[..<42] + whole.suffix(half) + whole[42..<42 + half]), either)
    var ofMoreBits = whole
    ofMoreBits.replaceSubrange(18..<26, with: bigEndian(UInt64(44_100) << 44 | 23 << 36 | UInt64(count)))
    add("more bits.flac", ofMoreBits, either)
    add("twice.flac", whole + whole[42...], "damaged")
    add("junk behind.flac", whole + [UInt8](repeating: 0x55, count: 500), either)
    add("other rate.flac", FLACBytes.constant(frameCount: count, sampleRateInHz: 22_050, value: value))

    add("whole.wav", WaveFile.bytes(samples, sampleRateInHz: 44_100, channelCount: 1))
    let format = ChunkBytes.chunk("fmt ", ChunkBytes.format(sampleRateInHz: 44_100))
    let tags = ChunkBytes.chunk("id3 ", TagBytes.id3v2(TagBytes.textFrame("TIT2", "Behind")))
    add("open.wav", ChunkBytes.riff(format, ChunkBytes.chunk("data", pcm, claiming: .max)))
    add("open with tags.wav", ChunkBytes.riff(format, ChunkBytes.chunk("data", pcm, claiming: .max), tags))
    add("zero with tags.wav", ChunkBytes.riff(format, ChunkBytes.chunk("data", pcm, claiming: 0), tags))
    add(
      "truncated.wav", Array(WaveFile.bytes(samples, sampleRateInHz: 44_100, channelCount: 1).dropLast(5000)), "damaged"
    )
    add(
      "whole.rf64",
      ChunkBytes.rf64Header(dataByteCount: pcm.count, format: ChunkBytes.format(sampleRateInHz: 44_100)) + pcm)
    add(
      "whole.w64",
      ChunkBytes.wave64Header(dataByteCount: pcm.count, format: ChunkBytes.format(sampleRateInHz: 44_100)) + pcm)
    add("whole.oga", Self.oggFLAC(whole, granule: Int64(count)))
    // Counts that the frames do not have.
    add("count too high.oga", Self.oggFLAC(withCount(count + 1000), granule: Int64(count)), "damaged")
  }

  /// The mapping of FLAC to Ogg, version 1.0, of a file with nothing but STREAMINFO and two blocks of one length.
  private static func oggFLAC(_ file: [UInt8], granule: Int64) -> [UInt8] {
    let head = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8) + [0, 0, 0, 34] + file[8..<42]
    let comments = TagBytes.vorbisComments("TITLE=In Ogg")
    let packets = [[0x84] + bigEndian(UInt32(comments.count)).dropFirst() + comments]
    let half = (file.count - 42) / 2
    let blocks = [Array(file[42..<42 + half]), Array(file.suffix(half))]
    return OggBytes.page(serial: 9, sequence: 0, .first, head)
      + OggBytes.page(serial: 9, sequence: 1, .middle, packets[0])
      + OggBytes.page(serial: 9, sequence: 2, granule: Int64(FLACBytes.framesPerBlock), .middle, blocks[0])
      + OggBytes.page(serial: 9, sequence: 3, granule: granule, .last, blocks[1])
  }

  // MARK: - Lossy sounds

  private mutating func addMPEG() throws {
    let clean = try Self.fixture("damaged/clean.mp3")
    add("clean.mp3", clean)
    add("without LAME.mp3", try Self.withoutFirstFrame(clean))
    for name in ["junk-before", "tags-behind", "hostile-tags", "cbr-without-xing"] {
      add("\(name).mp3", try Self.fixture("damaged/\(name).mp3"))
    }
    add("junk-inside.mp3", try Self.fixture("damaged/junk-inside.mp3"), either)
    add("lying-xing.mp3", try Self.fixture("damaged/lying-xing.mp3"), either)
    // Delay and padding, 12 bits each, behind the version of LAME.
    let place = try #require((0..<400).first { clean[$0..<$0 + 4].elementsEqual("LAME".utf8) }) + 21
    for (name, bytes) in [("delays", [0x3E, 0x84, 0x00]), ("padding", [0x24, 0x0F, 0xFF])] as [(String, [UInt8])] {
      var trimmed = clean
      trimmed.replaceSubrange(place..<place + 3, with: bytes)
      add("other \(name).mp3", trimmed, either)
    }
    add("cut.mp3", try Self.fixture("damaged/truncated.mp3"), "damaged")
  }

  /// Without the frame that has the encoder's delay instead of sound.
  private static func withoutFirstFrame(_ file: [UInt8]) throws -> [UInt8] {
    let start = file.starts(with: "ID3".utf8) ? 10 + file[6..<10].reduce(0) { $0 << 7 | Int($1) } : 0
    let header = file[start..<start + 4].map { Int($0) }
    let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0][header[2] >> 4]
    let rate = [44_100, 48_000, 32_000, 1][header[2] >> 2 & 3]
    try #require(header[0] == 0xFF && header[1] | 1 == 0xFB && kilobits > 0)
    let count = 144_000 * kilobits / rate + (header[2] >> 1 & 1)
    return Array(file[..<start] + file[(start + count)...])
  }

  private mutating func addVorbis() throws {
    let file = try Self.fixture("audio/星屑電機/夜の配線/02 配線図.ogg")
    add("whole.ogg", file)
    add("other rate.ogg", CraftedOgg.withRate(22_050, file))
    addPositions(of: file, ending: "ogg")
  }

  private mutating func addOpus() throws {
    let file = try Self.fixture("audio/صدى البحر/موجات/02 الجزر.opus")
    add("whole.opus", file)
    add("more skipped.opus", CraftedOgg.withHead(file, at: 10, littleEndian(UInt16(1000))))
    add("all skipped.opus", CraftedOgg.withHead(file, at: 10, [0xFF, 0xFF]), either)
    add("gain.opus", CraftedOgg.withHead(file, at: 16, littleEndian(Int16(-512))))
    addPositions(of: file, ending: "opus")
  }

  /// What pages may say wrongly about the same packets, and what may be missing.
  private mutating func addPositions(of file: [UInt8], ending: String) {
    let pages = OggBytes.pages(file)
    let last = pages.count - 1
    let end = CraftedOgg.granule(pages[last])
    add("trimmed.\(ending)", CraftedOgg.withGranules(file) { $0 == last ? $1 - 300 : $1 })
    add("last too large.\(ending)", CraftedOgg.withGranules(file) { $0 == last ? $1 + 100_000 : $1 }, "damaged")
    add(
      "reversed.\(ending)", CraftedOgg.withGranules(file) { $1 <= 0 ? $1 : end - $1 + 48_000 }, "damaged")
    add("later.\(ending)", CraftedOgg.withGranules(file) { $1 > 0 ? $1 + 1_000_000 : $1 }, either)
    add("no positions.\(ending)", CraftedOgg.withGranules(file) { $1 > 0 && $0 < last ? -1 : $1 }, either)
    add("jump.\(ending)", CraftedOgg.withGranules(file) { $0 > last / 2 ? $1 + 96_000 : $1 }, "damaged")
    add("twice.\(ending)", file + file, either)
    var torn = pages
    torn[last / 2][22] ^= 1
    add("wrong checksum.\(ending)", torn.flatMap { $0 }, either)
    var holed = pages
    holed.remove(at: last / 2)
    add("page missing.\(ending)", holed.flatMap { $0 }, "damaged")
    add("cut.\(ending)", pages.dropLast().flatMap { $0 }, "damaged")
    add("cut in a page.\(ending)", Array(file.dropLast(200)), "damaged")
  }
}

/// Ogg files of which single numbers are changed, with right checksums.
enum CraftedOgg {
  /// With other bytes in the first packet.
  static func withHead(_ file: [UInt8], at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var pages = OggBytes.pages(file)
    let start = 27 + Int(pages[0][26]) + offset
    pages[0].replaceSubrange(start..<start + bytes.count, with: bytes)
    pages[0] = OggBytes.withChecksum(pages[0])
    return pages.flatMap { $0 }
  }

  /// Vorbis with another rate in the identification header.
  static func withRate(_ rate: Int, _ file: [UInt8]) -> [UInt8] {
    withHead(file, at: 12, littleEndian(UInt32(rate)))
  }

  static func granule(_ page: [UInt8]) -> Int64 {
    (0..<8).reduce(0) { $0 | Int64(page[6 + $1]) << (8 * Int64($1)) }
  }

  /// - Parameter change: The new position of a page, from its number and its position.
  static func withGranules(_ file: [UInt8], _ change: (_ number: Int, _ granule: Int64) -> Int64) -> [UInt8] {
    OggBytes.pages(file).enumerated().flatMap { number, page in
      var page = page
      page.replaceSubrange(6..<14, with: littleEndian(change(number, granule(page))))
      return OggBytes.withChecksum(page)
    }
  }
}
