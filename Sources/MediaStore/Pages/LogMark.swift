internal import LibraryDatabase

/// The random mark of a library's last transaction, which binds the write-ahead log to the file.
///
/// It is the only row of the table `log_mark`, and every transaction replaces it. So a log begins with a transaction
/// that names the mark of the state it continues, and has the mark of each state that a checkpoint may have written to
/// the file.
package struct LogMark: Hashable {
  /// The mark before the transaction; nil if there was no such row.
  let previous: [UInt8]?
  package let current: [UInt8]

  package static let table = "log_mark"
  private static let byteCount = 16

  /// - Parameter page: any page; nil if its content is not a mark. No other table has rows of this form.
  package init?(page: [UInt8], number: Int) {
    let start = number == 1 ? 100 : 0
    guard page.number16(at: start + 3) == 1, let page = BTreePage(page, number: number), page.kind == .tableLeaf,
      let cell = page.cells.first, cell.rowID == 1, cell.overflowPage == nil,
      let values = StoredRecord.values(
        Array(page.bytes[cell.start..<cell.start + cell.localByteCount]), columnLimit: 3),
      values.count == 3, values[0] == .null, let current = values[2].blob, current.count == Self.byteCount
    else { return nil }
    switch values[1] {
    case .null: previous = nil
    case .blob(let bytes) where bytes.count == Self.byteCount: previous = bytes
    default: return nil
    }
    self.current = current
  }
}

extension LogMark {
  /// Gives the state that a transaction leaves a new mark. Call it in the transaction.
  static func advance(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO log_mark (id, current) VALUES (1, randomblob(16))
        ON CONFLICT DO UPDATE SET previous = current, current = excluded.current
        """)
    try statement.execute()
  }

  /// Gives a copy a mark of its own, so that no log of the library belongs to it. Older schemas have no marks.
  static func renew(_ db: Database) throws {
    guard try db.tableExists(table) else { return }
    try db.execute(sql: "UPDATE log_mark SET previous = NULL, current = randomblob(16)")
  }
}

/// The mark in a library's file, without what is in the log beside it.
enum StoredLogMark {
  /// The library is older than the table.
  case none
  case mark(LogMark)
  /// Pages that lead to the mark are damaged.
  case unreadable

  init(in file: LibraryFile) {
    let reader = DamagedLibrary(PageSource(withoutLog: file), trees: [], roots: [StoredTree.schemaTable.name: 1])
    var root: Int64?
    do {
      try reader.forEachRow(of: StoredTree.schemaTable) { row in
        if row["name"]?.text == LogMark.table { root = row["rootpage"]?.integer }
      }
    } catch {
      self = .unreadable
      return
    }
    guard let root else {
      self = reader.damage[StoredTree.schemaTable.name]?.isNone == true ? .none : .unreadable
      return
    }
    let number = Int(clamping: root)
    let mark = reader.pages.page(number).flatMap { LogMark(page: $0, number: number) }
    self = mark.map(Self.mark) ?? .unreadable
  }
}
