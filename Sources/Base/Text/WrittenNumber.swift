/// A decimal number as people write it: ASCII digits, a point, and a unit; never an exponent, NaN or infinity.
package struct WrittenNumber: Hashable, Sendable {
  package var value: Double
  /// The value of one unit in the last written digit: 0.1 for `44.1`, 100 for `44.1k`.
  package var step: Double
  /// Whether it was written without a point or unit.
  package var isPlainInteger: Bool

  /// - Parameter units: The factor of each unit, in lower case; no unit is always allowed.
  package init?(_ text: some StringProtocol, units: [String: Double] = [:]) {
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

  package init(value: Double, step: Double) {
    self.value = value
    self.step = step
    isPlainInteger = false
  }

  /// The number at the start of a tag value, which ends there or at white space or a slash (`-7.02 dB`, `3/12`).
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

/// Units of numbers in queries.
package enum NumberUnits {
  package static let count: [String: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
  package static let frequency = count.merging(["hz": 1, "khz": 1e3, "mhz": 1e6, "bps": 1, "kbps": 1e3]) { $1 }
  package static let real = frequency.merging(["db": 1, "dbfs": 1, "lufs": 1, "lu": 1, "dbtp": 1]) { $1 }
  package static let size: [String: Double] = {
    var units: [String: Double] = ["b": 1]
    for (index, letter) in ["k", "m", "g", "t"].enumerated() {
      var decimal = 1e3
      var binary = 1024.0
      for _ in 0..<index {
        decimal *= 1e3
        binary *= 1024
      }
      units[letter] = decimal
      units[letter + "b"] = decimal
      units[letter + "i"] = binary
      units[letter + "ib"] = binary
    }
    return units
  }()

  /// Seconds of `210`, `3:30`, `1:02:03`, `3m30s`, `1h`; the last part may have decimals.
  package static func duration(_ text: String) -> WrittenNumber? {
    if text.contains(":") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), let last = parts.last.flatMap({ WrittenNumber($0) }), last.value >= 0,
        last.value < 60, parts.allSatisfy({ $0.utf8.first.map { (0x30...0x39).contains($0) } == true })
      else { return nil }
      var seconds = 0.0
      for (index, part) in parts.dropLast().enumerated() {
        guard let number = WrittenNumber(part), number.isPlainInteger, index == 0 || number.value < 60 else {
          return nil
        }
        seconds = seconds * 60 + number.value
      }
      return WrittenNumber(value: seconds * 60 + last.value, step: last.step)
    }
    if let plain = WrittenNumber(text) { return plain }
    return unitDuration(text)
  }

  private static func unitDuration(_ text: String) -> WrittenNumber? {
    let seconds: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
    var result = WrittenNumber(value: 0, step: 1)
    var largest = Double.infinity
    var rest = Substring(text.lowercased())
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = WrittenNumber(digits), let unit = rest.dropFirst(digits.count).first,
        let scale = seconds[unit], scale < largest
      else {
        // The letter may be omitted after the seconds at the end: `2m10`.
        guard largest == 60, let number = WrittenNumber(rest), number.value >= 0 else { return nil }
        return WrittenNumber(value: result.value + number.value, step: number.step)
      }
      result = WrittenNumber(value: result.value + number.value * scale, step: number.step * scale)
      largest = scale
      rest = rest.dropFirst(digits.count + 1)
    }
    return largest.isFinite ? result : nil
  }
}

/// Numbers of bytes as people write them.
package enum ByteCount {
  /// `268435456`, `256M` (powers of 1,000, as in queries) or `256MiB` (powers of 1,024); nil for anything else, for a
  /// fraction of a byte, and for more than 2^53.
  package static func parse(_ text: String) -> Int? {
    guard let number = WrittenNumber(text, units: NumberUnits.size), number.value >= 0, number.value <= 0x1p53 else {
      return nil
    }
    return Int(exactly: number.value)
  }
}
