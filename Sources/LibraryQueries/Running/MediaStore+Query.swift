package import Base
internal import Foundation
internal import Glibc
package import LibraryDatabase
package import MediaStore
package import QueryLanguage
package import UserData

extension MediaStore {
  /// Every field except tags.
  package static let fields: [QueryField] = LibraryField.all.map(\.field)

  /// The fields of this library, including its tags.
  package var vocabulary: QueryVocabulary {
    QueryVocabulary(Self.fields) { [weak self] name in
      guard let self else { return false }
      let answer = try? self.read { db in
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM tag_name WHERE name = :name)
                OR EXISTS (SELECT 1 FROM attribute WHERE person_id = listener() AND name = lower(:name))
            """,
          arguments: ["name": name])
      }
      // If the library cannot be read, the query itself will fail with that error.
      return answer ?? true
    }
  }

  /// The query that a user means by words: see ``queryText(of:workingDirectory:)``.
  package func query(finding words: [String]) throws(QueryError) -> Query { try query(Self.queryText(of: words)) }

  /// Parses the text of a query; `list:NAME` becomes what the list means now.
  package func query(_ text: String) throws(QueryError) -> Query {
    try query(text, savedAs: nil)
  }

  /// The same as if a list were already saved.
  package func query(_ text: String, savedAs list: SavedList?) throws(QueryError) -> Query {
    let query = try Query(text, vocabulary: vocabulary, now: now)
    return try resolvingSounds(resolvingAlbums(resolvingLists(query, text, savedAs: list)))
  }

  /// Whether a query asks where files are: by a part of their paths, or in the order of these. Lists that it names were made by
  /// the library's people, and do not count.
  package func asksForPaths(_ text: String) throws(QueryError) -> Bool {
    func isPath(_ field: QueryField) -> Bool { field.kind == .path || field.name == "editionname" }
    let query = try Query(text, vocabulary: vocabulary, now: now)
    var asks = query.order.contains { isPath($0.field) }
    _ = try query.condition?.replacingTests { field, match throws(QueryError) in
      asks = asks || isPath(field)
      return .test(field, match)
    }
    return asks
  }

  /// The same query with the albums that others have become part of in the place of these.
  private func resolvingAlbums(_ query: Query) throws(QueryError) -> Query {
    var result = query
    result.condition = try query.condition?.replacingTests { field, match throws(QueryError) in
      guard field.name == "album-id", case .number(let range) = match, let lower = range.lower, lower == range.upper,
        let id = Int64(exactly: lower.value)
      else { return .test(field, match) }
      // If the library cannot be read, the query itself will fail with that error.
      guard let current = try? read({ try AlbumDecisions.currentID(of: id, $0) }), current != id else {
        return .test(field, match)
      }
      let limit = NumberRange.Limit(Double(current), isIncluded: lower.isIncluded)
      return .test(field, .number(NumberRange(lower: limit, upper: limit)))
    }
    return result
  }

  private func resolvingLists(_ query: Query, _ text: String, savedAs list: SavedList?) throws(QueryError) -> Query {
    guard let place = text.range(of: "list:", options: .caseInsensitive) else { return query }
    // If the library cannot be read, the query itself will fail with that error.
    guard var lists = try? lists.all() else { return query }
    if let list { lists = lists.filter { $0.id != list.id } + [list] }
    let column = text.unicodeScalars.distance(from: text.startIndex, to: place.lowerBound) + 1
    var references = ListReferences(lists: lists, vocabulary: vocabulary, now: now, column: column)
    return try references.resolved(query)
  }

  /// The query for the tracks of a list, in its order.
  package func query(ofList list: SavedList) throws(QueryError) -> Query {
    try query("list:=\"\(list.name.escaping("\"\\", with: "\\"))\"")
  }

  /// The text of the query that a user means by words for any number of files. A word that looks like a path stands
  /// for the file there, or for everything below the folder; several such words in a row stand for all of them
  /// together.
  ///
  /// Case and accents count, because they do in file names; bytes that are not UTF-8 all count as equal.
  package static func queryText(of words: [String], workingDirectory: BytePath? = nil) -> String {
    var parts: [String] = []
    for (index, word) in words.enumerated() {
      guard looksLikePath(word, in: workingDirectory) else {
        parts.append(word)
        continue
      }
      let paths = LibraryPath.candidates(for: BytePath(argument: word), in: workingDirectory).map(\.displayString)
      let terms = paths.map { "path:=\"" + $0.escaping("\"\\", with: "\\") + ($0 == "/" ? "\"" : "/\"") }
      let followsPath = index > 0 && looksLikePath(words[index - 1], in: workingDirectory)
      let open = followsPath ? "\(parts.removeLast().dropLast()) OR " : "("
      parts.append(open + terms.joined(separator: " OR ") + ")")
    }
    return parts.joined(separator: " ")
  }

  /// Whether a word begins like a path, or has a slash and names something that exists, such as `jazz/a.flac`.
  package static func looksLikePath(_ word: String, in workingDirectory: BytePath?) -> Bool {
    if [".", ".."].contains(word) || ["/", "./", "../"].contains(where: { word.hasPrefix($0) }) { return true }
    let path = BytePath(argument: word)
    return path.bytes.contains(UInt8(ascii: "/"))
      && LibraryPath.exists(workingDirectory.map { $0.appending(path) } ?? path)
  }

  /// Whether a word is the path of a file that exists: with a slash or an extension, because a mere word is one of a
  /// query.
  package static func looksLikeFile(_ word: BytePath, in workingDirectory: BytePath? = nil) -> Bool {
    guard word.bytes.contains(UInt8(ascii: "/")) || !word.pathExtension.isEmpty else { return false }
    var status = stat()
    let path = workingDirectory.map { $0.appending(word) } ?? word
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Calls `body` with each file that a query finds, in the query's order, otherwise by path.
  ///
  /// The order is total: the last criteria are path and id. `body` must not call the store; its errors are rethrown.
  /// - Parameters:
  ///   - fileIDs: the only files to search, in their order unless the query has one; nil for all.
  ///   - listsParts: whether `body` gets each part of the files instead of the files, with the fields of
  ///     ``partVocabulary``.
  package func forEachListRow(
    of query: Query, fields: [QueryField], limit: Int? = nil, fileIDs: [Int64]? = nil, listsParts: Bool = false,
    _ body: (borrowing ListRow) throws -> Void
  ) throws {
    try run(
      { try QueryPlan(query, fields: fields, limit: limit, fileIDs: fileIDs, listsParts: listsParts, in: $0) }, body)
  }

  /// Calls `body` with one row for each group of the files that a query finds.
  package func forEachGroup(
    of query: Query, _ grouping: QueryGrouping, limit: Int? = nil, _ body: (borrowing ListRow) throws -> Void
  ) throws {
    try run({ try QueryPlan(query, grouping: grouping, limit: limit, in: $0) }, body)
  }

  /// Calls `body` with the rows of a plan; what it throws ends the plan and is thrown again.
  package func run(_ plan: (Database) throws -> QueryPlan, _ body: (borrowing ListRow) throws -> Void) throws {
    var stopped: (any Error)?
    try read { db in
      let plan = try plan(db)
      try plan.withFunctions(db) {
        do {
          try plan.run(db, body)
        } catch let error as ListRow.Stop {
          stopped = error.reason
        }
      }
    }
    if let stopped { throw stopped }
  }

  /// The same with the values of each row, for short lists.
  package func forEachRow(
    of query: Query, fields: [QueryField], limit: Int? = nil, listsParts: Bool = false,
    _ body: ([FieldValue]) throws -> Void
  ) throws {
    try forEachListRow(of: query, fields: fields, limit: limit, listsParts: listsParts) { try body($0.values) }
  }

  /// The number of files that a query finds.
  package func count(of query: Query) throws(StoreError) -> Int {
    try read { db in
      let plan = try QueryPlan(countOf: query, in: db)
      var count = 0
      try plan.withFunctions(db) {
        try plan.run(db) { if case .integer(let number) = $0.value(0) { count = Int(number) } }
      }
      return count
    }
  }

  /// The steps of SQLite's plan for a listing, for tests.
  package func plan(of query: Query, fields: [QueryField], limit: Int? = nil) throws(StoreError) -> [String] {
    try read { db in
      let plan = try QueryPlan(query, fields: fields, limit: limit, in: db)
      var steps: [String] = []
      try plan.withFunctions(db) {
        for statement in plan.statements {
          let rows = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: StatementArguments(statement.arguments))
          steps += try rows.map { try $0["detail"] }
        }
      }
      return steps
    }
  }
}
