internal import Base
package import LibraryDatabase
internal import MediaModel
package import QueryLanguage
internal import Synchronization
internal import UserData

/// Turns a query into SQL; text from users only ever becomes an argument.
package struct QueryCompiler {
  /// Leaves out files that are not audio and whose names do not say that they are. They are stored only so that scans
  /// do not open them again.
  package static let isListed = "(file.audio_id IS NOT NULL OR file.problem_code IS NOT NULL)"

  package private(set) var arguments: [(any DatabaseValueConvertible)?] = []
  /// Functions that the connection needs while the query runs, one for each regular expression.
  private(set) var functions: [DatabaseFunction] = []
  private let budget = RegexBudget()
  let context: QueryContext

  private static let nodeWidth = 16

  private let functionCount: Int

  /// - Parameter functionCount: the number of functions of other parts of the query.
  package init(_ context: QueryContext, functionCount: Int = 0) {
    self.context = context
    self.functionCount = functionCount
  }

  package mutating func condition(_ condition: QueryCondition) -> String {
    switch condition {
    case .all(let parts): return joined(parts.map { self.condition($0) }[...], by: "AND")
    case .any(let parts): return joined(parts.map { self.condition($0) }[...], by: "OR")
    case .not(.all(let parts)) where parts.count > 1: return "(\(self.condition(.all(parts))) IS NOT TRUE)"
    case .not(.any(let parts)) where parts.count > 1: return "(\(self.condition(.any(parts))) IS NOT TRUE)"
    case .not(let inner): return "((\(self.condition(inner))) IS NOT TRUE)"
    case .word(let text): return "instr(file.search_text, \(bind(text))) > 0"
    case .test(let field, let match): return test(field, match)
    }
  }

  /// A statement that selects `columns` of all rows of a field's table that pass a test, by the field's index.
  mutating func selection(_ columns: String, _ field: LibraryField, _ match: QueryMatch) -> String {
    "SELECT \(columns) FROM \(field.table) INDEXED BY \(field.index ?? "") WHERE \(test(field.field, match))"
  }

  /// Calls `body` while the connection has the functions compiled so far.
  package func withFunctions<Result>(_ db: Database, _ body: () throws -> Result) rethrows -> Result {
    try Self.with(functions, in: db, body)
  }

  package static func with<Result>(
    _ functions: [DatabaseFunction], in db: Database, _ body: () throws -> Result
  ) rethrows -> Result {
    for function in functions { db.add(function: function) }
    defer { for function in functions { db.remove(function: function) } }
    return try body()
  }

  /// A balanced tree of wide nodes: SQLite limits the depth of expressions and of parentheses.
  private func joined(_ parts: ArraySlice<String>, by word: String) -> String {
    guard parts.count > 1 else { return parts.first ?? "TRUE" }
    var size = 1
    while size * Self.nodeWidth < parts.count { size *= Self.nodeWidth }
    let nodes = stride(from: parts.startIndex, to: parts.endIndex, by: size).map { start in
      joined(parts[start..<min(start + size, parts.endIndex)], by: word)
    }
    return "(\(nodes.joined(separator: " \(word) ")))"
  }

  /// Adds an argument and returns its placeholder.
  package mutating func bind(_ value: (any DatabaseValueConvertible)?) -> String {
    arguments.append(value)
    return "?"
  }

  private mutating func test(_ field: QueryField, _ match: QueryMatch) -> String {
    if let known = LibraryField.named(field.name) {
      if case .oneOf(let words) = match, !known.predicates.isEmpty {
        return
          "(\(known.predicates.filter { words.contains($0.word) }.map { "(\($0.sql))" }.joined(separator: " OR ")))"
      }
      if known.field.name == ListReferences.fieldName, case .oneOf(let ids) = match {
        let list = ids.map { bind($0) }.joined(separator: ", ")
        return "file.audio_id IN (SELECT audio_id FROM list_entry WHERE list_id IN (\(list)))"
      }
      if let ids = SoundReferences.recordingIDs(known.field, match) {
        // As many as there are recordings: more than a statement can have arguments.
        return "file.audio_id IN (SELECT value FROM json_each(\(bind("[\(ids.joined(separator: ","))]"))))"
      }
      if known.field.name == SoundReferences.redundantFile.name, case .oneOf(let ids) = match {
        return "file.id IN (SELECT value FROM json_each(\(bind("[\(ids.joined(separator: ","))]"))))"
      }
      if known.joinsValues, let test = joinedTest(RepeatedValues.joined(known), match) {
        switch known.field.name {
        case "artist": return "(\(test) OR \(artistTest(match)))"
        case "album-artist" where !context.separators.isEmpty:
          return "(\(test) OR \(albumArtistTest(known.sql, match)))"
        default: return test
        }
      }
      guard case .contains(let text) = match, let column = known.searched, Self.isInOneLine(text) else {
        return test(known.sql, match)
      }
      // The folded text of the whole file is tested first: only if it matches is the one field folded.
      return "(instr(\(column.rawValue), \(bind(text))) > 0 AND \(test(known.sql, match)))"
    }
    let tag = TagField(name: field.name)
    var places = [tag.rows]
    if context.attributeNames.contains(field.name) {
      places.append(
        """
        FROM attribute WHERE attribute.audio_id = file.audio_id AND attribute.name = \(TagField.quoted(field.name))
         AND attribute.person_id = \(context.personID)
        """)
    }
    if match == .absent { return "NOT (\(places.map { "EXISTS (SELECT 1 \($0))" }.joined(separator: " OR ")))" }
    var tests = places.enumerated().map { index, place in
      var condition: String
      if case .number(let range) = match {
        condition = self.range("number(value)", range)
      } else {
        condition = test("value", match)
      }
      if index == 0, match.isExact, let name = tag.personName { condition = "(\(condition) OR \(test(name, match)))" }
      return "EXISTS (SELECT 1 \(place) AND \(condition))"
    }
    if field.name == TagField.contributor, match.isExact { tests.append(artistTest(match)) }
    return tests.count == 1 ? tests[0] : "(\(tests.joined(separator: " OR ")))"
  }

  /// A test for one of the artists of a file, of which a tag may have several in one value.
  private mutating func artistTest(_ match: QueryMatch) -> String {
    "EXISTS (SELECT 1 FROM json_each(\(RepeatedValues.artists(context.separators))) WHERE \(test("value", match)))"
  }

  /// A test for one of the artists of an album, whose names what somebody listed separates in the artist of its files.
  private mutating func albumArtistTest(_ sql: String, _ match: QueryMatch) -> String {
    let list = TagField.quoted(ArtistSeparators.text(context.separators))
    return """
      (coalesce(file.albumartist, '') = ''
       AND EXISTS (SELECT 1 FROM json_each(artist_names(NULL, (\(sql)), 0, \(list))) WHERE \(test("value", match))))
      """
  }

  /// A test for one of the values that a column joins by `; `; nil for other matches.
  private mutating func joinedTest(_ sql: String, _ match: QueryMatch) -> String? {
    let (values, text): (String, String)
    switch match {
    case .equals(let wanted): (values, text) = (sql, wanted)
    case .equalsFolded(let wanted): (values, text) = ("fold(\(sql))", wanted)
    default: return nil
    }
    return "instr('; ' || \(values) || '; ', \(bind("; \(text); "))) > 0"
  }

  /// Whether the text can be in one value: values of a tag are joined by `; ` in a column, but are separate lines in
  /// the folded text.
  private static func isInOneLine(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: ";")) }

  private mutating func test(_ sql: String, _ match: QueryMatch) -> String {
    switch match {
    case .contains(let text): return "instr(fold(\(sql)), \(bind(text))) > 0"
    case .equals(let text): return "(\(sql)) = \(bind(text))"
    case .equalsFolded(let text): return "fold(\(sql)) = \(bind(text))"
    case .matches(let regex): return "\(function(regex))(\(sql))"
    case .folder(let path) where path.hasPrefix("/"):
      return "substr(fold(\(sql)) || '/', 1, \(bind(path.unicodeScalars.count + 1))) = \(bind(path + "/"))"
    case .folder(let path): return "instr(fold(\(sql)) || '/', \(bind("/" + path + "/"))) > 0"
    case .below(let path):
      return "substr(\(sql) || '/', 1, \(bind(path.unicodeScalars.count))) = \(bind(path))"
    case .oneOf(let words): return "\(sql) IN (\(words.map { bind($0) }.joined(separator: ", ")))"
    case .number(let range): return self.range(sql, range)
    case .date(let lower, let upper):
      let parts = [lower.map { "\(sql) >= \(bind($0))" }, upper.map { "\(sql) < \(bind($0))" }]
      return "(\(parts.compactMap { $0 }.joined(separator: " AND ")))"
    case .absent: return "coalesce(\(sql), '') = ''"
    }
  }

  private mutating func range(_ sql: String, _ range: NumberRange) -> String {
    if let lower = range.lower, lower == range.upper, lower.isIncluded {
      return "\(sql) = \(bind(Self.exact(lower.value)))"
    }
    var parts: [String] = []
    if let lower = range.lower {
      parts.append("\(sql) \(lower.isIncluded ? ">=" : ">") \(bind(Self.exact(lower.value)))")
    }
    if let upper = range.upper {
      parts.append("\(sql) \(upper.isIncluded ? "<=" : "<") \(bind(Self.exact(upper.value)))")
    }
    return parts.isEmpty ? "\(sql) IS NOT NULL" : "(\(parts.joined(separator: " AND ")))"
  }

  /// Whole numbers become integers, so that an index on integers can be used.
  private static func exact(_ number: Double) -> any DatabaseValueConvertible { Int64(exactly: number) ?? number }

  private mutating func function(_ regex: NFARegex) -> String {
    let name = "matches_\(functionCount + functions.count)"
    functions.append(
      DatabaseFunction(name, argumentCount: 1, pure: true) { [budget] values in
        guard let text = values.first.flatMap(String.fromDatabaseValue) else { return nil }
        return try budget.run { regex.isFound(in: text) }
      })
    return name
  }

  // MARK: - Order and columns

  /// The order that was asked for.
  ///
  /// - Parameter isFirstPresent: whether the first field has a value in every row, so that an index provides the order.
  package func order(_ terms: [SortTerm], isFirstPresent: Bool = false) -> [String] {
    terms.enumerated().flatMap { index, term -> [String] in
      let direction = (term.isDescending ? " DESC" : "") + (isFirstPresent && index == 0 ? "" : " NULLS LAST")
      let known = LibraryField.named(term.field.name)
      let sql = known?.shown == nil ? column(term.field) : known?.sql ?? column(term.field)
      return switch term.field.kind {
      case .text, .name: ["fold(\(sql))" + direction, sql + direction]
      case .tag: ["number(\(sql))" + direction, "fold(\(sql))" + direction, sql + direction]
      default: [sql + direction]
      }
    }
  }

  /// The expression for a field in the columns of a list.
  package func column(_ field: QueryField) -> String {
    if context.listsParts, let known = PartFields.named(field.name) { return known.sql }
    switch field.name {
    case "path": return "CAST(rtrim(CAST(root.path AS TEXT), '/') || '/' || CAST(file.path AS TEXT) AS BLOB)"
    case "root": return "root.path"
    default: break
    }
    if let seed = field.randomSeed { return "shuffled(file.id, \(seed))" }
    if let known = LibraryField.named(field.name) { return known.shown ?? known.sql }
    let tags = TagField(name: field.name).column(separators: context.separators)
    guard context.attributeNames.contains(field.name) else { return tags }
    return """
      coalesce((SELECT value FROM attribute
                 WHERE audio_id = file.audio_id AND name = \(TagField.quoted(field.name))
                   AND person_id = \(context.personID)), \(tags))
      """
  }
}

extension QueryMatch {
  /// Whether it asks for a whole value.
  fileprivate var isExact: Bool {
    switch self {
    case .equals, .equalsFolded: true
    default: false
    }
  }
}

extension QueryCompiler {
  /// The expressions for a key of groups, whose values count one by one if a file has several: the table that they need, if
  /// any, and the column.
  ///
  /// - Parameter number: Another one for each key.
  ///
  /// - Parameter shown: what some values are called in groups, see ``GroupSpellings``.
  func groupKey(
    _ key: QueryGrouping.Key, number: Int, shown: [String: String] = [:]
  ) -> (join: String, column: String) {
    let (join, column) = groupKey(key, number: number)
    guard !shown.isEmpty else { return (join, column) }
    let cases = shown.sorted { $0.key < $1.key }
      .map { "WHEN \(TagField.quoted($0)) THEN \(TagField.quoted($1))" }
    return (join, "CASE \(column) \(cases.joined(separator: " ")) ELSE \(column) END")
  }

  private func groupKey(_ key: QueryGrouping.Key, number: Int) -> (join: String, column: String) {
    let column = key.sql(column(key.field))
    let isAttribute = context.attributeNames.contains(key.field.name)
    guard key.period == nil, !isAttribute,
      let values = RepeatedValues.json(
        key.field.name, isTag: key.field.kind == .tag, separators: context.separators)
    else { return ("", column) }
    let value = "value\(number).value"
    return (
      "LEFT JOIN json_each(\(values)) AS value\(number)",
      key.field.kind == .tag ? value : "coalesce(\(value), \(column))"
    )
  }
}

/// The time limit for all regular expressions of one query together.
final class RegexBudget: Sendable {
  private static let limit = Duration.seconds(20)
  private let spent = Mutex(Duration.zero)

  func run(_ match: () -> Bool) throws -> Bool {
    let start = ContinuousClock.now
    let result = match()
    let total = spent.withLock { spent in
      spent += ContinuousClock.now - start
      return spent
    }
    guard total < Self.limit else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
    return result
  }
}
