internal import LibraryDatabase
internal import MediaStore
internal import UserData

/// The tables and indexes of a damaged library, and their root pages.
struct SchemaTable {
  private(set) var trees: [StoredTree]
  private(set) var roots: [String: Int] = [:]
  /// The statements that create an older schema; nil for the current one.
  private(set) var olderSchema: [String]?
  private(set) var version = LibraryHeader.currentVersion
  /// Tables and indexes whose root page was not found in the schema.
  private(set) var missingNames: [String] = []

  init(_ pages: PageSource) throws {
    let freshRoots: [String: Int]
    (trees, freshRoots) = try Self.inspecting(LibrarySchema.script) { db in
      try (StoredTree.all(in: db), Self.roots(db))
    }
    let reader = DamagedLibrary(pages, trees: [], roots: ["sqlite_schema": 1])
    var statements: [(id: Int64, sql: String)] = []
    func take(_ row: StoredRow) {
      guard let name = row["name"]?.text, let root = row["rootpage"]?.integer else { return }
      if root > 0, roots[name] == nil { roots[name] = Int(clamping: root) }
      if let sql = row["sql"]?.text { statements.append((row.rowID ?? 0, sql)) }
    }
    try reader.forEachRow(of: StoredTree.schemaTable, take)
    if let found = Self.otherVersion(pages), reader.damage["sqlite_schema"]?.isNone == true {
      let all = statements.sorted { $0.id < $1.id }.map(\.sql)
      // What no version of this program has is dropped, unless a newer one may have it.
      let sql = Self.script(found < LibraryHeader.currentVersion ? all.filter(SchemaStructure.isKnown) : all)
      let own = try Self.inspecting(sql.joined(separator: ";\n"), StoredTree.all)
      // The version number itself may be damaged.
      if Set(own) != Set(trees) {
        guard found < LibraryHeader.currentVersion else {
          throw StoreError.newerSchema(pages.path, found: found, supported: LibraryHeader.currentVersion)
        }
        (trees, olderSchema, version) = (own, sql, found)
      }
    }
    missingNames = trees.map(\.name).filter { roots[$0] == nil }
    guard !missingNames.isEmpty else { return }
    try Self.forEachLostEntry(reader, take)
    if ["file", "audio", "preset"].allSatisfy({ roots[$0] == nil }), Self.belongsToAnother(pages) {
      throw StoreError.notALibrary(pages.path, reason: "an SQLite database of another program")
    }
    // All new libraries have the same root pages, except copies and older ones.
    let agree = freshRoots.allSatisfy { roots[$0.key] == nil || roots[$0.key] == $0.value }
    if agree { roots.merge(freshRoots) { found, _ in found } }
  }

  /// The result of `body` for a new database with the given schema.
  private static func inspecting<Value>(_ sql: String, _ body: (Database) throws -> Value) throws -> Value {
    try DatabaseQueue.withDatabase(at: nil) { queue in
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      return try queue.read(body)
    }
  }

  private static func roots(_ db: Database) throws -> [String: Int] {
    let rows = try Row.fetchAll(db, sql: "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
    return try Dictionary(rows.map { try ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  /// The version in the header, if it is not the current one.
  private static func otherVersion(_ pages: PageSource) -> Int? {
    guard let header = pages.page(1), header.number32(at: 68) == Int(LibraryHeader.applicationID),
      let version = header.number32(at: 60), version > 0, version != LibraryHeader.currentVersion
    else { return nil }
    return version
  }

  private static func belongsToAnother(_ pages: PageSource) -> Bool {
    guard let header = pages.page(1), header.starts(with: "SQLite format 3\0".utf8) else { return false }
    return header.number32(at: 68) != Int(LibraryHeader.applicationID)
  }

  /// Leaves out tables that SQLite creates itself, such as those of the search index.
  private static func script(_ statements: [String]) -> [String] {
    statements.filter { sql in
      !["search_data", "search_idx", "search_content", "search_docsize", "search_config"].contains { name in
        sql.hasPrefix("CREATE TABLE '\(name)'") || sql.hasPrefix("CREATE TABLE \"\(name)\"")
      } && !sql.contains("CREATE TABLE sqlite_")
    }
  }

  /// Reads entries on lost pages, for a damaged first page.
  private static func forEachLostEntry(_ reader: DamagedLibrary, _ body: (StoredRow) -> Void) throws {
    guard reader.pages.pageCount > 1 else { return }
    for number in 2...reader.pages.pageCount where !reader.used.contains(number) {
      guard let page = reader.pages.page(number).flatMap({ BTreePage($0, number: number) }), page.kind == .tableLeaf
      else { continue }
      for cell in page.cells {
        guard let row = reader.row(cell, page, .schemaTable), let type = row["type"]?.text,
          ["table", "index", "trigger", "view"].contains(type)
        else { continue }
        body(row)
      }
    }
  }
}
