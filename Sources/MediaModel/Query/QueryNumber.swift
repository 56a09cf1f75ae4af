/// A decimal number as people write it: ASCII digits, a point, a unit behind it; never an exponent, NaN or infinity.
package struct QueryNumber: Hashable, Sendable {
  package var value: Double
  /// The unit of the last digit that was written: 0.1 for `44.1`, 100 for `44.1k`.
  package var step: Double
  /// Whether it was written without a point and a unit.
  package var isPlainInteger: Bool

  /// - Parameter units: what each unit stands for, in lower case; an empty one is always allowed.
  init?(_ text: some StringProtocol, units: [String: Double] = [:]) {
    let text = text.lowercased()
    guard let (number, fractionDigits, rest) = Self.leadingDigits(text.utf8) else { return nil }
    var scale = 1.0
    if !rest.isEmpty {
      guard let unit = units[String(rest) ?? ""] else { return nil }
      scale = unit
    }
    value = number * scale
    step = scale
    for _ in 0..<fractionDigits { step /= 10 }
    isPlainInteger = fractionDigits == 0 && rest.isEmpty
    guard value.isFinite else { return nil }
  }

  init(value: Double, step: Double) {
    self.value = value
    self.step = step
    isPlainInteger = false
  }

  /// The number at the start of a tag's value: all of it, or up to white space or a slash (`-7.02 dB`, `3/12`).
  package static func leading(_ text: String) -> Double? {
    let trimmed = text.drop { $0 == " " }
    guard let (number, _, rest) = leadingDigits(trimmed.utf8) else { return nil }
    guard let next = rest.first else { return number }
    return next == 0x20 || next == 0x2F || next == 0x09 ? number : nil
  }

  private static func leadingDigits<Bytes: BidirectionalCollection<UInt8>>(
    _ bytes: Bytes
  ) -> (number: Double, fractionDigits: Int, rest: Bytes.SubSequence)? {
    var rest = bytes[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
    let whole = rest.prefix(while: isDigit)
    rest = rest[whole.endIndex...]
    var fractionDigits = 0
    if rest.first == UInt8(ascii: "."), rest.dropFirst().first.map(isDigit) == true {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      fractionDigits = fraction.count
      rest = rest[fraction.endIndex...]
    }
    guard !whole.isEmpty || fractionDigits > 0, bytes.distance(from: bytes.startIndex, to: rest.startIndex) <= 40,
      let number = Double(String(decoding: bytes[..<rest.startIndex], as: UTF8.self)), number.isFinite
    else { return nil }
    return (number, fractionDigits, rest)
  }
}
