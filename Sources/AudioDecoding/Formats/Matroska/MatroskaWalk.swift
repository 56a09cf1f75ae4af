/// The elements of Matroska that are read here (RFC 9559 section 5.1).
enum MatroskaID {
  static let header: UInt32 = 0x1A45_DFA3
  static let segment: UInt32 = 0x1853_8067
  static let info: UInt32 = 0x1549_A966
  static let tracks: UInt32 = 0x1654_AE6B
  static let tags: UInt32 = 0x1254_C367
  static let attachments: UInt32 = 0x1941_A469
  static let chapters: UInt32 = 0x1043_A770
  static let cluster: UInt32 = 0x1F43_B675
  static let clusterTime: UInt32 = 0xE7
  static let simpleBlock: UInt32 = 0xA3
  static let blockGroup: UInt32 = 0xA0
  static let block: UInt32 = 0xA1
  static let discardPadding: UInt32 = 0x75A2

  /// All that may stand in a segment, a cluster or a group of blocks.
  static let known: Set<UInt32> = [
    header, segment, info, tracks, tags, attachments, chapters, cluster, clusterTime, simpleBlock, blockGroup, block,
    discardPadding,
    // Seek head, cues, filler, checksum.
    0x114D_9B74, 0x1C53_BB6B, 0xEC, 0xBF,
    // In a cluster: silent tracks, position, previous size, encrypted block.
    0x5854, 0xA7, 0xAB, 0xAF,
    // In a group: virtual block, additions, duration, priority, references, state, slices, reference frame.
    0xA2, 0x75A1, 0x9B, 0xFA, 0xFB, 0xFD, 0xA4, 0x8E, 0xC8,
  ]
}

/// Walks over the elements of a Matroska file in one row: a segment, a cluster and a group of blocks are entered.
///
/// So nothing depends on their sizes, which live streams leave open and damaged files get wrong. What makes no sense is
/// skipped up to the next cluster.
struct MatroskaWalk {
  private let bytes: BufferedBytes
  /// Whether clusters are entered, or skipped if they have a size.
  private let entersClusters: Bool
  private(set) var offset: Int64
  /// Of the cluster that is being walked, if it has a size.
  private var clusterEnd: Int64?
  /// Bytes before the last element that are not Matroska.
  private(set) var skippedByteCount: Int64 = 0
  /// The file ends inside an element.
  private(set) var isCutAtEnd = false

  init(_ bytes: BufferedBytes, from offset: Int64, entersClusters: Bool) {
    self.bytes = bytes
    self.offset = offset
    self.entersClusters = entersClusters
  }

  /// The next element; nil at the end. The bytes of its body are all in the file, unless it was entered.
  mutating func next() throws(DecodingError) -> EBMLElement? {
    skippedByteCount = 0
    while offset < bytes.byteCount {
      if let end = clusterEnd, offset >= end { clusterEnd = nil }
      guard let element = try EBMLElement(bytes, at: offset), try isPlausible(element) else {
        try skipToCluster(from: offset)
        continue
      }
      if isEntered(element) {
        if element.identifier == MatroskaID.cluster {
          clusterEnd = element.hasUnknownSize ? nil : element.body.upperBound
        }
        offset = element.body.lowerBound
      } else {
        offset = element.body.upperBound
      }
      return element
    }
    return nil
  }

  private func isEntered(_ element: EBMLElement) -> Bool {
    switch element.identifier {
    case MatroskaID.segment, MatroskaID.blockGroup: true
    case MatroskaID.cluster: entersClusters || element.hasUnknownSize
    default: false
    }
  }

  private func isPlausible(_ element: EBMLElement) throws(DecodingError) -> Bool {
    let isKnown = MatroskaID.known.contains(element.identifier)
    if isKnown, isEntered(element) { return true }
    let end = element.body.upperBound
    guard !element.hasUnknownSize, end <= min(bytes.byteCount, clusterEnd ?? .max) else { return false }
    // A later version may have more elements.
    if isKnown || end == bytes.byteCount { return true }
    return try EBMLElement(bytes, at: end).map { MatroskaID.known.contains($0.identifier) } ?? false
  }

  private mutating func skipToCluster(from start: Int64) throws(DecodingError) {
    clusterEnd = nil
    offset = start
    repeat {
      offset += 1
      offset += try bytes.byteCountToSync(from: offset, before: bytes.byteCount, limit: .max) { $0 == 0x1F }
      if try bytes.bigEndian(UInt32.self, at: offset) == MatroskaID.cluster {
        skippedByteCount += offset - start
        return
      }
    } while offset < bytes.byteCount
    // Nothing follows: the last element is incomplete, or what is behind it is no element.
    isCutAtEnd =
      try EBMLElement(bytes, at: start).map {
        MatroskaID.known.contains($0.identifier) && $0.body.upperBound > bytes.byteCount
      } ?? false
    skippedByteCount += isCutAtEnd ? 0 : bytes.byteCount - start
    offset = bytes.byteCount
  }
}
