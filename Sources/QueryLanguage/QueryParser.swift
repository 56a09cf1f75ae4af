internal import Base

/// Parses the text of a query.
///
/// Consecutive terms must all match; of terms separated by ` , `, `|` or `OR` one must. `-`, `^` or `NOT` before a term
/// or parenthesis negates it; `year-` and `artist+` sort. `deadwax help query` lists all terms.
struct QueryParser {
  static let longestText = 65_536
  static let mostTerms = 1_000
  static let deepestNesting = 50

  let vocabulary: QueryVocabulary
  let now: Int64
  private var lexer: QueryLexer
  private var order: [SortTerm] = []
  private var termCount = 0

  init(_ text: String, vocabulary: QueryVocabulary, now: Int64) throws(QueryError) {
    guard text.utf8.count <= Self.longestText else {
      throw QueryError("longer than \(Self.longestText) bytes", column: 1)
    }
    // SQLite would ignore everything after a NUL.
    if let place = text.unicodeScalars.firstIndex(of: "\0") {
      throw QueryError("a NUL, which no tag contains", column: text.unicodeScalars[..<place].count + 1)
    }
    lexer = QueryLexer(text)
    self.vocabulary = vocabulary
    self.now = now
  }

  mutating func parse() throws(QueryError) -> Query {
    lexer.skipSpace()
    if lexer.isAtEnd { return .everything }
    let condition = try parseAlternatives(depth: 0)
    guard lexer.isAtEnd else { throw lexer.error("a ) without a (") }
    return Query(condition: condition, order: order)
  }

  /// nil if there are only sort terms.
  private mutating func parseAlternatives(depth: Int) throws(QueryError) -> QueryCondition? {
    guard depth <= Self.deepestNesting else { throw lexer.error("nested more than \(Self.deepestNesting) deep") }
    lexer.skipSpace()
    guard !lexer.isAtAlternative else { throw lexer.error("nothing before the OR") }
    let first = try parseTerms(depth: depth)
    guard lexer.takeAlternative() != nil else { return first }
    var alternatives: [QueryCondition] = []
    if let first { alternatives.append(first) }
    repeat {
      guard let next = try parseTerms(depth: depth) else { throw lexer.error("nothing after the OR") }
      alternatives.append(next)
    } while lexer.takeAlternative() != nil
    guard alternatives.count > 1 else { throw lexer.error("nothing before the OR") }
    return .any(alternatives)
  }

  private mutating func parseTerms(depth: Int) throws(QueryError) -> QueryCondition? {
    var terms: [QueryCondition] = []
    while true {
      lexer.skipSpace()
      if lexer.isAtEnd || lexer.peek == ")" || lexer.isAtAlternative { break }
      if lexer.takeWord("AND") { continue }
      if let term = try parseTerm(depth: depth) { terms.append(term) }
    }
    return terms.count > 1 ? .all(terms) : terms.first
  }

  private mutating func parseTerm(depth: Int) throws(QueryError) -> QueryCondition? {
    guard depth <= Self.deepestNesting else { throw lexer.error("nested more than \(Self.deepestNesting) deep") }
    if lexer.takeNegation() {
      let column = lexer.column
      guard let term = try parseTerm(depth: depth + 1) else {
        throw QueryError("a sort term cannot be negated", column: column)
      }
      // Two negations cancel out, and each would be a level of nesting for SQLite.
      if case .not(let inner) = term { return inner }
      return .not(term)
    }
    if lexer.peek == "(" { return try parseParentheses(depth: depth) }
    termCount += 1
    guard termCount <= Self.mostTerms else { throw lexer.error("more than \(Self.mostTerms) terms") }
    let term = comparison(try lexer.readTerm())
    if let sort = try sortTerm(term) {
      order.append(sort)
      return nil
    }
    guard let name = term.field else { return .word(Self.folded(term.value.text)) }
    guard let field = vocabulary[name] else {
      throw unknown(name, column: term.column, hint: "quote it to search for the text")
    }
    let reader = QueryMatchReader(field: field, now: now)
    let values = reader.alternatives(in: term.value)
    termCount += values.count - 1
    var tests: [QueryCondition] = []
    for value in values { tests.append(.test(field, try reader.read(value))) }
    return tests.count == 1 ? tests[0] : .any(tests)
  }

  /// `band(1000)>-30` and `year>=1999`: a comparison after the name of a numeric field needs no colon.
  private func comparison(_ term: QueryLexer.Term) -> QueryLexer.Term {
    guard term.field == nil, !term.value.isQuoted, let sign = term.value.text.firstIndex(where: { "<>".contains($0) })
    else { return term }
    let name = String(term.value.text[..<sign])
    guard vocabulary[name]?.kind.isNumber ?? ComputedField.isMeant(by: name) else { return term }
    var result = term
    result.field = name
    result.value.text = String(term.value.text[sign...])
    result.value.column = term.column + term.value.text[..<sign].unicodeScalars.count
    return result
  }

  private mutating func parseParentheses(depth: Int) throws(QueryError) -> QueryCondition {
    let open = lexer.column
    lexer.advance()
    lexer.skipSpace()
    guard lexer.peek != ")", let inner = try parseAlternatives(depth: depth + 1) else {
      throw QueryError("nothing inside the parentheses", column: open)
    }
    guard lexer.peek == ")" else { throw QueryError("a ( without a )", column: open) }
    lexer.advance()
    return inner
  }

  /// `year-` and `artist+`: an unquoted name followed by a sign.
  private func sortTerm(_ term: QueryLexer.Term) throws(QueryError) -> SortTerm? {
    let text = term.value.text
    guard term.field == nil, !term.value.isQuoted, let sign = text.unicodeScalars.last, sign == "-" || sign == "+"
    else { return nil }
    let name = String(text.dropLast())
    guard !name.isEmpty,
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F || (0x30...0x39).contains($0) })
        && !name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) || ComputedField.isMeant(by: name)
        // A word may have a hyphen: only a field that there is sorts by it.
        || name.utf8.contains(0x2D) && vocabulary[name] != nil
    else { return nil }
    guard let field = vocabulary[name] else {
      throw unknown(name, column: term.column, hint: "quote it to search for the word")
    }
    return SortTerm(field, isDescending: sign == "-")
  }

  private func unknown(_ name: String, column: Int, hint: String) -> QueryError {
    if let mistake = ComputedField.mistake(in: name) { return QueryError(mistake, column: column) }
    let near = vocabulary.names(near: name)
    return QueryError(
      "unknown field '\(name.prefix(40))'" + (near.isEmpty ? "; " + hint : SpellingSuggestions.question(near)),
      column: column, isAboutField: true)
  }

  static func folded(_ text: String) -> String {
    TextFolding.fold(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension Query {
  /// Parses a query.
  ///
  /// - Parameter now: Seconds since 1970, for relative dates.
  package init(_ text: String, vocabulary: QueryVocabulary, now: Int64) throws(QueryError) {
    var parser = try QueryParser(text, vocabulary: vocabulary, now: now)
    self = try parser.parse()
  }

  /// Sort terms of an option: `year-,artist`; a name without a sign sorts ascending.
  package static func order(_ text: String, vocabulary: QueryVocabulary) throws(QueryError) -> [SortTerm] {
    var order: [SortTerm] = []
    var column = 1
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var name = part.trimmingPrefix { $0 == " " }
      let sign = name.last
      if sign == "-" || sign == "+" { name = name.dropLast() }
      guard let field = QueryField.random(name) ?? vocabulary[String(name)] else {
        if name.hasPrefix("random:") { throw QueryError("a seed is a whole number: random:7", column: column) }
        let near = SpellingSuggestions.question(vocabulary.names(near: String(name)))
        throw QueryError("unknown field '\(name.prefix(40))'\(near)", column: column)
      }
      order.append(SortTerm(field, isDescending: sign == "-"))
      column += part.unicodeScalars.count + 1
    }
    return order
  }
}
