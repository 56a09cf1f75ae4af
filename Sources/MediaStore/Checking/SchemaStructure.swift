package import Base
package import LibraryDatabase

/// The tables, indexes, views and triggers of a library, as their definitions say, whatever the layout of the SQL.
///
/// A library of a stranger may have objects that this program never made: a trigger that deletes what is inserted, a
/// constraint that ignores it, a view in place of a table. So nothing is written to a library whose definitions are not
/// those of its schema version.
package struct SchemaStructure: Equatable {
  /// The canonical definition of each object, by kind and name.
  private var parts: [String: String] = [:]

  /// - Complexity: O(the length of the schema): about 20,000 characters.
  package init(_ db: Database) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT type, name, sql FROM sqlite_schema")
    while let row = try rows.next() {
      let (type, name): (String, String) = try (row[0], row[1])
      guard let sql = try row[2] as String? else {
        // The index of a constraint, which is part of its table's definition.
        if type == "index", name.hasPrefix("sqlite_autoindex_") { continue }
        add("\(type) \(name)", "")
        continue
      }
      add("\(type) \(name)", SQLTokens(sql).canonical)
    }
    add(Self.encoding, try String.fetchOne(db, sql: "PRAGMA encoding") ?? "")
    for statistics in Self.statistics where parts[statistics.key] == statistics.value { parts[statistics.key] = nil }
  }

  /// The structure that a script of CREATE statements makes.
  private init(script: String) {
    for statement in SQLTokens(script).statements {
      if let key = statement.key { add(key, statement.canonical) }
    }
    for sql in Self.madeBySQLite {
      let statement = SQLTokens(sql)
      if let key = statement.key { add(key, statement.canonical) }
    }
    add(Self.encoding, "UTF-8")
  }

  /// Not an object, but as much a property of every library: in UTF-16, paths would be put together from other bytes.
  private static let encoding = "encoding of text"

  private mutating func add(_ key: String, _ definition: String) {
    // Two objects of one name cannot be, except in a schema that was written by hand.
    parts[key] = parts[key] == nil ? definition : "twice"
  }

  /// What SQLite adds by itself: the shadow tables of the search index, and the last ids of AUTOINCREMENT.
  private static let madeBySQLite = [
    "CREATE TABLE 'search_data'(id INTEGER PRIMARY KEY, block BLOB)",
    "CREATE TABLE 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
    "CREATE TABLE 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID",
    "CREATE TABLE sqlite_sequence(name,seq)",
  ]

  /// What `ANALYZE` adds, which only a person can have typed.
  private static let statistics = [
    "table sqlite_stat1": SQLTokens("CREATE TABLE sqlite_stat1(tbl,idx,stat)").canonical,
    "table sqlite_stat4": SQLTokens("CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)").canonical,
  ]

  /// The structure of a new library, read from the text of `schema.sql`.
  private static let written = SchemaStructure(script: LibrarySchema.script)

  /// The structure of a new library as this version of SQLite makes it.
  private static func fresh() throws -> SchemaStructure {
    try DatabaseQueue.withDatabase(at: nil) { queue in
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: LibrarySchema.script)
        return try SchemaStructure(db)
      }
    }
  }

  /// What is missing in a library of the current version, differs from a new one, or is not part of Deadwax; empty for
  /// every library that this program made.
  package static func differences(_ db: Database) throws -> [String] {
    let structure = try SchemaStructure(db)
    guard structure != written else { return [] }
    // Another version of SQLite may write its own tables differently.
    return structure.differences(from: try fresh())
  }

  /// Refuses a library with definitions that are not of this program; what is missing is no reason to refuse a backup.
  ///
  /// - Parameter path: of the library that the error is about.
  package static func requireNothingForeign(_ db: Database, in path: BytePath) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let found = try version < LibraryHeader.currentVersion ? foreignObjects(db) : differences(db)
    let foreign = found.filter { !$0.hasSuffix(isMissing) }
    guard foreign.isEmpty else { throw StoreError.foreignSchema(foreign, at: path) }
  }

  private static let isMissing = " is missing"

  private func differences(from other: SchemaStructure) -> [String] {
    let own = other.parts.sorted { $0.key < $1.key }.compactMap { name, definition in
      parts[name].map { $0 == definition ? nil : "\(name) is not as expected" } ?? name + Self.isMissing
    }
    return parts.keys.filter { other.parts[$0] == nil }.sorted().map { "\($0) is not part of Deadwax" } + own
  }
}

extension SchemaStructure {
  /// What in a library of an older version cannot be of this program: triggers, views and virtual tables that no
  /// version had, and tables and indexes of other names.
  ///
  /// Their columns are compared once the library is migrated.
  static func foreignObjects(_ db: Database) throws -> [String] {
    let structure = try SchemaStructure(db)
    return structure.parts.filter { key, definition in !isKnown(key, definition) }.keys.sorted()
      .map { "\($0) is not part of Deadwax" }
  }

  /// Whether some version of this program makes the object.
  package static func isKnown(_ sql: String) -> Bool {
    let tokens = SQLTokens(sql)
    return tokens.key.map { isKnown($0, tokens.canonical) } ?? false
  }

  private static func isKnown(_ key: String, _ definition: String) -> Bool {
    if formerObjects.contains(key) || formerTriggers[key] == definition { return true }
    guard let current = written.parts[key] else { return false }
    return current == definition
      || ((key.hasPrefix("table ") || key.hasPrefix("index ")) && !definition.hasPrefix("CREATE VIRTUAL ")
        && !current.hasPrefix("CREATE VIRTUAL "))
  }

  /// Of version 10, exactly as it made them.
  private static let formerTriggers = SchemaStructure(script: Migrations.formerAlbumTriggers).parts

  /// Indexes of versions 3 to 5, and tables that had other names in versions 4 and 5.
  private static let formerObjects: Set = Set(
    ["index audio_by_duration", "index audio_by_bitrate"]
      + UserTable.allCases.compactMap { $0.formerName.map { "table \($0)" } })
}

extension StoreError {
  /// The error of a library with definitions that its version does not have.
  static func foreignSchema(_ differences: [String], at path: BytePath) -> StoreError {
    let more = differences.count > 1 ? " (and \(differences.count - 1) more)" : ""
    return .corrupt(path, reason: "\(differences.first ?? "its schema is not Deadwax's")\(more)")
  }
}

/// SQL as words and signs, without comments and blanks.
private struct SQLTokens {
  private let bytes: [UInt8]
  private var tokens: ArraySlice<Range<Int>>

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    tokens = Self.split(bytes)[...]
  }

  private init(_ bytes: [UInt8], _ tokens: ArraySlice<Range<Int>>) { (self.bytes, self.tokens) = (bytes, tokens) }

  private static func split(_ bytes: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    tokens.reserveCapacity(bytes.count / 4)
    var index = 0
    func skip(while isPart: (UInt8) -> Bool) { while index < bytes.count, isPart(bytes[index]) { index += 1 } }
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
      case UInt8(ascii: "-") where index < bytes.count && bytes[index] == byte:
        skip { $0 != 0x0A }
        continue
      case UInt8(ascii: "/") where index < bytes.count && bytes[index] == UInt8(ascii: "*"):
        // As SQLite reads it, `/*/` is still open.
        index += 2
        while index < bytes.count, bytes[index] != UInt8(ascii: "/") || bytes[index - 1] != UInt8(ascii: "*") {
          index += 1
        }
        index += 1
        continue
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        // A doubled quote begins another token, which changes nothing when two texts are compared.
        skip { $0 != (byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte) }
        index += 1
      default: if isWordPart(byte) { skip(while: isWordPart) }
      }
      index = min(index, bytes.count)
      tokens.append(start..<index)
    }
    return tokens
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  private static let constraints: [StaticString] = ["CHECK", "UNIQUE", "PRIMARY", "FOREIGN", "CONSTRAINT"]

  private func isToken(_ index: Int, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[tokens[index]].elementsEqual($0) }
  }

  /// The CREATE statements of a script, without the other ones.
  var statements: [SQLTokens] {
    var statements: [SQLTokens] = []
    var start = tokens.startIndex
    // BEGIN and CASE in the body of a trigger, each with its END.
    var depth = 0
    for index in tokens.indices {
      if isToken(index, "BEGIN") || isToken(index, "CASE") { depth += 1 }
      if isToken(index, "END") { depth -= 1 }
      guard depth == 0, isToken(index, ";") else { continue }
      if isToken(start, "CREATE") { statements.append(SQLTokens(bytes, tokens[start..<index])) }
      start = index + 1
    }
    return statements
  }

  /// The kind and name of what a CREATE statement makes, as `sqlite_schema` has them.
  var key: String? {
    for index in tokens.indices.dropLast().prefix(4) {
      let kind: String? =
        isToken(index, "TABLE")
        ? "table" : isToken(index, "INDEX") ? "index" : isToken(index, "VIEW") ? "view" : nil
      guard let kind = isToken(index, "TRIGGER") ? "trigger" : kind else { continue }
      let name = text(tokens[(index + 1)...(index + 1)]).filter { $0 != "'" && $0 != "\"" && $0 != "`" }
      return "\(kind) \(name)"
    }
    return nil
  }

  /// The words and signs with single blanks. In a table the constraints come last: a migration adds columns behind
  /// them.
  var canonical: String {
    let start = tokens.startIndex
    guard tokens.count > 1, isToken(start, "CREATE"), isToken(start + 1, "TABLE"),
      let open = tokens.indices.first(where: { isToken($0, "(") }),
      let close = tokens.indices.last(where: { isToken($0, ")") }), open < close
    else { return text(tokens) }
    var (columns, constraints): ([String], [String]) = ([], [])
    var (first, depth) = (open + 1, 0)
    for index in open + 1...close {
      if isToken(index, "(") { depth += 1 }
      if isToken(index, ")") { depth -= 1 }
      guard depth < 0 || (depth == 0 && isToken(index, ",")), first < index else { continue }
      if Self.constraints.contains(where: { isToken(first, $0) }) {
        constraints.append(text(tokens[first..<index]))
      } else {
        columns.append(text(tokens[first..<index]))
      }
      first = index + 1
    }
    let items = (columns + constraints.sorted()).joined(separator: "\n")
    return "\(text(tokens[..<open])) (\n\(items)\n) \(text(tokens[(close + 1)...]))"
  }

  private func text(_ tokens: ArraySlice<Range<Int>>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((tokens.last?.upperBound ?? 0) - (tokens.first?.lowerBound ?? 0))
    for token in tokens {
      if !text.isEmpty { text.append(0x20) }
      text.append(contentsOf: bytes[token])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
