/// The header of one page of an Ogg file (RFC 3533 section 6).
struct OggPage {
  static let maximumByteCount = 27 + 255 + 255 * 255
  private static let highestGranule: Int64 = 1 << 48

  let offset: Int64
  let headerByteCount: Int
  let bodyByteCount: Int
  /// The first bytes go on with a packet of the page before.
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// nil where no packet ends on the page, or the number is negative or impossible.
  let granule: Int64?
  /// The number is greater than any that a clock of samples reaches in a life.
  let hasImpossibleGranule: Bool
  let serial: UInt32
  let sequence: UInt32
  let lacing: [UInt8]

  /// From the bytes at `offset`, which hold at least the header; nil where they are none.
  init?(_ head: UnsafeRawBufferPointer, offset: Int64) {
    guard head.count >= 27, head.has("OggS", at: 0), head[4] == 0, head.count >= 27 + Int(head[26]),
      let granule = head.littleEndian(Int64.self, at: 6), let serial = head.littleEndian(UInt32.self, at: 14),
      let sequence = head.littleEndian(UInt32.self, at: 18)
    else { return nil }
    self.offset = offset
    self.serial = serial
    self.sequence = sequence
    hasImpossibleGranule = granule > Self.highestGranule
    self.granule = granule < 0 || hasImpossibleGranule ? nil : granule
    isContinued = head[5] & 1 != 0
    isFirst = head[5] & 2 != 0
    isLast = head[5] & 4 != 0
    headerByteCount = 27 + Int(head[26])
    lacing = Array(head[27..<headerByteCount])
    bodyByteCount = lacing.reduce(0) { $0 + Int($1) }
  }

  var byteCount: Int { headerByteCount + bodyByteCount }
  var bodyOffset: Int64 { offset + Int64(headerByteCount) }

  /// Packets that end on the page.
  var completedPacketCount: Int { lacing.reduce(0) { $0 + ($1 < 255 ? 1 : 0) } }
}
