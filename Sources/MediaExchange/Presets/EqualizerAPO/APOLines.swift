internal import Base

/// The lines of a configuration of Equalizer APO without comments. In text that lost its line ends, as a copy from a web
/// page does, each command is a line.
struct APOLines {
  private(set) var lines: [TextLines.Line] = []

  private static let commands: Set<Substring> = ["preamp", "graphiceq", "channel", "filter"]
  /// In characters; no name of a command with its number is longer.
  private static let longestName = 24

  init(_ bytes: [UInt8], notes: inout ExchangeNotes) {
    for line in TextLines(bytes).lines where line.text.first != "#" {
      let pieces = Self.pieces(of: line.text)
      if pieces.count > 1 {
        notes.add("\(pieces.count) commands on one line are read one by one", at: .line(line.number))
      }
      lines += pieces.map { TextLines.Line(number: line.number, text: $0) }
    }
  }

  /// The line, cut before each command; whole if it does not begin with one.
  private static func pieces(of line: Substring) -> [Substring] {
    let starts = line.indices.filter { line[$0] == ":" }.compactMap { command(before: $0, in: line) }
    guard starts.first == line.startIndex else { return [line] }
    return zip(starts, starts.dropFirst() + [line.endIndex]).map { line[$0..<$1].trimmingBlanks() }
  }

  /// Where the command begins whose name ends at a colon: `Preamp`, `Filter`, `Filter 3` or `Filter3`.
  private static func command(before colon: Substring.Index, in line: Substring) -> Substring.Index? {
    let words = line[..<colon].suffix(longestName).split(whereSeparator: \.isWhitespace)
    guard let last = words.last else { return nil }
    let isNumber = last.allSatisfy { $0.isASCII && $0.isNumber }
    guard let word = isNumber ? words.dropLast().last : last else { return nil }
    let name = Substring(word.lowercased()).trimming(while: { !isNumber && $0.isASCII && $0.isNumber })
    guard commands.contains(name), !isNumber && word.count == name.count || name == "filter" else { return nil }
    return word.startIndex
  }
}

extension Substring {
  /// Without the characters at the end that match.
  fileprivate func trimming(while matches: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !matches($0) }.map(index(after:)) ?? startIndex)]
  }
}
