internal import Base
internal import MediaModel

/// Converts the value of a term to a condition on its field.
struct QueryMatchReader {
  let field: QueryField
  let now: Int64

  func read(_ value: QueryLexer.Value) throws(QueryError) -> QueryMatch {
    var value = value
    // An extension is stored without the dot that many people type.
    if field.name == "ext", value.style != .regex, value.text.count > 1, value.text.first == "." {
      value.text.removeFirst()
    }
    if value.text.isEmpty {
      guard value.isQuoted || value.style != .plain else { throw error("nothing after the colon", value) }
      if value.style == .regex { throw error("an empty regular expression", value) }
      return .absent
    }
    if case .name(let none) = field.kind, value.style == .plain, !value.isQuoted, TextFolding.fold(value.text) == none {
      return .absent
    }
    switch value.style {
    case .regex: return .matches(try regex(value))
    case .exact: return try exact(value)
    case .exactFolded:
      guard isTextual else { throw error("only text can be compared regardless of case", value) }
      return .equalsFolded(TextFolding.fold(value.text))
    case .plain: return try plain(value)
    }
  }

  /// Fields of text whose values are words without commas.
  private static let fieldsOfWords: Set = ["codec", "container", "ext"]

  /// The values that commas separate: `id:53,64` finds both. Commas belong to texts, and to numbers that may have a fraction.
  func alternatives(in value: QueryLexer.Value) -> [QueryLexer.Value] {
    switch field.kind {
    case .text where Self.fieldsOfWords.contains(field.name): break
    case .integer, .keyword, .date, .instant, .musicalKey, .keyText: break
    case .text, .name, .tag, .path, .hexadecimal, .real, .tempo, .size, .duration: return [value]
    }
    guard value.style == .plain, !value.isQuoted, value.text.contains(",") else { return [value] }
    var column = value.column
    return value.text.split(separator: ",", omittingEmptySubsequences: false).map { text in
      var part = value
      (part.text, part.column) = (String(text), column)
      column += text.unicodeScalars.count + 1
      return part
    }
  }

  private var isTextual: Bool {
    switch field.kind {
    case .text, .name, .tag, .path, .keyword, .hexadecimal, .keyText: true
    case .integer, .real, .tempo, .size, .duration, .musicalKey, .date, .instant: false
    }
  }

  private func error(_ message: String, _ value: QueryLexer.Value) -> QueryError {
    QueryError("\(field.name): \(message)", column: value.column)
  }

  private func regex(_ value: QueryLexer.Value) throws(QueryError) -> NFARegex {
    guard isTextual || field.kind == .date else { throw error("a regular expression needs text, not a number", value) }
    do {
      return try NFARegex(value.text)
    } catch {
      throw QueryError("\(field.name): \(error.message)", column: value.column + error.column - 1)
    }
  }

  private func exact(_ value: QueryLexer.Value) throws(QueryError) -> QueryMatch {
    switch field.kind {
    case .path where field.name == "path" && value.text.hasSuffix("/"): return .below(value.text)
    case .text, .name, .tag, .path, .keyText: return .equals(value.text)
    case .hexadecimal: return .equals(value.text.lowercased())
    case .keyword(let words):
      guard words.contains(value.text) else { throw unknownWord(words, value) }
      return .oneOf([value.text])
    default: return try plain(value)
    }
  }

  private func plain(_ value: QueryLexer.Value) throws(QueryError) -> QueryMatch {
    switch field.kind {
    case .text, .name: return .contains(QueryParser.folded(value.text))
    case .path: return path(value)
    case .tag: return value.isQuoted ? .contains(QueryParser.folded(value.text)) : tag(value)
    case .keyword(let words):
      let wanted = TextFolding.fold(value.text)
      let found = words.filter { $0.contains(wanted) }
      guard !found.isEmpty else { throw unknownWord(words, value) }
      return .oneOf(found)
    case .hexadecimal:
      let digits = value.text.lowercased()
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
        throw error("'\(value.text.prefix(40))' has characters other than 0-9 and a-f", value)
      }
      return .contains(digits)
    case .musicalKey:
      let limit = NumberRange.Limit(Double(try key(value).number), isIncluded: true)
      return .number(NumberRange(lower: limit, upper: limit))
    // As a whole: 1A is no part of 11A.
    case .keyText(let notation): return .equalsFolded(TextFolding.fold(try key(value).text(in: notation)))
    case .integer, .real, .tempo, .size, .duration: return .number(try QueryRange(field: field, value: value).numbers())
    case .date: return try QueryRange(field: field, value: value).dates()
    case .instant: return .number(try QueryRange(field: field, value: value).instants(now: now))
    }
  }

  /// A key in any notation.
  private func key(_ value: QueryLexer.Value) throws(QueryError) -> MusicalKey {
    guard let key = MusicalKey(value.text) else {
      throw error("'\(value.text.prefix(40))' is not a key such as Am, F#, 8A or 1m", value)
    }
    return key
  }

  /// A value with a slash names folders; any other is part of the path.
  private func path(_ value: QueryLexer.Value) -> QueryMatch {
    let folded = QueryParser.folded(value.text)
    guard folded.contains("/") else { return .contains(folded) }
    var path = folded
    while path.hasSuffix("/") { path.removeLast() }
    return path.isEmpty ? .contains("/") : .folder(path)
  }

  /// A comparison or a range of numbers; anything else is text.
  private func tag(_ value: QueryLexer.Value) -> QueryMatch {
    let range = QueryRange(field: QueryField(field.name, .real), value: value)
    if range.isComparison, let numbers = try? range.numbers() { return .number(numbers) }
    return .contains(QueryParser.folded(value.text))
  }

  private func unknownWord(_ words: [String], _ value: QueryLexer.Value) -> QueryError {
    error("'\(value.text.prefix(40))' is not one of \(words.joined(separator: ", "))", value)
  }
}
