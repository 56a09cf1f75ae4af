/// Numbers of some bits each, the highest bit first.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// nil beyond the end.
  mutating func next(_ count: Int) -> Int? {
    guard position + count <= bytes.count * 8 else { return nil }
    var result = 0
    for bit in position..<position + count { result = result << 1 | Int(bytes[bit / 8] >> (7 - bit % 8) & 1) }
    position += count
    return result
  }

  mutating func skip(_ count: Int) { position += count }

  /// Goes to the next whole byte.
  mutating func align() { position = (position + 7) / 8 * 8 }

  /// The bits from here to where another reader of the same bytes is, four to a digit.
  func hexadecimal(until end: BitReader) -> String {
    var rest = self
    var digits = ""
    while rest.position < end.position, let digit = rest.next(min(4, end.position - rest.position)) {
      digits += String(digit, radix: 16)
    }
    return digits
  }
}
