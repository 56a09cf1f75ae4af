internal import Base

/// The lines of a settings file, with any line ending and any encoding that ``LegacyText`` reads; blank lines are left
/// out.
struct TextLines {
  struct Line {
    /// From 1.
    var number: Int
    /// Without white space at both ends.
    var text: Substring
  }

  let lines: [Line]

  init(_ bytes: [UInt8]) {
    let text = LegacyText.decoded(bytes[...])
    var lines: [Line] = []
    var number = 0
    // To Swift, a carriage return followed by a line feed is one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let trimmed = line.trimmingBlanks()
      if !trimmed.isEmpty { lines.append(Line(number: number, text: trimmed)) }
    }
    self.lines = lines
  }
}

extension StringProtocol {
  /// Without white space, byte order marks and null characters at both ends.
  func trimmingBlanks() -> SubSequence {
    func isBlank(_ character: Character) -> Bool {
      character.isWhitespace || character == "\u{FEFF}" || character == "\0"
    }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}
