/// The lines of a settings file, however its system ends and encodes them.
struct TextLines {
  struct Line {
    /// From 1 on.
    var number: Int
    /// Without blanks around it.
    var text: Substring
  }

  let lines: [Line]

  init(_ bytes: [UInt8]) {
    let text = LegacyText.decoded(bytes[...])
    var lines: [Line] = []
    var number = 0
    // A carriage return and a line feed are one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let trimmed = line.trimmingBlanks()
      if !trimmed.isEmpty { lines.append(Line(number: number, text: trimmed)) }
    }
    self.lines = lines
  }
}

extension StringProtocol {
  /// Without white space and invisible marks at both ends.
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
