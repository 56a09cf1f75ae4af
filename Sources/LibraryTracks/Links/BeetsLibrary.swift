package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaStore

/// What a beets library knows about its items beyond the tags in their files.
package struct BeetsLibrary: Sendable {
  package struct Item: Hashable, Sendable {
    /// Absolute in older libraries, otherwise relative to beets' music folder.
    package var path: BytePath
    /// Seconds since 1970.
    package var addedAt: Int64?
    package var durationInSeconds: Double?
    /// Flexible attributes of the item, and those of its album that the item does not have.
    package var attributes: [String: String]
  }

  package private(set) var items: [Item] = []

  /// Reads a library without changing it. Columns that it does not have count as empty.
  package init(at path: BytePath) throws(StoreError) {
    guard LibraryPath.exists(path) else { throw .noSuchFile(path) }
    do {
      // The absolute path: SQLite takes a name that begins with `file:` for a URI.
      guard let text = String(validating: try LibraryPath.resolved(path).bytes, as: UTF8.self) else {
        throw StoreError.notABeetsLibrary(path, reason: "a name that is not UTF-8 cannot be opened")
      }
      items = try DatabaseQueue.withDatabase(at: text, isReadOnly: true, isTrusted: false) { try $0.read(Self.items) }
    } catch let error as StoreError {
      throw StoreError.notABeetsLibrary(path, reason: error.message)
    } catch let error as DatabaseError {
      // SQLite quotes the schema of the file, over several lines.
      let reason = (error.message ?? "\(error.resultCode)").split(whereSeparator: \.isNewline).joined(separator: " ")
      throw StoreError.notABeetsLibrary(path, reason: "not a beets library: \(reason)")
    } catch {
      throw StoreError.notABeetsLibrary(path, reason: "\(error)")
    }
  }

  private static func items(_ db: Database) throws -> [Item] {
    // Checked first: a damaged tree whose pages contain each other has rows without end.
    guard let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), found == "ok" else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the database is damaged")
    }
    guard try isTable("items", db) else { throw DatabaseError(message: "it has no items table") }
    let columns = Set(try String.fetchAll(db, sql: "SELECT lower(name) FROM pragma_table_info('items')"))
    guard columns.isSuperset(of: ["id", "path"]) else { throw DatabaseError(message: "items have no id and path") }
    func column(_ name: String) -> String { columns.contains(name) ? "items.\(name)" : "NULL" }
    var ofItems = try attributes(of: "item_attributes", db)
    let ofAlbums = try attributes(of: "album_attributes", db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, path, \(column("album_id")), \(column("added")), \(column("length")) FROM items ORDER BY id
        """)
    var items: [Item] = []
    while let row = try rows.next() {
      guard let path = try path(row[1]) else { continue }
      let own = try Int64.fromDatabaseValue(row[0]).flatMap { ofItems.removeValue(forKey: $0) } ?? [:]
      let ofAlbum = try Int64.fromDatabaseValue(row[2]).flatMap { ofAlbums[$0] } ?? [:]
      var item = Item(path: path, attributes: own.merging(ofAlbum) { own, _ in own })
      item.addedAt = try moment(row[3])
      item.durationInSeconds = try Double.fromDatabaseValue(row[4])
      items.append(item)
    }
    return items
  }

  private static func path(_ value: DatabaseValue) -> BytePath? {
    if let bytes = Data.fromDatabaseValue(value) { return BytePath(bytes) }
    return String.fromDatabaseValue(value).map { BytePath($0) }
  }

  private static func moment(_ value: DatabaseValue) -> Int64? {
    guard let seconds = Double.fromDatabaseValue(value), seconds > 0 else { return nil }
    return Int64(exactly: seconds.rounded(.down))
  }

  private static func attributes(of table: String, _ db: Database) throws -> [Int64: [String: String]] {
    guard try isTable(table, db) else { return [:] }
    var attributes: [Int64: [String: String]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT entity_id, key, CAST(value AS TEXT) FROM \(table)")
    while let row = try rows.next() {
      guard let entity = try Int64.fromDatabaseValue(row[0]), let key = try String.fromDatabaseValue(row[1]),
        let value = try String.fromDatabaseValue(row[2])
      else { continue }
      attributes[entity, default: [:]][key] = value
    }
    return attributes
  }

  /// Whether there is an ordinary table of that name: a view may be a program that never ends.
  private static func isTable(_ name: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM pragma_table_list
                        WHERE schema = 'main' AND name = ? COLLATE NOCASE AND type = 'table')
        """,
      arguments: [name]) ?? false
  }
}
