/// MP4 files with one or more audio tracks of AAC, made by hand (ISO 14496-12).
package struct MP4Bytes {
  /// Silence in mono: 1,024 frames.
  package static let silentPacket: [UInt8] = [0x01, 0x18, 0x20, 0x07]
  /// AAC LC at 44,100 Hz, mono, as a decoder's configuration.
  package static let configuration: [UInt8] = [0x12, 0x08]

  package var packets = [[UInt8]](repeating: silentPacket, count: 20)
  package var configuration = MP4Bytes.configuration
  /// Samples of each chunk, in turn.
  package var chunkLengths = [7, 3]
  /// Pairs of a number of samples and the ticks of each.
  package var durations: [(count: Int, ticks: Int)] = [(20, 1024)]
  /// Pairs of a duration in ticks of the movie and a time in ticks of the track.
  package var edits: [(duration: Int, time: Int)] = []
  package var timescale = 44_100
  package var movieTimescale = 1000
  package var hasLongOffsets = false
  /// 4, 8 or 16 bits in a compact table; 32 in the usual one; nil for one size for all.
  package var sizeBitCount: Int? = 32
  /// `iTunSMPB`.
  package var gaplessComment: String?
  /// Other items of metadata with names of their own.
  package var freeForm: [(name: String, text: String)] = []
  /// Further atoms of metadata, whole.
  package var items: [[UInt8]] = []
  /// Samples in each fragment; empty for none.
  package var fragmentLengths: [Int] = []
  package var isEnabled = true
  /// Tracks before this one.
  package var otherTracks: [MP4Bytes] = []
  /// Bytes before the samples, such as those of other tracks.
  package var padding = 0

  package init() {}

  package static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    bigEndian(UInt32(8 + parts.reduce(0) { $0 + $1.count })) + Array(type.utf8) + parts.flatMap { $0 }
  }

  private static func table(_ type: String, _ entries: [[UInt8]]) -> [UInt8] {
    box(type, [0, 0, 0, 0], bigEndian(UInt32(entries.count)), entries.flatMap { $0 })
  }

  /// The whole file: `ftyp`, `mdat`, `moov`, then fragments.
  package var bytes: [UInt8] {
    let kind = Self.box("ftyp", Array("M4A ".utf8), [0, 0, 0, 0])
    let inMovie = fragmentLengths.isEmpty ? packets : []
    let media = Self.box("mdat", [UInt8](repeating: 0xAA, count: padding), inMovie.flatMap { $0 })
    let header = Self.box(
      "mvhd", [0, 0, 0, 0], [UInt8](repeating: 0, count: 8), bigEndian(UInt32(movieTimescale)),
      [UInt8](repeating: 0, count: 84))
    let tracks = (otherTracks + [self]).enumerated().flatMap { number, track in
      track.track(
        number: number + 1, samplesAt: kind.count + 8 + padding, inMovie: number == otherTracks.count ? inMovie : [])
    }
    let extends =
      fragmentLengths.isEmpty
      ? []
      : Self.box("mvex", Self.box("trex", [0, 0, 0, 0] + [1, 1, 1024, 0, 0].flatMap { bigEndian(UInt32($0)) }))
    let movie = Self.box("moov", header, tracks, extends, metadata)
    return kind + media + movie + fragments
  }

  private func track(number: Int, samplesAt start: Int, inMovie: [[UInt8]]) -> [UInt8] {
    let header = Self.box(
      "tkhd", [0, 0, 0, isEnabled ? 7 : 6], [UInt8](repeating: 0, count: 8), bigEndian(UInt32(number)),
      [UInt8](repeating: 0, count: 68))
    let list = edits.map { bigEndian(UInt32($0.duration)) + bigEndian(Int32($0.time)) + [0, 1, 0, 0] }
    let mediaHeader = Self.box(
      "mdhd", [0, 0, 0, 0], [UInt8](repeating: 0, count: 8), bigEndian(UInt32(timescale)),
      [UInt8](repeating: 0, count: 8))
    let handler = Self.box(
      "hdlr", [UInt8](repeating: 0, count: 8), Array("soun".utf8), [UInt8](repeating: 0, count: 13))
    let tables = Self.box(
      "stbl", description,
      Self.table("stts", durations.map { bigEndian(UInt32($0.count)) + bigEndian(UInt32($0.ticks)) }),
      chunkTables(inMovie, at: start), sizes(inMovie))
    let media = Self.box("mdia", mediaHeader, handler, Self.box("minf", tables))
    return Self.box("trak", header, edits.isEmpty ? [] : Self.box("edts", Self.table("elst", list)), media)
  }

  private var description: [UInt8] {
    func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body }
    let decoder = [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + descriptor(5, configuration)
    let stream = Self.box("esds", [0, 0, 0, 0], descriptor(3, [0, 1, 0] + descriptor(4, decoder)))
    let entry = Self.box(
      "mp4a", [0, 0, 0, 0, 0, 0, 0, 1], [UInt8](repeating: 0, count: 8), [0, 1, 0, 16, 0, 0, 0, 0],
      bigEndian(UInt32(44_100) << 16), stream)
    return Self.table("stsd", [entry])
  }

  private func chunkTables(_ samples: [[UInt8]], at start: Int) -> [UInt8] {
    var offsets: [Int] = []
    var runs: [[UInt8]] = []
    var (place, number) = (start, 0)
    while number < samples.count {
      let length = min(chunkLengths[offsets.count % chunkLengths.count], samples.count - number)
      offsets.append(place)
      runs.append(bigEndian(UInt32(offsets.count)) + bigEndian(UInt32(length)) + bigEndian(UInt32(1)))
      place += samples[number..<number + length].reduce(0) { $0 + $1.count }
      number += length
    }
    let chunks = offsets.map { hasLongOffsets ? bigEndian(UInt64($0)) : bigEndian(UInt32($0)) }
    return Self.table("stsc", runs) + Self.table(hasLongOffsets ? "co64" : "stco", chunks)
  }

  private func sizes(_ samples: [[UInt8]]) -> [UInt8] {
    let count = bigEndian(UInt32(samples.count))
    switch sizeBitCount {
    case nil: return Self.box("stsz", [0, 0, 0, 0], bigEndian(UInt32(samples.first?.count ?? 0)), count)
    case 4:
      let pairs = stride(from: 0, to: samples.count, by: 2).map { first in
        UInt8(samples[first].count << 4 | (first + 1 < samples.count ? samples[first + 1].count : 0))
      }
      return Self.box("stz2", [0, 0, 0, 0, 0, 0, 0, 4], count, pairs)
    case 8: return Self.box("stz2", [0, 0, 0, 0, 0, 0, 0, 8], count, samples.map { UInt8($0.count) })
    case 16: return Self.box("stz2", [0, 0, 0, 0, 0, 0, 0, 16], count, samples.flatMap { bigEndian(UInt16($0.count)) })
    default: return Self.box("stsz", [0, 0, 0, 0, 0, 0, 0, 0], count, samples.flatMap { bigEndian(UInt32($0.count)) })
    }
  }

  private var metadata: [UInt8] {
    let named = (gaplessComment.map { [("iTunSMPB", $0)] } ?? []) + freeForm.map { ($0.name, $0.text) }
    guard !named.isEmpty || !items.isEmpty else { return [] }
    let list = named.flatMap { name, text in
      Self.box(
        "----", Self.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)),
        Self.box("name", [0, 0, 0, 0] + Array(name.utf8)),
        Self.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
    }
    let handler = Self.box(
      "hdlr", [UInt8](repeating: 0, count: 8), Array("mdirappl".utf8), [UInt8](repeating: 0, count: 9))
    return Self.box("udta", Self.box("meta", [0, 0, 0, 0], handler, Self.box("ilst", list, items.flatMap { $0 })))
  }

  private var fragments: [UInt8] {
    var result: [UInt8] = []
    var first = 0
    for length in fragmentLengths {
      let samples = packets[first..<min(packets.count, first + length)]
      first += length
      func fragment(dataOffset: Int) -> [UInt8] {
        // Sizes stand in the entries, durations are those of the movie.
        let entries = samples.flatMap { bigEndian(UInt32($0.count)) }
        let run = Self.box(
          "trun", bigEndian(UInt32(0x201)), bigEndian(UInt32(samples.count)), bigEndian(Int32(dataOffset)), entries)
        return Self.box(
          "moof", Self.box("traf", Self.box("tfhd", bigEndian(UInt32(0x20000)), bigEndian(UInt32(1))), run))
      }
      let head = fragment(dataOffset: 0)
      result += fragment(dataOffset: head.count + 8) + Self.box("mdat", samples.flatMap { $0 })
    }
    return result
  }

  /// The numbers of `iTunSMPB` as text.
  package static func gaplessComment(delay: Int, padding: Int, frameCount: Int) -> String {
    func hexadecimal(_ number: Int, _ count: Int) -> String {
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return
      " 00000000 \(hexadecimal(delay, 8)) \(hexadecimal(padding, 8)) \(hexadecimal(frameCount, 16)) 00000000 00000000"
  }
}
