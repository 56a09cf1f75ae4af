/// How many cells of a terminal a text takes: one for most characters, two for wide ones, none for marks.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    // Before the first combining mark and the first wide character, a scalar is a cell, but for controls and one hyphen.
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) {
      return text.unicodeScalars.reduce(0) { $0 + width($1) }
    }
    return text.reduce(0) { $0 + width($1) }
  }

  /// `text` cut to at most `width` cells, with an ellipsis in the last one where something was cut.
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

  /// `text` with blanks behind it up to `width` cells.
  package static func padded(_ text: String, toWidth width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }

  private static func width(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // The emoji style of a character that is else a plain sign.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      // Two letters that make a flag.
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
