internal import Base

/// Lyrics of a song, line by line, as tags and `.lrc` files have them.
struct LyricsText: Equatable {
  struct Line: Equatable {
    /// Where it begins, if that is known.
    var startInMilliseconds: Int64?
    var text: String
  }

  var lines: [Line] = []
  /// Whether every line has a start.
  var isSynced = false
  var title: String?
  var artist: String?
  /// ISO 639, or `xxx` if it is not known.
  var language = "xxx"

  /// - Parameter text: Lines of text; with `[mm:ss.xx]` before them they are synced. A line can have several starts.
  init(_ text: String) {
    var timed: [Line] = []
    var plain: [Line] = []
    var offset: Int64 = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var rest = Substring(line.trimmingPrefix(while: { $0.isWhitespace || $0 == "\u{FEFF}" }))
      var starts: [Int64] = []
      var isHeader = false
      while rest.first == "[", let end = rest.firstIndex(of: "]") {
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        if let start = Self.milliseconds(inside) {
          starts.append(start)
        } else if let header = Self.header(inside) {
          isHeader = true
          switch header.name {
          case "ti": title = header.value
          case "ar": artist = header.value
          case "la": language = header.value
          case "offset": offset = min(max(Int64(header.value) ?? 0, -86_400_000), 86_400_000)
          default: break
          }
        } else {
          break
        }
        rest = rest[rest.index(after: end)...]
      }
      let words = String(rest.trimmingPrefix(while: \.isWhitespace))
      timed += starts.map { Line(startInMilliseconds: $0, text: words) }
      if starts.isEmpty, !isHeader { plain.append(Line(text: String(line))) }
    }
    isSynced = !timed.isEmpty
    guard isSynced else {
      lines = plain
      while lines.last?.text.isEmpty == true { lines.removeLast() }
      return
    }
    // A positive offset lets lines come earlier.
    lines = timed.enumerated()
      .sorted { ($0.element.startInMilliseconds ?? 0, $0.offset) < ($1.element.startInMilliseconds ?? 0, $1.offset) }
      .map { Line(startInMilliseconds: max(0, ($0.element.startInMilliseconds ?? 0) - offset), text: $0.element.text) }
  }

  /// `mm:ss`, `mm:ss.xx` or `mm:ss.xxx`; nil for anything else.
  private static func milliseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...4).contains(parts[0].utf8.count), let minutes = Int64(parts[0]), minutes >= 0,
      (2...6).contains(parts[1].utf8.count), let seconds = DecimalText.parse(String(parts[1])),
      (0..<60).contains(seconds)
    else { return nil }
    return minutes * 60_000 + Int64((seconds * 1000).rounded())
  }

  private static func header(_ text: Substring) -> (name: String, value: String)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(\.isLetter) else { return nil }
    return (parts[0].lowercased(), String(parts[1].trimmingPrefix(while: \.isWhitespace)))
  }
}
