/// Assembles the packets of one logical stream from its pages.
final class OggPacketReader {
  struct Packet {
    var bytes: [UInt8]
    /// Position at the end of the packet; nil unless it is the last one that ends on its page.
    var granule: Int64?
    /// The stream ends with it.
    var isLast: Bool
    /// Pages are missing between it and the packet before.
    var isBehindGap: Bool
  }

  private static let maximumPacketByteCount = 16 << 20

  private let bytes: BufferedBytes
  private let link: OggLayout.Link
  private var scanner: OggPageScanner
  private var page: OggPage?
  private var nextSegment = 0
  private var nextBodyOffset: Int64 = 0
  private var lastSequence: UInt32?
  /// The start of a packet whose end is on a later page; nil after a gap, until a packet starts.
  private var partial: [UInt8]? = []
  /// Pages are missing before the next packet.
  private var isBehindGap = false

  /// - Parameter offset: of the page to start with; if nil, that of the link's first page.
  init(_ bytes: BufferedBytes, link: OggLayout.Link, from offset: Int64? = nil) {
    self.bytes = bytes
    self.link = link
    scanner = OggPageScanner(bytes, range: (offset ?? link.range.lowerBound)..<link.range.upperBound)
  }

  /// A reader that continues at the position of `other`.
  init(copying other: OggPacketReader) {
    bytes = other.bytes
    link = other.link
    scanner = other.scanner
    page = other.page
    nextSegment = other.nextSegment
    nextBodyOffset = other.nextBodyOffset
    lastSequence = other.lastSequence
    partial = other.partial
    isBehindGap = other.isBehindGap
  }

  func next() throws(DecodingError) -> Packet? {
    while true {
      if page == nil, try !loadPage() { return nil }
      guard let page else { return nil }
      var length = 0
      var isComplete = false
      while nextSegment < page.lacing.count, !isComplete {
        length += Int(page.lacing[nextSegment])
        isComplete = page.lacing[nextSegment] < 255
        nextSegment += 1
      }
      // The rest of a packet that is longer is dropped: no packet of sound is, and of comments only their place
      // matters.
      if partial?.count ?? 0 <= Self.maximumPacketByteCount {
        try bytes.withBytes(at: nextBodyOffset, count: length) { partial?.append(contentsOf: $0) }
      }
      nextBodyOffset += Int64(length)
      guard isComplete else {
        self.page = nil
        continue
      }
      let isLastOnPage = !page.lacing[nextSegment...].contains { $0 < 255 }
      if nextSegment == page.lacing.count { self.page = nil }
      let packet = partial
      partial = []
      guard let packet else { continue }
      defer { isBehindGap = false }
      return Packet(
        bytes: packet, granule: isLastOnPage ? page.granule : nil,
        isLast: isLastOnPage && page.isLast && page.offset == link.lastPageOffset, isBehindGap: isBehindGap)
    }
  }

  /// The bytes of the next packets, at most `count` of them.
  func nextPackets(_ count: Int) throws(DecodingError) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    while packets.count < count, let packet = try next() { packets.append(packet.bytes) }
    return packets
  }

  private func loadPage() throws(DecodingError) -> Bool {
    while let next = try scanner.next() {
      guard next.serial == link.serial else { continue }
      let isNextInRow = lastSequence.map { next.sequence == $0 &+ 1 } ?? false
      if lastSequence != nil, !isNextInRow { isBehindGap = true }
      lastSequence = next.sequence
      if next.isContinued {
        if !isNextInRow || partial?.isEmpty == true { partial = nil }
      } else {
        partial = []
      }
      page = next
      nextSegment = 0
      nextBodyOffset = next.bodyOffset
      return true
    }
    return false
  }
}
