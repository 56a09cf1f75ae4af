internal import Base

/// Lyrics of a song, line by line, as tags and `.lrc` files have them.
package struct LyricsText: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    /// Where it begins, if that is known.
    package var startInMilliseconds: Int64?
    package var text: String
  }

  /// How much of the lyrics of one song is read: many times more than people sing. What is left out is counted in a last line.
  package struct Allowance {
    /// A line with several starts counts as often as it is sung.
    package var lineCount = 20_000
    package var textByteCount = 1 << 20
    /// Of one line.
    package static let largestStartCount = 200

    fileprivate mutating func takes(_ line: Line) -> Bool {
      guard lineCount > 0, textByteCount >= line.text.utf8.count else { return false }
      lineCount -= 1
      textByteCount -= line.text.utf8.count
      return true
    }
  }

  private static let largestHeaderByteCount = 1000

  package var lines: [Line] = []
  /// Whether every line has a start.
  package var isSynced = false
  package var title: String?
  package var artist: String?
  /// ISO 639, or `xxx` if it is not known.
  package var language = "xxx"

  /// - Parameters:
  ///   - text: Lines of text; with `[mm:ss.xx]` before them they are synced. A line can have several starts. Stamps of
  ///     single words are left out. Between synced lines, one without a start begins with the line before it.
  ///   - allowance: How much is read; what is read is taken from it.
  package init(_ text: String, within allowance: inout Allowance) {
    var (timed, plain): ([Line], [Line]) = ([], [])
    var offset: Int64 = 0
    var leftOutCount = 0
    var rest: Substring? = text[...]
    while let line = Self.nextLine(&rest) {
      let (starts, headers, words) = Self.parts(of: line)
      let isContinued = starts.isEmpty && headers.isEmpty && !timed.isEmpty && !words.isEmpty
      for header in headers {
        switch header.name {
        case "ti": title = header.value
        case "ar": artist = header.value
        case "la": language = header.value
        case "offset":
          let digits = header.value.lowercased().replacing("ms", with: "").withoutBlankEnds
          offset = min(max(Int64(digits) ?? 0, -86_400_000), 86_400_000)
        default: break
        }
      }
      for start in starts.prefix(Allowance.largestStartCount) {
        let line = Line(startInMilliseconds: start, text: words)
        if allowance.takes(line) { timed.append(line) } else { leftOutCount += 1 }
      }
      leftOutCount += max(0, starts.count - Allowance.largestStartCount)
      guard starts.isEmpty, headers.isEmpty else { continue }
      if isContinued {
        let line = Line(startInMilliseconds: timed.last?.startInMilliseconds, text: words)
        if allowance.takes(line) { timed.append(line) } else { leftOutCount += 1 }
        continue
      }
      let line = Line(text: String(line))
      if allowance.takes(line) { plain.append(line) } else { leftOutCount += 1 }
    }
    isSynced = !timed.isEmpty
    if isSynced {
      lines = Self.sorted(timed, offset: offset)
    } else {
      lines = plain
      while lines.last?.text.isEmpty == true { lines.removeLast() }
    }
    if leftOutCount > 0 {
      let note = "[…] \(leftOutCount) lines are left out"
      lines.append(Line(startInMilliseconds: isSynced ? lines.last?.startInMilliseconds ?? 0 : nil, text: note))
    }
  }

  /// With an allowance of its own.
  package init(_ text: String) {
    var allowance = Allowance()
    self.init(text, within: &allowance)
  }

  /// The first line of a text, which is taken from it; nil behind the last one.
  private static func nextLine(_ rest: inout Substring?) -> Substring? {
    guard let text = rest else { return nil }
    let end = text.firstIndex(where: \.isNewline)
    rest = end.map { text[text.index(after: $0)...] }
    return text[..<(end ?? text.endIndex)]
  }

  private static func sorted(_ timed: [Line], offset: Int64) -> [Line] {
    // A positive offset lets lines come earlier.
    timed.enumerated()
      .sorted { ($0.element.startInMilliseconds ?? 0, $0.offset) < ($1.element.startInMilliseconds ?? 0, $1.offset) }
      .map { Line(startInMilliseconds: max(0, ($0.element.startInMilliseconds ?? 0) - offset), text: $0.element.text) }
  }

  private typealias Header = (name: String, value: String)

  /// The starts and headers in brackets before a line, and what is behind them.
  private static func parts(of line: Substring) -> (starts: [Int64], headers: [Header], words: String) {
    var rest = Substring(line.trimmingPrefix(while: { $0.isWhitespace || $0 == "\u{FEFF}" }))
    var starts: [Int64] = []
    var headers: [Header] = []
    while let open = rest.first, "[［【".contains(open), let end = rest.firstIndex(where: { "]］】".contains($0) }) {
      let inside = rest[rest.index(after: rest.startIndex)..<end]
      if let start = milliseconds(inside) {
        starts.append(start)
      } else if let header = header(inside) {
        headers.append(header)
      } else {
        break
      }
      rest = rest[rest.index(after: end)...]
      // Some programs put blanks between starts.
      let next = rest.drop(while: \.isWhitespace)
      if next.first == "[", let end = next.firstIndex(of: "]"), milliseconds(next.dropFirst()[..<end]) != nil {
        rest = next
      }
    }
    return (starts, headers, withoutStamps(rest))
  }

  /// The words of a line without the stamps of single ones, `<mm:ss.xx>` or `[mm:ss.xx]`.
  private static func withoutStamps(_ text: Substring) -> String {
    var words = ""
    var rest = Substring(text.trimmingPrefix(while: \.isWhitespace))
    while let open = rest.firstIndex(where: { $0 == "<" || $0 == "[" }) {
      words += rest[..<open]
      let end: Character = rest[open] == "<" ? ">" : "]"
      let inside = rest[rest.index(after: open)...].prefix(longestStamp + 1)
      if let close = inside.firstIndex(of: end), milliseconds(inside[..<close]) != nil {
        rest = rest[rest.index(after: close)...]
        // One blank is enough where the stamp stood between two.
        if words.isEmpty || words.last?.isWhitespace == true { rest = rest.drop(while: \.isWhitespace) }
      } else {
        words.append(rest[open])
        rest = rest[rest.index(after: open)...]
      }
    }
    return words + rest
  }

  private static let longestStamp = 32

  /// `mm:ss`, `mm:ss.xx` or `mm:ss.xxx`, also with another sign than a point before the fraction, and `hh:mm:ss.xx`; of two
  /// times with a hyphen the first; nil for anything else. Seconds above 59 are read as they are meant, those with a
  /// fraction also with one digit. A time before the start is negative.
  private static func milliseconds(_ text: Substring) -> Int64? {
    guard text.utf8.count <= longestStamp else { return nil }
    var time = String(text).inHalfWidth.withoutBlankEnds[...]
    let isNegative = time.first == "-"
    if isNegative || time.first == "+" { time = time.dropFirst() }
    if let hyphen = time.dropFirst().firstIndex(of: "-") {
      guard milliseconds(time[time.index(after: hyphen)...]) != nil else { return nil }
      time = time[..<hyphen]
    }
    var numbers: [Substring] = []
    var signs: [Character] = []
    while true {
      let digits = time.prefix { $0.isASCII && $0.isWholeNumber }
      guard !digits.isEmpty else { return nil }
      numbers.append(digits)
      time = time[digits.endIndex...]
      guard let sign = time.popFirst() else { break }
      guard ":.,;".contains(sign) else { return nil }
      signs.append(sign)
    }
    // [00:02:50], as old programs write hundredths; [00.02.50].
    let hasFraction = numbers.count > 2 && (numbers.count == 3 || signs.last != ":")
    let fraction = hasFraction ? numbers.removeLast() : ""
    guard (2...3).contains(numbers.count), signs[0] == ":" || hasFraction, fraction.count <= 6,
      numbers.dropLast().allSatisfy({ $0.count <= 4 }),
      numbers[numbers.count - 1].count == 2 || numbers[numbers.count - 1].count == 1 && hasFraction && signs[0] == ":",
      !isNegative || hasFraction,
      let milliseconds = DecimalText.parse("0.\(fraction)0").map({ Int64(($0 * 1000).rounded()) })
    else { return nil }
    let start = numbers.reduce(0) { $0 * 60 + (Int64($1) ?? 0) } * 1000 + milliseconds
    return isNegative ? -start : start
  }

  private static func header(_ text: Substring) -> Header? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(\.isLetter) else { return nil }
    let value = String(parts[1].trimmingPrefix(while: \.isWhitespace))
    return (parts[0].lowercased(), value.cut(toByteCount: largestHeaderByteCount))
  }
}
