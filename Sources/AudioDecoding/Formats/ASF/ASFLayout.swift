internal import MediaModel

/// What a Windows Media file says about its audio, and where its packets are (Advanced Systems Format Specification,
/// sections 2 to 5).
struct ASFLayout {
  static let headerIdentifier: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  /// A stream of audio, by its stream properties object.
  struct Stream: Hashable {
    let number: UInt8
    let isEncrypted: Bool
    /// WAVEFORMATEX, the format of the packets.
    let configuration: [UInt8]
    /// How its bytes are interleaved; nil if they are in order.
    let spread: Spread?

    var formatTag: UInt16? { configuration.littleEndian(UInt16.self, at: 0) }
  }

  /// Pieces of packets that change places, so that a lost packet is a short gap (section 9.5).
  struct Spread: Hashable {
    let span: UInt8
    let packetByteCount: UInt16
    let chunkByteCount: UInt16

    /// nil if it changes nothing.
    init?(_ body: [UInt8]) {
      guard body.count >= 5, body[0] > 1, let packet = body.littleEndian(UInt16.self, at: 1),
        let chunk = body.littleEndian(UInt16.self, at: 3), chunk > 0, packet % chunk == 0, packet / chunk > 1
      else { return nil }
      (span, packetByteCount, chunkByteCount) = (body[0], packet, chunk)
    }
  }

  /// The first one; nil if there is none.
  private(set) var stream: Stream?
  /// Whether there are further streams, of any kind.
  private(set) var hasOtherStreams = false
  /// Bytes of a packet of the file, at least and at most.
  private(set) var packetByteCounts: (minimum: UInt32, maximum: UInt32) = (0, 0)
  /// The packets after the header of the data object; nil if there is no such object.
  private(set) var packets: Range<Int64>?
  /// What the data object should have behind the end of the file; 0 also if its length was never filled in.
  private(set) var missingByteCount: Int64 = 0

  /// - Parameter start: of the header object.
  init(_ bytes: BufferedBytes, start: Int64) throws(DecodingError) {
    var objects = ASFObjects(bytes, start: start)
    while let object = try objects.next() {
      let body = object.body
      switch Identifier(object.identifier) {
      case .data:
        if body.lowerBound + 26 <= body.upperBound { packets = body.lowerBound + 26..<body.upperBound }
        if object.claimedByteCount < 1 << 62 {
          missingByteCount = max(0, object.range.lowerBound + Int64(object.claimedByteCount) - bytes.byteCount)
        }
      case .fileProperties:
        guard packetByteCounts == (0, 0) else { break }
        let sizes = try bytes.copy(at: body.lowerBound + 68, count: 8)
        packetByteCounts = (
          sizes.littleEndian(UInt32.self, at: 0) ?? 0, sizes.littleEndian(UInt32.self, at: 4) ?? 0
        )
      case .streamProperties: try add(bytes, body: body)
      case .extendedStreamProperties:
        if let place = try Self.endOfExtendedProperties(bytes, body: body) { objects.enter(at: place) }
      case nil: break
      }
    }
  }

  private mutating func add(_ bytes: BufferedBytes, body: Range<Int64>) throws(DecodingError) {
    let head = try bytes.copy(at: body.lowerBound, count: 54)
    if stream != nil || !head.starts(with: Self.audioType) { hasOtherStreams = true }
    guard stream == nil, head.count == 54, head.starts(with: Self.audioType),
      let length = head.littleEndian(UInt32.self, at: 40), let errorLength = head.littleEndian(UInt32.self, at: 44),
      let flags = head.littleEndian(UInt16.self, at: 48)
    else { return }
    let place = body.lowerBound + 54
    let configuration = try bytes.copy(at: place, count: Int(min(length, 1 << 16)))
    var spread: Spread?
    if head[16..<32].elementsEqual(Self.audioSpread) {
      spread = Spread(try bytes.copy(at: place + Int64(length), count: Int(min(errorLength, 64))))
    }
    stream = Stream(
      number: UInt8(flags & 0x7F), isEncrypted: flags >> 15 == 1, configuration: configuration, spread: spread)
  }

  /// Where a stream properties object may stand, which extended properties may have at their end.
  private static func endOfExtendedProperties(
    _ bytes: BufferedBytes, body: Range<Int64>
  ) throws(DecodingError) -> Int64? {
    let counts = try bytes.copy(at: body.lowerBound + 60, count: 4)
    guard let nameCount = counts.littleEndian(UInt16.self, at: 0),
      let systemCount = counts.littleEndian(UInt16.self, at: 2)
    else { return nil }
    var place = body.lowerBound + 64
    for _ in 0..<nameCount where place < body.upperBound {
      let head = try bytes.copy(at: place, count: 4)
      place += 4 + Int64(head.littleEndian(UInt16.self, at: 2) ?? 0)
    }
    for _ in 0..<systemCount where place < body.upperBound {
      let head = try bytes.copy(at: place, count: 22)
      place += 22 + Int64(head.littleEndian(UInt32.self, at: 18) ?? 0)
    }
    return place + 24 <= body.upperBound ? place : nil
  }

  var content: SniffedContent {
    guard let stream else { return .audio(.asf, nil, name: "no audio stream") }
    let (codec, name): (Codec?, String) =
      switch stream.formatTag {
      case 0x160: (.wma, "WMA 1")
      case 0x161: (.wma, "WMA 2")
      case 0x162: (.wma, "WMA Pro")
      case 0x163: (.wma, "WMA Lossless")
      case 0x0A: (.wma, "WMA Voice")
      case 0x55: (.mp3, "MP3")
      default: (nil, "an unknown codec")
      }
    return .audio(.asf, codec, name: name, isProtected: stream.isEncrypted)
  }
}

extension ASFLayout {
  private static let audioType: [UInt8] = [
    0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]
  private static let audioSpread: [UInt8] = [
    0x50, 0xCD, 0xC3, 0xBF, 0x8F, 0x61, 0xCF, 0x11, 0x8B, 0xB2, 0x00, 0xAA, 0x00, 0xB4, 0xE2, 0x20,
  ]

  /// Of the objects that are read here.
  private enum Identifier: CaseIterable {
    case data, fileProperties, streamProperties, extendedStreamProperties

    var bytes: [UInt8] {
      switch self {
      case .data: ASFObjects.data
      case .fileProperties:
        [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65]
      case .streamProperties:
        [0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65]
      case .extendedStreamProperties:
        [0xCB, 0xA5, 0xE6, 0x14, 0x72, 0xC6, 0x32, 0x43, 0x83, 0x99, 0xA9, 0x69, 0x52, 0x06, 0x5B, 0x5A]
      }
    }

    init?(_ head: [UInt8]) {
      guard let found = Self.allCases.first(where: { head.starts(with: $0.bytes) }) else { return nil }
      self = found
    }
  }
}

// MARK: Identity

extension ASFLayout {
  /// Packets in which a pattern is searched.
  private static let comparedPacketCount = 64

  /// What the packets do not say of themselves and a reader uses: which bytes are a packet, and which are those of the
  /// stream. Empty for what the packets themselves show or nearly all files have, so that it changes the hash of none
  /// of them.
  func unusualReading(_ bytes: BufferedBytes) throws(DecodingError) -> String {
    guard let stream, let packets else { return "" }
    var words: [String] = []
    let natural = try Self.naturalPacketByteCount(bytes, in: packets)
    let (minimum, maximum) = packetByteCounts
    // In what is left of a file that was cut in its first packet, all that are as long mean the same.
    let isUsual = natural.map { $0 == Int64(maximum) } ?? (Int64(maximum) >= packets.upperBound - packets.lowerBound)
    if minimum != maximum || !isUsual { words.append("packets \(minimum) \(maximum)") }
    if stream.number != 1 { words.append("stream \(stream.number)") }
    if let spread = stream.spread {
      words.append("spread \(spread.span) \(spread.packetByteCount) \(spread.chunkByteCount)")
    }
    return words.map { " " + $0 }.joined()
  }

  /// After how many bytes the same three bytes come back again and again with which the first packet begins; nil if
  /// they never do. Packets begin with error correction data that is the same in all of them (section 5.2.1).
  private static func naturalPacketByteCount(
    _ bytes: BufferedBytes, in range: Range<Int64>
  ) throws(DecodingError) -> Int64? {
    let start = range.lowerBound
    let byteCount = range.upperBound - start
    let window = try bytes.copy(at: start, count: Int(min(byteCount, (1 << 16) + 3)))
    guard window.count >= 6, window[0] & 0x80 != 0 else { return nil }
    let mark = Array(window[..<3])
    for size in 3...window.count - 3
    where window[size] == mark[0] && window[size + 1] == mark[1] && window[size + 2] == mark[2] {
      var isRepeated = true
      for number in 2..<Int64(comparedPacketCount) where isRepeated && number * Int64(size) + 3 <= byteCount {
        isRepeated = try bytes.copy(at: start + number * Int64(size), count: 3) == mark
      }
      if isRepeated { return Int64(size) }
    }
    return nil
  }
}
