package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaStore
package import UserData

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
    guard try isTable("items", db) else { throw DatabaseError(message: "there is no table of items") }
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

/// The result of an import.
package struct BeetsImport: Hashable, Sendable {
  package var itemCount = 0
  package var foundCount = 0
  package var attributeCount = 0
  package var addedDateCount = 0
  /// Items that are not in the library.
  package var missing: [BeetsLibrary.Item] = []
}

extension Attributes {
  /// Imports attributes and dates of beets' items, which are found by their paths.
  ///
  /// - Parameters:
  ///   - folder: beets' music folder, which relative paths start from.
  ///   - isDryRun: whether to count only.
  package func importBeets(
    _ beets: BeetsLibrary, folder: BytePath?, isDryRun: Bool = false
  ) throws(StoreError) -> BeetsImport {
    let links = try store.tracks.links(
      of: beets.items.map { item in
        let isAbsolute = item.path.bytes.first == 0x2F
        return TrackDescription(
          paths: [isAbsolute ? item.path : folder?.appending(item.path) ?? item.path],
          durationInSeconds: item.durationInSeconds)
      })
    var result = BeetsImport(itemCount: beets.items.count)
    var found: [(Int64, BeetsLibrary.Item)] = []
    for (item, link) in zip(beets.items, links) {
      guard let link else {
        result.missing.append(item)
        continue
      }
      found.append((link.recordingID, item))
      result.attributeCount += item.attributes.count { Self.attribute($0.key, $0.value) != nil }
    }
    result.foundCount = found.count
    if isDryRun {
      result.addedDateCount = try store.read { db in
        try found.count { id, item in
          try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE audio_id = ? AND added_at > ?)"),
            arguments: [id, item.addedAt]) == true
        }
      }
      return result
    }
    result.addedDateCount = try store.edit("import \(result.attributeCount) attributes from beets") { editor in
      let db = editor.db
      var dateCount = 0
      for (id, item) in found {
        // The recording may have been deleted since it was found.
        guard let recording = try RecordingKeys.hash(of: id, db) else { continue }
        for (name, value) in item.attributes.sorted(by: { $0.key < $1.key }) {
          guard let (name, value) = Self.attribute(name, value) else { continue }
          _ = try editor.setAttribute(name, to: value, of: recording)
        }
        guard let added = item.addedAt else { continue }
        // The earlier date counts: beets may have found the file after us.
        let arguments: StatementArguments = ["added": added, "id": id]
        // The recording's date outlives its files.
        try db.cachedStatement(sql: "UPDATE audio SET added_at = :added WHERE id = :id AND added_at > :added")
          .execute(arguments: arguments)
        try db.cachedStatement(sql: "UPDATE file SET added_at = :added WHERE audio_id = :id AND added_at > :added")
          .execute(arguments: arguments)
        dateCount += db.changesCount > 0 ? 1 : 0
      }
      return dateCount
    }
    return result
  }

  /// The name and value that an attribute of beets gets here; nil if it can have none.
  ///
  /// Names are in lower case; one that is also the name of a field gets a prefix, and so does a rating that is none here.
  private static func attribute(_ name: String, _ value: String) -> (name: String, value: String)? {
    let lower = name.lowercased()
    for name in [lower, "beets_" + lower] {
      if let name = try? AttributeName(name).text, let value = try? Attributes.storedValue(value, of: name) {
        return (name, value)
      }
    }
    return nil
  }
}
