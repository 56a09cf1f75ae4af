internal import Base

/// The date in a tag: ISO 8601 of any precision (`2019`, `2019-04`, `2019-04-17T20:15:00`), the same with other
/// separators (`2019/04/17`, `2019.04.17`, `20190417`, `2019年4月17日`), or a year with a day and month beside it
/// (`17.04.2019`, `Apr 17, 2019`); of anything else the first year of four digits.
package struct TagDate: CustomStringConvertible {
  package let year: Int
  package let month: Int?
  package let day: Int?

  private static let maximumByteCount = 256

  /// nil without a year in `1...9999`; the precision ends before an invalid or ambiguous month or day.
  package init?(_ text: String) {
    let bytes = Array(text.inHalfWidth.withoutBlankEnds.utf8)
    guard (4...Self.maximumByteCount).contains(bytes.count) else { return nil }
    if let date = Self.digits(bytes) ?? DateWords(bytes).date {
      self = date
    } else {
      return nil
    }
  }

  /// Drops the month and the day if they are not possible.
  fileprivate init(year: Int, month: Int?, day: Int?) {
    self.year = year
    self.month = month.flatMap { (1...12).contains($0) ? $0 : nil }
    self.day = self.month.flatMap { month in
      day.flatMap { (1...Self.days(in: month, of: year)).contains($0) ? $0 : nil }
    }
  }

  /// Six or eight digits without separators, perhaps with a time behind them, which with eight needs no separator either. Of
  /// eight the year may come last.
  private static func digits(_ bytes: [UInt8]) -> TagDate? {
    var date = bytes.prefix { $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: " ") }
    if date.count == 12 || date.count == 14, date.allSatisfy({ (0x30...0x39).contains($0) }) { date = date.prefix(8) }
    guard date.count == 6 || date.count == 8, let number = DateWords.number(date) else { return nil }
    if date.count == 6 { return number < 100 ? nil : TagDate(year: number / 100, month: number % 100, day: nil) }
    let first = TagDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    let last = TagDate(year: number % 10_000, month: number / 10_000 % 100, day: number / 1_000_000)
    // 20011301 is of 2001, not of 1301.
    let isLast = first.month == nil && last.day != nil && (isUsual(last.year) || !isUsual(first.year))
    return isLast ? last : first.year > 0 ? first : nil
  }

  private static func isUsual(_ year: Int) -> Bool { (1900...2100).contains(year) }

  package var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return [padded(year, 4), month.map { padded($0, 2) }, day.map { padded($0, 2) }].compactMap { $0 }
      .joined(separator: "-")
  }

  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A text as numbers, words and what stands between them, and the date that they name.
private struct DateWords {
  private enum Word {
    /// With the number of its digits.
    case number(Int, digitCount: Int)
    /// A word that is the name of a month.
    case month(Int)
    case other
  }

  private var words: [Word] = []
  /// What stands before each word, without blanks, and what stands behind the last one.
  private var gaps: [[UInt8]] = [[]]

  init(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if Self.isDigit(byte) {
        let run = bytes[index...].prefix(while: Self.isDigit)
        add(Self.number(run).map { .number($0, digitCount: run.count) } ?? .other)
        index += run.count
      } else if Self.isLetter(byte) || byte >= 0x80 {
        let run = bytes[index...].prefix { Self.isLetter($0) || $0 >= 0x80 }
        addText(run)
        index += run.count
      } else {
        if byte != UInt8(ascii: " ") { gaps[gaps.count - 1].append(byte) }
        index += 1
      }
    }
  }

  private mutating func add(_ word: Word) {
    words.append(word)
    gaps.append([])
  }

  /// A word, or the characters behind the numbers of a Chinese, Japanese or Korean date, which separate them.
  private mutating func addText(_ run: ArraySlice<UInt8>) {
    let text = String(decoding: run, as: UTF8.self)
    if text.unicodeScalars.allSatisfy({ "年月日년월일".unicodeScalars.contains($0) }) {
      gaps[gaps.count - 1].append(UInt8(ascii: "-"))
    } else if text == "T", case .number? = words.last {
      // A time follows.
      add(.other)
    } else if text == "s", gaps.last == [], case .number? = words.last {
      // A decade.
      words[words.count - 1] = .other
    } else if ["st", "nd", "rd", "th"].contains(text.lowercased()), case .number? = words.last {
      return
    } else {
      add(Self.month(text).map { .month($0) } ?? .other)
    }
  }

  /// The first year of four digits with the day and month beside it; nil if there is none.
  var date: TagDate? {
    for index in words.indices {
      guard case .number(let year, digitCount: 4) = words[index], year > 0, isYear(index) else { continue }
      if let (month, day) = following(index) ?? named(index) ?? preceding(index) {
        return TagDate(year: year, month: month, day: day)
      }
      return TagDate(year: year, month: nil, day: nil)
    }
    return nil
  }

  /// A negative number is none.
  private func isYear(_ index: Int) -> Bool {
    !(index == 0 && gaps[0].last == UInt8(ascii: "-"))
  }

  private func small(_ index: Int) -> Int? {
    guard words.indices.contains(index), case .number(let number, digitCount: 1...2) = words[index] else { return nil }
    return number
  }

  /// The separator before a word; nil if it is none, or if several characters stand there.
  private func separator(before index: Int) -> UInt8? {
    guard gaps.indices.contains(index), gaps[index].count == 1, let byte = gaps[index].first,
      "-/._".utf8.contains(byte)
    else { return nil }
    return byte
  }

  /// A month and day behind the year: nobody writes the day first there.
  private func following(_ index: Int) -> (month: Int?, day: Int?)? {
    guard let separator = separator(before: index + 1), let month = small(index + 1) else { return nil }
    return (month, self.separator(before: index + 2) == separator ? small(index + 2) : nil)
  }

  /// A month by its name, with a day before or behind it.
  private func named(_ index: Int) -> (month: Int?, day: Int?)? {
    let places = words.indices.filter { if case .month = words[$0] { true } else { false } }
    guard places.count == 1, let place = places.first, abs(place - index) <= 2, case .month(let month) = words[place]
    else { return nil }
    return (month, small(place - 1) ?? (place + 1 == index ? nil : small(place + 1)))
  }

  /// A day and month, or a month, before the year. Which of two is the day is known if only one of them can be it.
  private func preceding(_ index: Int) -> (month: Int?, day: Int?)? {
    guard let separator = separator(before: index), let second = small(index - 1) else { return nil }
    guard self.separator(before: index - 1) == separator, let first = small(index - 2) else { return (second, nil) }
    if first == second { return (first, first) }
    if (13...31).contains(first) { return (second, first) }
    if (13...31).contains(second) { return (first, second) }
    return (nil, nil)
  }

  // MARK: Words

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// The value of up to eight ASCII digits; nil if there is anything else.
  static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...8).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
  }

  /// In English, German, French and Spanish.
  private static let monthNames = [
    ["january", "januar", "janvier", "enero"], ["february", "februar", "février", "fevrier", "febrero"],
    ["march", "märz", "mars", "marzo"], ["april", "avril", "abril"], ["may", "mai", "mayo"],
    ["june", "juni", "juin", "junio"], ["july", "juli", "juillet", "julio"], ["august", "août", "aout", "agosto"],
    ["september", "septembre", "septiembre"], ["october", "oktober", "octobre", "octubre"],
    ["november", "novembre", "noviembre"], ["december", "dezember", "décembre", "decembre", "diciembre"],
  ]

  /// The number of the month that a word names, also with its first letters, at least three; nil if it may be none or
  /// several.
  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3, word.utf8.count <= 12 else { return nil }
    let word = word.lowercased()
    let found = monthNames.indices.filter { monthNames[$0].contains { $0.hasPrefix(word) } }
    return found.count == 1 ? found[0] + 1 : nil
  }
}
