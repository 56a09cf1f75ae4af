import MediaModel

/// What a Matroska or WebM file says about its audio track, without a walk over its clusters (RFC 9559).
struct MatroskaLayout {
  private static let maximumTrackCount = 1000

  /// The first enabled default audio track, or else the first enabled one, or else the first one; nil if there is none.
  private(set) var track: MatroskaTrack?
  private(set) var hasVideo = false
  /// Where the segment begins; its end if it is stated.
  let start: Int64
  private(set) var declaredEnd: Int64?
  /// Of the times of clusters and blocks.
  private(set) var nanosecondsPerTick: Int64 = 1_000_000

  init(_ bytes: BufferedBytes, start: Int64 = 0) throws(DecodingError) {
    self.start = start
    var walk = MatroskaWalk(bytes, from: start, entersClusters: false)
    while let element = try walk.next() {
      if element.identifier == MatroskaID.segment, declaredEnd == nil, !element.hasUnknownSize {
        declaredEnd = element.body.upperBound
      }
      if element.identifier == MatroskaID.info {
        for child in try element.children(bytes) where child.identifier == 0x2AD7_B1 {
          nanosecondsPerTick = Int64(clamping: try child.unsigned(bytes) ?? 1_000_000)
        }
      }
      guard element.identifier == MatroskaID.tracks else { continue }
      try choose(among: element.children(bytes), bytes)
      break
    }
  }

  private mutating func choose(among entries: [EBMLElement], _ bytes: BufferedBytes) throws(DecodingError) {
    for entry in entries.prefix(Self.maximumTrackCount) where entry.identifier == 0xAE {
      let found = try MatroskaTrack(bytes, entry: entry)
      if found.kind == .video { hasVideo = true }
      guard found.kind == .audio, found.rank > track?.rank ?? -1 else { continue }
      track = found
    }
  }

  /// `video` if the file has more than sound.
  var notes: [String] { hasVideo ? ["video"] : [] }

  var content: SniffedContent {
    guard let track else { return .audio(.matroska, nil, name: "no audio track") }
    return .audio(.matroska, track.codec, name: track.codecName, isProtected: track.isEncrypted)
  }
}

/// A track of a Matroska file, by its entry (RFC 9559 section 5.1.4).
struct MatroskaTrack {
  enum Kind { case audio, video, other }

  /// How the bytes of a packet were changed before they were stored (RFC 9559 section 5.1.4.1.31).
  enum Encoding: Hashable {
    case none
    case zlib
    /// These bytes stand before each packet.
    case strippedHeader([UInt8])
    /// There is no decoder for it.
    case unknown
  }

  private static let maximumConfigurationByteCount = 16 << 20

  private(set) var number: UInt64 = 0
  private(set) var identifier: UInt64 = 0
  private(set) var kind = Kind.other
  private(set) var isEnabled = true
  private(set) var isDefault = true
  private(set) var codecIdentifier = ""
  private(set) var configuration: [UInt8] = []
  /// Before the recording, in nanoseconds.
  private(set) var codecDelay: Int64 = 0
  private(set) var sampleRateInHz = 8000
  private(set) var channelCount = 1
  private(set) var bitDepth: Int?
  private(set) var encoding = Encoding.none
  private(set) var isEncrypted = false

  init(_ bytes: BufferedBytes, entry: EBMLElement) throws(DecodingError) {
    for element in try entry.children(bytes) {
      switch element.identifier {
      case 0xD7: number = try element.unsigned(bytes) ?? 0
      case 0x73C5: identifier = try element.unsigned(bytes) ?? 0
      case 0x83:
        let number = try element.unsigned(bytes)
        kind = number == 2 ? .audio : number == 1 ? .video : .other
      case 0xB9: isEnabled = try element.unsigned(bytes) != 0
      case 0x88: isDefault = try element.unsigned(bytes) != 0
      case 0x86: codecIdentifier = String(decoding: try element.text(bytes, limit: 256), as: UTF8.self)
      case 0x63A2: configuration = try element.data(bytes, limit: Self.maximumConfigurationByteCount)
      case 0x56AA: codecDelay = Int64(clamping: try element.unsigned(bytes) ?? 0)
      case 0xE1: try readAudio(element, bytes)
      case 0x6D80: try readEncodings(element, bytes)
      default: break
      }
    }
  }

  /// The track with the highest one counts, of several the first.
  var rank: Int { isEnabled ? isDefault ? 2 : 1 : 0 }

  /// A time in nanoseconds as a number of frames, the nearest one; 0 for times without sense.
  static func frameCount(nanoseconds: Int64, sampleRateInHz: Int) -> Int64 {
    guard (1...3_600_000_000_000).contains(nanoseconds) else { return 0 }
    return Int64((Double(nanoseconds) * Double(sampleRateInHz) / 1e9).rounded())
  }

  private mutating func readAudio(_ element: EBMLElement, _ bytes: BufferedBytes) throws(DecodingError) {
    for element in try element.children(bytes) {
      switch element.identifier {
      case 0xB5:
        guard let rate = try element.float(bytes), (1...1e7).contains(rate) else { break }
        sampleRateInHz = Int(rate.rounded())
      case 0x9F: channelCount = Int(clamping: try element.unsigned(bytes) ?? 1)
      case 0x6264: bitDepth = try element.unsigned(bytes).map { Int(clamping: $0) }
      default: break
      }
    }
  }

  private mutating func readEncodings(_ element: EBMLElement, _ bytes: BufferedBytes) throws(DecodingError) {
    let encodings = try element.children(bytes).filter { $0.identifier == 0x6240 }
    for (number, element) in encodings.prefix(16).enumerated() {
      // By default a compression of all packets by zlib.
      var (scope, algorithm): (UInt64, UInt64) = (1, 0)
      var settings: [UInt8] = []
      for element in try element.children(bytes) {
        switch element.identifier {
        case 0x5032: scope = try element.unsigned(bytes) ?? 1
        case 0x5033 where try element.unsigned(bytes) == 1: isEncrypted = true
        case 0x5034:
          for element in try element.children(bytes) {
            if element.identifier == 0x4254 { algorithm = try element.unsigned(bytes) ?? 0 }
            if element.identifier == 0x4255 { settings = try element.data(bytes, limit: 1024) }
          }
        default: break
        }
      }
      guard scope & 1 == 1 else { continue }
      encoding = number > 0 ? .unknown : algorithm == 0 ? .zlib : algorithm == 3 ? .strippedHeader(settings) : .unknown
    }
  }
}
