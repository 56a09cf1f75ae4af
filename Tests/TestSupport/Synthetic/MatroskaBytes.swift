/// Matroska files with an audio track, made by hand (RFC 9559).
package struct MatroskaBytes {
  package enum Lacing { case none, xiph, ebml, fixed }

  /// AAC, as in ``MP4Bytes``.
  package var packets = [[UInt8]](repeating: MP4Bytes.silentPacket, count: 20)
  package var codec = "A_AAC"
  package var configuration = MP4Bytes.configuration
  package var sampleRateInHz: Double = 44_100
  package var channelCount = 1
  package var bitDepth: Int?
  package var lacing = Lacing.none
  package var packetsPerBlock = 1
  package var blocksPerCluster = 3
  /// In milliseconds, of each block; empty for times that count blocks.
  package var blockTimes: [Int] = []
  /// Whether the sizes of segment and clusters are left open, as in live streams.
  package var isLive = false
  /// Whether blocks stand in groups.
  package var hasGroups = false
  /// Whether filler, checksums and elements that nobody knows are in between.
  package var hasFiller = false
  /// Of packets, by its number in the format, and its settings.
  package var compression: (algorithm: Int, settings: [UInt8])?
  package var isEncrypted = false
  /// In nanoseconds.
  package var codecDelay = 0
  package var discardPadding = 0
  /// Entries before the one of this track.
  package var otherTracks: [[UInt8]] = []
  /// Further elements of the segment: tags, attachments.
  package var others: [[UInt8]] = []

  package init() {}

  /// An element with a size of eight bytes; nil leaves it open.
  package static func element(_ identifier: UInt32, _ body: [UInt8]?) -> [UInt8] {
    let name = Array(bigEndian(identifier).drop { $0 == 0 })
    guard let body else { return name + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
    return name + [0x01] + Array(bigEndian(UInt64(body.count)).dropFirst()) + body
  }

  package static func element(_ identifier: UInt32, number: Int) -> [UInt8] {
    element(identifier, bigEndian(UInt64(bitPattern: Int64(number))))
  }

  package static func element(_ identifier: UInt32, text: String) -> [UInt8] { element(identifier, Array(text.utf8)) }

  /// The entry of a track.
  package static func entry(
    number: Int, type: Int = 2, codec: String, isEnabled: Bool = true, isDefault: Bool = true, _ rest: [UInt8] = []
  ) -> [UInt8] {
    element(
      0xAE,
      element(0xD7, number: number) + element(0x73C5, number: 1000 + number) + element(0x83, number: type)
        + element(0xB9, number: isEnabled ? 1 : 0) + element(0x88, number: isDefault ? 1 : 0)
        + element(0x86, text: codec) + rest)
  }

  /// A tag with pairs of a name and a text.
  package static func tag(level: Int? = nil, track: Int? = nil, _ values: [(String, String)]) -> [UInt8] {
    let targets =
      (level.map { element(0x68CA, number: $0) } ?? []) + (track.map { element(0x63C5, number: $0) } ?? [])
    return element(
      0x7373,
      element(0x63C0, targets)
        + values.flatMap { element(0x67C8, element(0x45A3, text: $0.0) + element(0x4487, text: $0.1)) })
  }

  /// An edition with chapters.
  ///
  /// - Parameter flags: identifiers of its flags that are set.
  package static func edition(flags: [UInt32] = [], _ chapters: [UInt8]...) -> [UInt8] {
    element(0x45B9, flags.flatMap { element($0, number: 1) } + chapters.flatMap { $0 })
  }

  /// A chapter.
  ///
  /// - Parameters:
  ///   - start: in milliseconds, as is `end`.
  ///   - titles: in several languages.
  ///   - more: Further elements, such as chapters in it.
  package static func chapter(_ start: Int, _ end: Int? = nil, _ titles: String..., more: [UInt8] = []) -> [UInt8] {
    let times = element(0x91, number: start * 1_000_000) + (end.map { element(0x92, number: $0 * 1_000_000) } ?? [])
    let names = titles.enumerated().flatMap {
      element(0x80, element(0x437C, text: ["eng", "deu", "fra"][$0.offset % 3]) + element(0x85, text: $0.element))
    }
    return element(0xB6, element(0x73C4, number: start + 1) + times + names + more)
  }

  package static func attachment(name: String, type: String, _ bytes: [UInt8]) -> [UInt8] {
    element(0x61A7, element(0x466E, text: name) + element(0x4660, text: type) + element(0x465C, bytes))
  }

  package var bytes: [UInt8] {
    let head = Self.element(0x1A45_DFA3, Self.element(0x4282, text: "matroska"))
    let info = Self.element(0x1549_A966, Self.element(0x2AD7_B1, number: 1_000_000))
    let tracks = Self.element(
      0x1654_AE6B, otherTracks.flatMap { $0 } + Self.entry(number: 1, codec: codec, trackRest))
    let body = info + tracks + others.flatMap { $0 } + clusters
    return head + (isLive ? Self.element(0x1853_8067, nil) + body : Self.element(0x1853_8067, body))
  }

  private var trackRest: [UInt8] {
    let audio =
      Self.element(0xB5, bigEndian(sampleRateInHz.bitPattern)) + Self.element(0x9F, number: channelCount)
      + (bitDepth.map { Self.element(0x6264, number: $0) } ?? [])
    var rest = Self.element(0xE1, audio) + Self.element(0x63A2, configuration)
    if codecDelay > 0 { rest += Self.element(0x56AA, number: codecDelay) }
    if let compression {
      let settings =
        Self.element(0x4254, number: compression.algorithm) + Self.element(0x4255, compression.settings)
      rest += Self.element(0x6D80, Self.element(0x6240, Self.element(0x5034, settings)))
    }
    if isEncrypted { rest += Self.element(0x6D80, Self.element(0x6240, Self.element(0x5033, number: 1))) }
    return rest
  }

  private var clusters: [UInt8] {
    let filler = hasFiller ? Self.element(0xEC, [1, 2, 3]) + Self.element(0x4DBB, [0xA3, 0x81]) : []
    let blocks = stride(from: 0, to: packets.count, by: packetsPerBlock).enumerated().map { number, first in
      let group = Array(packets[first..<min(packets.count, first + packetsPerBlock)])
      let time =
        blockTimes.isEmpty ? 0 : blockTimes[number] - blockTimes[number / blocksPerCluster * blocksPerCluster]
      return filler + block(group, time: time, isLast: first + packetsPerBlock >= packets.count)
    }
    return stride(from: 0, to: blocks.count, by: blocksPerCluster).flatMap { first in
      let body =
        (hasFiller ? Self.element(0xBF, [0, 0, 0, 0]) : [])
        + Self.element(0xE7, number: blockTimes.isEmpty ? first : blockTimes[first])
        + blocks[first..<min(blocks.count, first + blocksPerCluster)].flatMap { $0 }
      return filler + (isLive ? Self.element(0x1F43_B675, nil) + body : Self.element(0x1F43_B675, body))
    }
  }

  private func block(_ packets: [[UInt8]], time: Int, isLast: Bool) -> [UInt8] {
    let isLaced = lacing != .none && packets.count > 1
    let flags: UInt8 = isLaced ? lacing == .xiph ? 2 : lacing == .fixed ? 4 : 6 : 0
    let lace: [UInt8] = isLaced ? [UInt8(packets.count - 1)] + sizes(packets) : []
    let body: [UInt8] = [0x81] + bigEndian(Int16(time)) + [flags] + lace + packets.flatMap { $0 }
    guard hasGroups || isLast && discardPadding != 0 else { return Self.element(0xA3, body) }
    let padding = isLast && discardPadding != 0 ? Self.element(0x75A2, number: discardPadding) : []
    return Self.element(0xA0, Self.element(0xA1, body) + padding)
  }

  private func sizes(_ packets: [[UInt8]]) -> [UInt8] {
    let counts = packets.map(\.count)
    switch lacing {
    case .none, .fixed: return []
    case .xiph:
      return counts.dropLast().flatMap { (count: Int) -> [UInt8] in
        [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
      }
    case .ebml:
      // Numbers of two bytes.
      let differences = zip(counts, counts.dropFirst()).dropLast().map { $1 - $0 + 0x1FFF }
      return ([counts[0]] + differences).flatMap { bigEndian(UInt16(0x4000 | $0)) }
    }
  }
}
