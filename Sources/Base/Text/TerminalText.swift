/// Makes text from tags and file names safe to show on a terminal.
package enum TerminalText {
  /// `text` with control characters, escape sequences, bidirectional overrides and invisible characters written as `\n`,
  /// `\t`, `\u{1B}` and so on.
  ///
  /// Of the invisible characters that scripts and emoji need (``HiddenCharacter/joining``) each stays behind a
  /// character that it can change. So they cannot follow each other, and hide nothing but themselves.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    guard text.unicodeScalars.contains(where: { mustBeEscaped($0) || HiddenCharacter.joining($0) != nil }) else {
      return text
    }
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where mustBeEscaped(scalar) || !HiddenCharacter.isUseful(scalar, after: previous):
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }

  /// Whether a terminal might interpret or hide the character wherever it stands.
  package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isControl || HiddenCharacter.isNeedless(scalar)
  }
}

/// Characters that nobody sees, with which texts that look alike differ, or that change what stands around them.
enum HiddenCharacter {
  /// Whether a character is invisible or reorders others, and no script needs it: the property
  /// Default_Ignorable_Code_Point of Unicode 15 without ``joining(_:)``; line and paragraph separators; interlinear
  /// annotations; and code points that are no characters.
  ///
  /// Not among them are format characters that have a shape, such as U+0600, the Arabic number sign, and private ones,
  /// which fonts show.
  static func isNeedless(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x300 { return value == 0xAD }
    switch value {
    case 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0x3164, 0xFDD0...0xFDEF, 0xFE00...0xFE0D, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
      0x1D173...0x1D17A, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
      return true
    default: return value & 0xFFFE == 0xFFFE
    }
  }

  /// What an invisible character does that people need.
  enum Joining {
    /// U+200C and U+200D: whether letters or emoji join.
    case joiner
    /// U+FE0E and U+FE0F: whether a character looks like text or like an emoji.
    case emojiStyle
    /// U+180B to U+180D and U+180F: the form of a Mongolian letter.
    case mongolianForm
    /// U+E0100 to U+E01EF: the form of a Chinese character, as in Japanese names.
    case ideographForm
  }

  /// nil for every other character.
  static func joining(_ scalar: Unicode.Scalar) -> Joining? {
    switch scalar.value {
    case 0x200C...0x200D: .joiner
    case 0xFE0E...0xFE0F: .emojiStyle
    case 0x180B...0x180D, 0x180F: .mongolianForm
    case 0xE0100...0xE01EF: .ideographForm
    default: nil
    }
  }

  /// Whether a character is visible, or changes the one before it.
  static func isUseful(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
    guard let joining = joining(scalar) else { return true }
    guard let previous else { return false }
    let properties = previous.properties
    return switch joining {
    case .joiner:
      // A letter of a script that joins, a mark on one, or an emoji, also one in emoji style.
      self.joining(previous) == .emojiStyle
        || previous.value >= 0x590 && self.joining(previous) == nil
          && (properties.isAlphabetic || properties.isEmoji || properties.generalCategory == .nonspacingMark)
    case .emojiStyle: properties.isEmoji
    case .mongolianForm: (0x1820...0x18AA).contains(previous.value)
    case .ideographForm: properties.isIdeographic
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
