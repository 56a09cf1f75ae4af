/// The date in a tag: ISO 8601 of any precision (`2019`, `2019-04`, `2019-04-17T20:15:00`), `2019/04/17` or `20190417`.
struct TagDate: CustomStringConvertible {
  let year: Int
  let month: Int?
  let day: Int?

  /// nil without a year in `1...9999`; a month or day that cannot be ends the precision there.
  init?(_ text: String) {
    let bytes = Array(TagNumber.trimmed(text).utf8)
    guard (4...32).contains(bytes.count), let year = Self.number(bytes.prefix(4), 4...4), year > 0 else { return nil }
    self.year = year
    let rest = bytes.dropFirst(4).prefix { $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: " ") }
    var month: Int?
    var day: Int?
    if let separator = rest.first, separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") {
      let parts = rest.dropFirst().split(separator: separator, omittingEmptySubsequences: false)
      month = parts.first.flatMap { Self.number($0, 1...2) }
      day = parts.dropFirst().first.flatMap { Self.number($0, 1...2) }
    } else if !rest.isEmpty {
      guard rest.count == 2 || rest.count == 4, rest.allSatisfy(Self.isDigit) else { return nil }
      month = Self.number(rest.prefix(2), 2...2)
      day = Self.number(rest.dropFirst(2), 2...2)
    }
    self.month = month.flatMap { (1...12).contains($0) ? $0 : nil }
    self.day = self.month.flatMap { month in
      day.flatMap { (1...Self.days(in: month, of: year)).contains($0) ? $0 : nil }
    }
  }

  var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return [padded(year, 4), month.map { padded($0, 2) }, day.map { padded($0, 2) }].compactMap { $0 }
      .joined(separator: "-")
  }

  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// That many ASCII digits.
  private static func number(_ digits: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}
