/// Units of numbers in queries.
enum QueryUnits {
  static let count: [String: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
  static let frequency = count.merging(["hz": 1, "khz": 1e3, "mhz": 1e6, "bps": 1, "kbps": 1e3]) { $1 }
  static let real = frequency.merging(["db": 1, "dbfs": 1, "lufs": 1, "lu": 1, "dbtp": 1]) { $1 }
  static let size: [String: Double] = {
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

  /// `210`, `3:30`, `1:02:03`, `3m30s`, `1h`, each with decimals at the end.
  static func duration(_ text: String) -> QueryNumber? {
    if text.contains(":") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), let last = parts.last.flatMap({ QueryNumber($0) }), last.value >= 0,
        last.value < 60, parts.allSatisfy({ $0.utf8.first.map { (0x30...0x39).contains($0) } == true })
      else { return nil }
      var seconds = 0.0
      for (index, part) in parts.dropLast().enumerated() {
        guard let number = QueryNumber(part), number.isPlainInteger, index == 0 || number.value < 60 else { return nil }
        seconds = seconds * 60 + number.value
      }
      return QueryNumber(value: seconds * 60 + last.value, step: last.step)
    }
    if let plain = QueryNumber(text) { return plain }
    return unitDuration(text)
  }

  private static func unitDuration(_ text: String) -> QueryNumber? {
    let seconds: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
    var result = QueryNumber(value: 0, step: 1)
    var largest = Double.infinity
    var rest = Substring(text.lowercased())
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = QueryNumber(digits), let unit = rest.dropFirst(digits.count).first,
        let scale = seconds[unit], scale < largest
      else {
        // Seconds may go without their letter at the end: `2m10`.
        guard largest == 60, let number = QueryNumber(rest), number.value >= 0 else { return nil }
        return QueryNumber(value: result.value + number.value, step: number.step)
      }
      result = QueryNumber(value: result.value + number.value * scale, step: number.step * scale)
      largest = scale
      rest = rest.dropFirst(digits.count + 1)
    }
    return largest.isFinite ? result : nil
  }
}
