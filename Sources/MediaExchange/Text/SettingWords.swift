internal import Base

/// A line of the form `name: value` or `name=value`.
struct SettingLine {
  let name: Substring
  let value: Substring

  init?(_ line: Substring, separator: Character) {
    guard let index = line.firstIndex(of: separator) else { return nil }
    name = line[..<index].trimmingBlanks()
    value = line[line.index(after: index)...].trimmingBlanks()
  }
}

/// The words and numbers of a setting. No space is needed between them: `Fc105Hz` is two names and a number.
struct SettingWords {
  enum Word: Hashable {
    case name(String)
    /// The digits as written.
    case number(String)
  }

  private(set) var words: ArraySlice<Word>

  init(_ text: some StringProtocol) {
    var words: [Word] = []
    let scalars = Array(SettingValue.withPlainSigns(text).unicodeScalars)
    var index = 0
    func isDigit(_ position: Int) -> Bool { position < scalars.count && ("0"..."9").contains(scalars[position]) }
    func isNumberPart(_ position: Int) -> Bool {
      guard position < scalars.count else { return false }
      switch scalars[position] {
      case "0"..."9", ".", "+", "-": return true
      case "e", "E":
        let isSigned = position + 1 < scalars.count && (scalars[position + 1] == "-" || scalars[position + 1] == "+")
        return position > 0 && isDigit(position - 1) && (isDigit(position + 1) || isSigned && isDigit(position + 2))
      // Non-breaking spaces group the digits of large numbers.
      case "\u{A0}", "\u{202F}": return position > 0 && isDigit(position - 1) && isDigit(position + 1)
      default: return false
      }
    }
    while index < scalars.count {
      if scalars[index].properties.isWhitespace {
        index += 1
        continue
      }
      var text = String.UnicodeScalarView()
      if isNumberPart(index) {
        while isNumberPart(index) {
          if !scalars[index].properties.isWhitespace { text.append(scalars[index]) }
          index += 1
        }
        words.append(.number(String(text)))
      } else {
        while index < scalars.count, !scalars[index].properties.isWhitespace, !isNumberPart(index) {
          text.append(scalars[index])
          index += 1
        }
        words.append(.name(String(text)))
      }
    }
    self.words = words[...]
  }

  var isEmpty: Bool { words.isEmpty }

  /// The words that were not taken, for a note.
  var rest: String {
    words.map { word in
      switch word {
      case .name(let text), .number(let text): text
      }
    }.joined(separator: " ")
  }

  mutating func takeName() -> String? {
    guard case .name(let text) = words.first else { return nil }
    words.removeFirst()
    return text
  }

  /// Takes the next word if it is `name`, in upper or lower case.
  mutating func take(_ name: String) -> Bool {
    guard case .name(let text) = words.first, text.lowercased() == name.lowercased() else { return false }
    words.removeFirst()
    return true
  }

  /// Takes the next number as it is written.
  mutating func takeNumberText() -> String? {
    guard case .number(let text) = words.first else { return nil }
    words.removeFirst()
    return text
  }

  mutating func takeNumber() -> Double? {
    guard case .number(let text) = words.first, let value = DecimalText.parse(text) else { return nil }
    words.removeFirst()
    return value
  }
}
