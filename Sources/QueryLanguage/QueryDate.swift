internal import MediaModel
internal import Base
internal import Glibc

/// A date in a query: a calendar unit (`2023`, `2023-04`, `2023-04-17`, optionally with hour, minute and second) or a
/// time relative to now (`-2w`, `3d`).
enum QueryDate {
  /// The start of the unit and of the next one, as ISO text and in seconds since 1970 in local time.
  struct Unit {
    var lowerText: String
    var upperText: String
    var lower: Double
    var upper: Double
  }

  static func unit(_ text: String) -> Unit? {
    let normal = text.replacing(" ", with: "T").replacing("t", with: "T")
    let halves = normal.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = halves.first else { return nil }
    var numbers: [Int] = []
    for part in first.split(separator: "-", omittingEmptySubsequences: false) {
      guard let number = number(part, digitCount: numbers.isEmpty ? 4 : 2) else { return nil }
      numbers.append(number)
    }
    guard (1...3).contains(numbers.count), numbers[0] >= 1 else { return nil }
    if halves.count == 2 {
      guard numbers.count == 3 else { return nil }
      for part in halves[1].split(separator: ":", omittingEmptySubsequences: false) {
        guard numbers.count < 6, let number = number(part, digitCount: 2) else { return nil }
        numbers.append(number)
      }
    }
    guard isPossible(numbers) else { return nil }
    return Unit(
      lowerText: isoText(Array(numbers.prefix(3))), upperText: isoText(carried(following(Array(numbers.prefix(3))))),
      lower: seconds(numbers), upper: seconds(following(numbers)))
  }

  /// Seconds since 1970 for `-2w` and similar: a number and `h`, `d`, `w`, `m` (30 days) or `y` (365 days).
  static func relative(_ text: String, now: Int64) -> Double? {
    let seconds: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800, "m": 2_592_000, "y": 31_536_000]
    guard let unit = text.last, let scale = seconds[unit], let number = WrittenNumber(text.dropLast()),
      abs(number.value) <= 100_000
    else { return nil }
    return Double(now) + number.value * scale
  }

  private static func number(_ text: Substring, digitCount: Int) -> Int? {
    guard text.utf8.count == digitCount, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  private static func isPossible(_ parts: [Int]) -> Bool {
    if parts.count > 1, !(1...12).contains(parts[1]) { return false }
    if parts.count > 2, !(1...TagDate.days(in: parts[1], of: parts[0])).contains(parts[2]) { return false }
    if parts.count > 3, parts[3] > 23 { return false }
    return !parts.dropFirst(4).contains { $0 > 59 }
  }

  private static func following(_ parts: [Int]) -> [Int] {
    var parts = parts
    parts[parts.count - 1] += 1
    return parts
  }

  /// Year, month and day; the day may be one too large.
  private static func carried(_ parts: [Int]) -> [Int] {
    var parts = parts
    if parts.count > 2, parts[2] > TagDate.days(in: min(parts[1], 12), of: parts[0]) {
      parts[1] += 1
      parts[2] = 1
    }
    if parts.count > 1, parts[1] > 12 {
      parts[0] += 1
      parts[1] = 1
    }
    return parts
  }

  private static func isoText(_ parts: [Int]) -> String {
    parts.enumerated().map { index, number in
      let digits = String(number)
      return String(repeating: "0", count: max(0, (index == 0 ? 4 : 2) - digits.count)) + digits
    }.joined(separator: "-")
  }

  /// Local time; components beyond their range carry over.
  private static func seconds(_ parts: [Int]) -> Double {
    var time = tm()
    time.tm_year = Int32(parts[0] - 1900)
    time.tm_mon = parts.count > 1 ? Int32(parts[1] - 1) : 0
    time.tm_mday = parts.count > 2 ? Int32(parts[2]) : 1
    time.tm_hour = parts.count > 3 ? Int32(parts[3]) : 0
    time.tm_min = parts.count > 4 ? Int32(parts[4]) : 0
    time.tm_sec = parts.count > 5 ? Int32(parts[5]) : 0
    time.tm_isdst = -1
    return Double(mktime(&time))
  }
}
