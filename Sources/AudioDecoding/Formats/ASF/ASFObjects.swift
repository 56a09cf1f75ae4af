/// The objects of an ASF header, one by one, and those of its extension among them (Advanced Systems Format Specification,
/// sections 2.1, 3.1 and 3.4). They are walked by their sizes, because covers and other tags stand between them in any order.
struct ASFObjects {
  struct Object {
    let identifier: [UInt8]
    /// As far as the file reaches.
    let range: Range<Int64>
    /// By its head, which can be anything from 24 on.
    let claimedByteCount: UInt64

    /// Behind the identifier and the size.
    var body: Range<Int64> { range.lowerBound + ASFObjects.headByteCount..<range.upperBound }

    /// Whether it claims more than there is.
    var isCut: Bool { claimedByteCount > UInt64(range.upperBound - range.lowerBound) }
  }

  static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  /// Behind the header; the packets are in it.
  static let data: [UInt8] = [
    0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]

  private static let headByteCount: Int64 = 24
  private static let maximumCount = 100_000

  private let bytes: BufferedBytes
  private var offset: Int64
  private var count = 0

  /// - Parameter start: of the header object.
  init(_ bytes: BufferedBytes, start: Int64) {
    self.bytes = bytes
    // Behind the identifier and size of the header, the number of its objects, and two reserved bytes.
    offset = start + 30
  }

  /// The next one; nil at the end, behind the data, and where no object can be.
  mutating func next() throws(DecodingError) -> Object? {
    guard count < Self.maximumCount else { return nil }
    count += 1
    let head = try bytes.copy(at: offset, count: Int(Self.headByteCount))
    guard head.count == Int(Self.headByteCount), let size = head.littleEndian(UInt64.self, at: 16), size >= 24 else {
      return nil
    }
    let (claimedEnd, overflow) = offset.addingReportingOverflow(Int64(clamping: size))
    let end = overflow ? bytes.byteCount : min(bytes.byteCount, claimedEnd)
    guard end > offset else { return nil }
    let object = Object(identifier: Array(head[..<16]), range: offset..<end, claimedByteCount: size)
    // The extension has objects of its own, behind 22 bytes.
    offset = object.identifier == Self.headerExtension ? min(end, object.body.lowerBound + 22) : end
    if object.identifier == Self.data { count = Self.maximumCount }
    return object
  }

  /// Goes on at a place, where an object in another one begins.
  mutating func enter(at place: Int64) { offset = place }
}
