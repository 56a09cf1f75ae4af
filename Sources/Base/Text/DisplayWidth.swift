/// How many terminal cells a text takes: one for most characters, two for wide ones, none for combining marks.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    // Below the first combining mark and wide character, a scalar is one cell, except for controls and the soft hyphen.
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) {
      return text.unicodeScalars.reduce(0) { $0 + width($1) }
    }
    return text.reduce(0) { $0 + width($1) }
  }

  /// `text` truncated to at most `width` cells; if it was truncated, the last one is an ellipsis.
  package static func truncated(_ text: String, toWidth width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var cells = 0
    for character in text {
      cells += Self.width(character)
      if cells > width - 1 { break }
      result.append(character)
    }
    return result + "…"
  }

  /// A path truncated to at most `width` cells: first its folders from the left, then the end of its name.
  package static func truncatedPath(_ path: String, toWidth width: Int) -> String {
    guard of(path) > width else { return path }
    let name = path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
    guard of(name) < width else { return truncated(name, toWidth: width) }
    var characters = Substring(path)
    var cells = of(path)
    while cells > width - 1, let first = characters.popFirst() { cells -= Self.width(first) }
    return "…" + characters
  }

  /// `text` in lines of at most `width` cells, broken at spaces; a longer word is cut into several. One empty line for no text.
  package static func wrapped(_ text: String, toWidth width: Int) -> [String] {
    let width = max(2, width)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, of(line) + 1 + of(String(word)) > width {
        lines.append(line)
        line = ""
      }
      if !line.isEmpty { line += " " }
      var cells = of(line)
      for character in word {
        cells += Self.width(character)
        if cells > width {
          lines.append(line)
          line = ""
          cells = Self.width(character)
        }
        line.append(character)
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// `text` padded with spaces to `width` cells.
  package static func padded(_ text: String, toWidth width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }

  private static func width(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // The emoji style of a character that is otherwise a plain symbol.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      // Two regional indicators that form a flag.
      if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
      width = max(width, self.width(scalar))
    }
    return width
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 {
      return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0xAD ? 0 : 1
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }
}

extension DisplayWidth {
  /// Unicode's East Asian wide and full-width characters, emoji among them, in ascending order.
  static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
    0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F265, 0x1F300...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
    0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E,
    0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
    0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
    0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x3FFFD,
  ]
}
