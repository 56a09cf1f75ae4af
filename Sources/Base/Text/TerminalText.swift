/// Makes text from tags and file names safe to show on a terminal.
package enum TerminalText {
  /// `text` with control characters, escape sequences, bidirectional overrides and invisible format characters
  /// written as `\n`, `\t`, `\u{1B}` and so on.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where mustBeEscaped(scalar): result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a terminal might interpret or hide the character.
  package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case _ where scalar.isControl: true
    case 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}

extension String {
  /// The text with `escape` before each of `signs`, which may include `escape` itself.
  ///
  /// Compares Unicode scalars: a quotation mark with a combining accent is one `Character` that equals no quotation
  /// mark.
  package func escaping(_ signs: String, with escape: Unicode.Scalar) -> String {
    guard unicodeScalars.contains(where: signs.unicodeScalars.contains) else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      if signs.unicodeScalars.contains(scalar) { result.append(escape) }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character (category Cc): C0, DEL, or C1, which terminals obey, too.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
