/// Splits the text of a query into tokens, one at a time.
struct QueryLexer {
  /// A term with quotation marks and escapes resolved.
  struct Term {
    /// The text before the colon; nil for a plain word.
    var field: String?
    var value: Value
    var column: Int
  }

  struct Value {
    enum Style {
      /// `field:value`
      case plain
      /// `field:=value`
      case exact
      /// `field:=~value`
      case exactFolded
      /// `field::value`
      case regex
    }

    var text = ""
    var style = Style.plain
    /// Whether any of it was quoted, which makes operators and dots literal.
    var isQuoted = false
    var column = 1
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var isAtEnd: Bool { position >= scalars.count }
  var peek: Unicode.Scalar? { scalar(0) }
  var column: Int { position + 1 }

  func error(_ message: String) -> QueryError { QueryError(message, column: column) }

  mutating func advance() { position += 1 }

  mutating func skipSpace() {
    while let next = peek, next.properties.isWhitespace { position += 1 }
  }

  private func scalar(_ offset: Int) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private func endsWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { $0.properties.isWhitespace } ?? true
  }

  // MARK: - Operators

  /// A comma or bar that is separate or ends a term, or the word OR.
  var isAtAlternative: Bool {
    switch peek {
    case ",", "|": endsWord(scalar(1))
    case "O": isAt("OR")
    default: false
    }
  }

  /// Takes the operator of an alternative and returns its column.
  mutating func takeAlternative() -> Int? {
    skipSpace()
    guard isAtAlternative else { return nil }
    defer { position += peek == "O" ? 2 : 1 }
    return column
  }

  private func isAt(_ word: String) -> Bool {
    let letters = word.unicodeScalars
    let after = scalar(letters.count)
    return scalars[position...].starts(with: letters) && (endsWord(after) || after == "(" || after == ")")
  }

  mutating func takeWord(_ word: String) -> Bool {
    guard isAt(word) else { return false }
    position += word.unicodeScalars.count
    return true
  }

  /// A negation operator directly before something, or the word NOT.
  mutating func takeNegation() -> Bool {
    if peek == "-" || peek == "^" {
      guard !endsWord(scalar(1)) else { return false }
      position += 1
      return true
    }
    guard takeWord("NOT") else { return false }
    skipSpace()
    return true
  }

  // MARK: - Terms

  /// Reads up to white space, a parenthesis that was not opened inside the term, or a comma that ends it.
  mutating func readTerm() throws(QueryError) -> Term {
    let start = column
    var first = Value(column: start)
    try readText(into: &first, stopsAtColon: true)
    guard peek == ":", !first.isQuoted, !first.text.isEmpty else {
      // A colon before or after quotation marks is a plain character.
      try readText(into: &first, stopsAtColon: false)
      guard first.isQuoted || !first.text.isEmpty else { throw error("nothing to search for") }
      return Term(field: nil, value: first, column: start)
    }
    advance()
    var value = Value(column: column)
    if peek == ":" {
      value.style = .regex
      advance()
    } else if peek == "=" {
      value.style = scalar(1) == "~" ? .exactFolded : .exact
      position += value.style == .exactFolded ? 2 : 1
    }
    value.column = column
    if value.style == .regex, peek != "\"" {
      readPattern(into: &value)
    } else {
      try readText(into: &value, stopsAtColon: false)
    }
    return Term(field: first.text, value: value, column: start)
  }

  private mutating func readText(into value: inout Value, stopsAtColon: Bool) throws(QueryError) {
    var openCount = 0
    while let next = peek, !next.properties.isWhitespace {
      switch next {
      case ":" where stopsAtColon: return
      case "," where endsWord(scalar(1)): return
      case ")" where openCount == 0: return
      case "\"": try readQuoted(into: &value)
      case "\\":
        // A backslash makes an operator character literal; before other characters it is itself literal.
        if let escaped = scalar(1), "\\\":,()|^-+=<>. ".unicodeScalars.contains(escaped) {
          position += 1
          value.text.unicodeScalars.append(escaped)
          value.isQuoted = true
        } else {
          value.text.unicodeScalars.append(next)
        }
        position += 1
      default:
        if next == "(" { openCount += 1 }
        if next == ")" { openCount -= 1 }
        value.text.unicodeScalars.append(next)
        position += 1
      }
    }
  }

  private mutating func readQuoted(into value: inout Value) throws(QueryError) {
    let start = column
    value.isQuoted = true
    position += 1
    while let next = peek {
      position += 1
      if next == "\"" { return }
      if next == "\\", let escaped = peek, escaped == "\"" || (escaped == "\\" && value.style != .regex) {
        position += 1
        value.text.unicodeScalars.append(escaped)
      } else {
        value.text.unicodeScalars.append(next)
      }
    }
    throw QueryError("a quotation mark is not closed", column: start)
  }

  /// An unquoted regular expression, with its own backslashes, sets and groups.
  private mutating func readPattern(into value: inout Value) {
    var openCount = 0
    var isInSet = false
    while let next = peek, !next.properties.isWhitespace {
      if next == "," && endsWord(scalar(1)) { return }
      if !isInSet {
        if next == ")" && openCount == 0 { return }
        if next == "(" { openCount += 1 }
        if next == ")" { openCount -= 1 }
        if next == "[" { isInSet = true }
      } else if next == "]" {
        isInSet = false
      }
      value.text.unicodeScalars.append(next)
      position += 1
      if next == "\\", let escaped = peek, !escaped.properties.isWhitespace {
        value.text.unicodeScalars.append(escaped)
        position += 1
      }
    }
  }
}
