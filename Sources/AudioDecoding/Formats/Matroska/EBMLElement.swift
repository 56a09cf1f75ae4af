/// An element of EBML (RFC 8794): an identifier, a size, and a body that may hold elements.
struct EBMLElement {
  private static let maximumHeadByteCount = 12
  private static let maximumChildCount = 100_000

  let identifier: UInt32
  /// Of its identifier.
  let offset: Int64
  /// As long as its size says; up to the end of the file if the size is left open, as in live streams.
  let body: Range<Int64>
  let hasUnknownSize: Bool

  /// nil if there is no valid head at `offset`.
  init?(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) {
    let head = try bytes.copy(at: offset, count: Self.maximumHeadByteCount)
    guard let first = head.first, first >= 0x10 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard head.count > length, let size = EBMLNumber(head[length...]) else { return nil }
    identifier = head[..<length].reduce(0) { $0 << 8 | UInt32($1) }
    self.offset = offset
    let start = offset + Int64(length + size.byteCount)
    hasUnknownSize = size.isUnknown
    let (end, overflow) = start.addingReportingOverflow(Int64(clamping: size.value))
    body = start..<(hasUnknownSize ? max(start, bytes.byteCount) : overflow ? .max : end)
  }

  /// The elements in a range, each cut at the end of the range; ends at the first head that makes no sense.
  static func children(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) -> [EBMLElement] {
    var result: [EBMLElement] = []
    var offset = range.lowerBound
    while offset < range.upperBound, result.count < maximumChildCount, let element = try EBMLElement(bytes, at: offset),
      element.body.lowerBound <= range.upperBound
    {
      offset = element.body.upperBound
      result.append(EBMLElement(element, endingBefore: range.upperBound))
    }
    return result
  }

  private init(_ other: EBMLElement, endingBefore end: Int64) {
    (identifier, offset, hasUnknownSize) = (other.identifier, other.offset, other.hasUnknownSize)
    body = other.body.clamped(to: other.body.lowerBound..<max(other.body.lowerBound, end))
  }

  func children(_ bytes: BufferedBytes) throws(DecodingError) -> [EBMLElement] {
    try Self.children(bytes, in: body)
  }

  // MARK: Values

  /// Of up to eight bytes; nil for more. No bytes are 0.
  func unsigned(_ bytes: BufferedBytes) throws(DecodingError) -> UInt64? {
    let body = try data(bytes, limit: 9)
    return body.count <= 8 ? body.reduce(0) { $0 << 8 | UInt64($1) } : nil
  }

  func signed(_ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    let count = body.upperBound - body.lowerBound
    guard (1...8).contains(count), let number = try unsigned(bytes) else { return nil }
    return Int64(bitPattern: number << (64 - 8 * UInt64(count))) >> (64 - 8 * count)
  }

  /// Of four or eight bytes.
  func float(_ bytes: BufferedBytes) throws(DecodingError) -> Double? {
    let body = try data(bytes, limit: 9)
    if body.count == 4 { return body.bigEndian(UInt32.self, at: 0).map { Double(Float(bitPattern: $0)) } }
    return body.count == 8 ? body.bigEndian(UInt64.self, at: 0).map { Double(bitPattern: $0) } : nil
  }

  /// Without the zeros that may follow a text.
  func text(_ bytes: BufferedBytes, limit: Int) throws(DecodingError) -> [UInt8] {
    Array(try data(bytes, limit: limit).prefix { $0 != 0 })
  }

  func data(_ bytes: BufferedBytes, limit: Int) throws(DecodingError) -> [UInt8] {
    try bytes.file.bytes(at: body.lowerBound, count: Int(min(Int64(limit), body.upperBound - body.lowerBound)))
  }
}

/// A number whose first byte says how many bytes it has (RFC 8794 section 4).
struct EBMLNumber {
  let value: UInt64
  let byteCount: Int
  /// All bits are set.
  let isUnknown: Bool

  /// The one at the start of `bytes`; nil if there is none, or they end before it does.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first, first > 0 else { return nil }
    byteCount = first.leadingZeroBitCount + 1
    guard bytes.count >= byteCount else { return nil }
    let mask: UInt64 = 1 << (7 * UInt64(byteCount)) - 1
    value = bytes.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) } & mask
    isUnknown = value == mask
  }

  /// As the distance of two sizes in a lace (RFC 9559 section 10.3.3).
  var signed: Int64 { Int64(value) - (1 << (7 * Int64(byteCount) - 1) - 1) }
}
