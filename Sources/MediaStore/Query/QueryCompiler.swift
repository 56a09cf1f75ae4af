internal import GRDB
internal import MediaModel

/// Turns a query into SQL; text from users only ever becomes an argument.
struct QueryCompiler {
  /// What every field's expression is about: a row for each file, which is always the outermost table.
  static let source = """
    file CROSS JOIN root ON root.id = file.root_id
         LEFT JOIN audio ON audio.id = file.audio_id
         LEFT JOIN measures ON measures.audio_id = file.audio_id
    """

  /// Leaves out what never claimed to be audio and is none: such files are remembered only so that they are not opened
  /// again.
  static let isListed = "(file.audio_id IS NOT NULL OR file.problem_code IS NOT NULL)"

  private(set) var arguments: [(any DatabaseValueConvertible)?] = []
  /// Functions that the connection needs while the query runs, one for each regular expression.
  private(set) var functions: [DatabaseFunction] = []
  private let budget = RegexBudget()

  mutating func condition(_ condition: QueryCondition) -> String {
    switch condition {
    case .all(let parts): return joined(parts.map { self.condition($0) }[...], by: "AND")
    case .any(let parts): return joined(parts.map { self.condition($0) }[...], by: "OR")
    case .not(let inner): return "((\(self.condition(inner))) IS NOT TRUE)"
    case .word(let text): return "instr(file.search_text, \(bind(text))) > 0"
    case .test(let field, let match): return test(field, match)
    }
  }

  /// A balanced tree, since SQLite limits the depth of an expression.
  private func joined(_ parts: ArraySlice<String>, by word: String) -> String {
    guard parts.count > 1 else { return parts.first ?? "TRUE" }
    let middle = parts.startIndex + parts.count / 2
    return "(\(joined(parts[..<middle], by: word)) \(word) \(joined(parts[middle...], by: word)))"
  }

  /// The text of an argument, which is the next in order.
  mutating func bind(_ value: (any DatabaseValueConvertible)?) -> String {
    arguments.append(value)
    return "?"
  }

  private mutating func test(_ field: QueryField, _ match: QueryMatch) -> String {
    if let known = LibraryField.byName[field.name] {
      guard case .contains(let text) = match, known.isSearched else { return test(known.sql, match) }
      return "(instr(file.search_text, \(bind(text))) > 0 AND \(test(known.sql, match)))"
    }
    let tag = """
      EXISTS (SELECT 1 FROM tag WHERE tag.file_id = file.id
                 AND tag.name_id = (SELECT id FROM tag_name WHERE name = \(bind(field.name.uppercased())))
      """
    switch match {
    case .absent: return "NOT \(tag))"
    case .number(let range): return "\(tag) AND \(self.range("number(tag.value)", range)))"
    default: return "\(tag) AND \(test("tag.value", match)))"
    }
  }

  private mutating func test(_ sql: String, _ match: QueryMatch) -> String {
    switch match {
    case .contains(let text): return "instr(fold(\(sql)), \(bind(text))) > 0"
    case .equals(let text): return "(\(sql)) = \(bind(text))"
    case .equalsFolded(let text): return "fold(\(sql)) = \(bind(text))"
    case .matches(let regex): return "\(function(regex))(\(sql))"
    case .folder(let path) where path.hasPrefix("/"):
      return "substr(fold(\(sql)) || '/', 1, \(bind(path.unicodeScalars.count + 1))) = \(bind(path + "/"))"
    case .folder(let path): return "instr(fold(\(sql)) || '/', \(bind("/" + path + "/"))) > 0"
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

  /// Whole numbers as integers, so that an index on integers serves.
  private static func exact(_ number: Double) -> any DatabaseValueConvertible { Int64(exactly: number) ?? number }

  private mutating func function(_ regex: LinearRegex) -> String {
    let name = "matches_\(functions.count)"
    functions.append(
      DatabaseFunction(name, argumentCount: 1, pure: true) { [budget] values in
        guard let text = values.first.flatMap(String.fromDatabaseValue) else { return nil }
        return try budget.run { regex.isFound(in: text) }
      })
    return name
  }

  // MARK: - Order and columns

  /// The order of a list: as asked for, then by root and path, which is that of an index, and total.
  static func order(_ terms: [SortTerm]) -> String {
    let asked = terms.flatMap { term -> [String] in
      let direction = term.isDescending ? " DESC NULLS LAST" : " NULLS LAST"
      let sql = sortedSQL(term.field)
      return switch term.field.kind {
      case .text, .tag: ["fold(\(sql))" + direction, sql + direction]
      default: [sql + direction]
      }
    }
    return (asked + ["file.root_id", "file.path", "file.id"]).joined(separator: ", ")
  }

  private static func sortedSQL(_ field: QueryField) -> String {
    column(field)
  }

  /// The expression for a field in the columns of a list.
  static func column(_ field: QueryField) -> String {
    switch field.name {
    case "path": return "CAST(rtrim(CAST(root.path AS TEXT), '/') || '/' || CAST(file.path AS TEXT) AS BLOB)"
    case "root": return "root.path"
    default: break
    }
    if let known = LibraryField.byName[field.name] { return known.sql }
    // The name of a tag that the vocabulary knows: quoted all the same.
    let name = field.name.uppercased().replacing("'", with: "''")
    return """
      (SELECT group_concat(value, '; ') FROM (
         SELECT value FROM tag WHERE file_id = file.id AND name_id = (SELECT id FROM tag_name WHERE name = '\(name)')
          ORDER BY position))
      """
  }
}
