internal import Base

/// The header of one page of an Ogg file (RFC 3533 section 6).
package struct OggPage {
  package static let maximumHeaderByteCount = 27 + 255
  private static let highestGranule: Int64 = 1 << 48

  package let offset: Int64
  package let headerByteCount: Int
  package let bodyByteCount: Int
  /// The first bytes continue a packet of the page before.
  package let isContinued: Bool
  package let isFirst: Bool
  package let isLast: Bool
  /// nil if no packet ends on the page, or the number is negative or impossible.
  package let granule: Int64?
  /// The number is greater than any number of samples in a stream could be.
  package let hasImpossibleGranule: Bool
  /// The number is below -1, which says that no packet ends on the page.
  package let hasNegativeGranule: Bool
  package let serial: UInt32
  package let sequence: UInt32
  package let lacing: [UInt8]

  /// From `head`, the bytes at `offset`; nil unless it holds a whole header.
  package init?(_ head: UnsafeRawBufferPointer, offset: Int64) {
    guard head.count >= 27, head.has("OggS", at: 0), head[4] == 0, head.count >= 27 + Int(head[26]),
      let granule = head.littleEndian(Int64.self, at: 6), let serial = head.littleEndian(UInt32.self, at: 14),
      let sequence = head.littleEndian(UInt32.self, at: 18)
    else { return nil }
    self.offset = offset
    self.serial = serial
    self.sequence = sequence
    hasImpossibleGranule = granule > Self.highestGranule
    hasNegativeGranule = granule < -1
    self.granule = granule < 0 || hasImpossibleGranule ? nil : granule
    isContinued = head[5] & 1 != 0
    isFirst = head[5] & 2 != 0
    isLast = head[5] & 4 != 0
    headerByteCount = 27 + Int(head[26])
    lacing = Array(head[27..<headerByteCount])
    bodyByteCount = lacing.reduce(0) { $0 + Int($1) }
  }

  package var byteCount: Int { headerByteCount + bodyByteCount }
  package var bodyOffset: Int64 { offset + Int64(headerByteCount) }

  /// The number of packets that end on the page.
  package var completedPacketCount: Int { lacing.reduce(0) { $0 + ($1 < 255 ? 1 : 0) } }
}

/// Walks the pages of an Ogg file; counts and skips junk, and pages with a wrong checksum.
package struct OggPageScanner {
  private let bytes: BufferedBytes
  private let end: Int64
  package private(set) var position: Int64
  /// Bytes skipped just before the last page, or before the end.
  package private(set) var skippedByteCount: Int64 = 0
  private let checksSums: Bool
  /// More bytes in a row that are no page end the walk.
  private var skippableByteCount = BufferedBytes.resyncLimit

  /// - Parameter checksSums: false to take pages with a wrong checksum for pages.
  package init(_ bytes: BufferedBytes, range: Range<Int64>, checksSums: Bool = true) {
    self.bytes = bytes
    self.checksSums = checksSums
    position = range.lowerBound
    end = min(range.upperBound, bytes.byteCount)
  }

  /// From the first page of a file to the end of its audio.
  package static func range(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64> {
    let audio = try TagBounds(bytes).audio
    if try bytes.matches("OggS", at: audio.lowerBound) { return audio }
    return (try firstPage(bytes, around: audio) ?? audio.lowerBound)..<audio.upperBound
  }

  /// Where the first page of a stream begins that is behind bytes that belong to none; nil if there is none.
  ///
  /// A tag before it may be shorter than it says, so that the page stands before `audio`.
  package static func firstPage(_ bytes: BufferedBytes, around audio: Range<Int64>) throws(DecodingError) -> Int64? {
    let start = max(0, audio.lowerBound - BufferedBytes.resyncLimit)
    var scanner = OggPageScanner(bytes, range: start..<audio.upperBound)
    let limit = audio.lowerBound + BufferedBytes.resyncLimit
    scanner.skippableByteCount = limit - start
    while let page = try scanner.next(), page.offset < limit { if page.isFirst { return page.offset } }
    return nil
  }

  package mutating func next() throws(DecodingError) -> OggPage? {
    skippedByteCount = 0
    while position < end, skippedByteCount <= skippableByteCount {
      if let page = try pageHere() {
        position += Int64(page.byteCount)
        return page
      }
      try skipToNextCapture()
    }
    return nil
  }

  private func pageHere() throws(DecodingError) -> OggPage? {
    let page = try bytes.withBytes(at: position, count: OggPage.maximumHeaderByteCount) {
      OggPage($0, offset: position)
    }
    guard let page, position + Int64(page.byteCount) <= end else { return nil }
    guard checksSums else { return page }
    let isIntact = try bytes.withBytes(at: position, count: page.byteCount) {
      $0.count == page.byteCount && $0.littleEndian(UInt32.self, at: 22) == OggChecksum.ofPage($0)
    }
    return isIntact ? page : nil
  }

  /// Goes to the next "O" after the current position.
  private mutating func skipToNextCapture() throws(DecodingError) {
    let skipped = try bytes.byteCountToSync(
      from: position + 1, before: end, limit: skippableByteCount - skippedByteCount - 1
    ) { $0 == 0x4F }
    position += 1 + skipped
    skippedByteCount += 1 + skipped
  }
}
