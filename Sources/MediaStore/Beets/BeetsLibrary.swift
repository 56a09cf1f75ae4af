internal import Foundation
internal import GRDB
package import MediaModel

/// What a beets library says of its items beyond what is in their files.
package struct BeetsLibrary: Sendable {
  package struct Item: Hashable, Sendable {
    /// Absolute in older libraries, else relative to the folder that beets keeps.
    package var path: BytePath
    /// Seconds since 1970.
    package var addedAt: Int64?
    package var title: String?
    package var artist: String?
    package var durationInSeconds: Double?
    /// Flexible attributes of the item, and of its album where the item has none of that name.
    package var attributes: [String: String]
  }

  /// Why a file is no beets library.
  package struct Failure: Error, CustomStringConvertible {
    package let path: BytePath
    package let reason: String

    package var description: String { "\(path.displayString): \(reason)" }
  }

  package private(set) var items: [Item] = []

  /// Reads a library without changing it; columns that it does not have are left out.
  package init(at path: BytePath) throws(Failure) {
    do {
      // By its address: SQLite must not take a name for an address.
      guard let text = String(validating: path.bytes, as: UTF8.self) else {
        throw Failure(path: path, reason: "a name that is not UTF-8 cannot be opened")
      }
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: text, configuration: configuration)
      items = try queue.read { db in try DecodingWatch.watching { try Self.items(db) } }
      try queue.close()
    } catch let failure as Failure {
      throw failure
    } catch let error as DatabaseError {
      throw Failure(path: path, reason: "not a beets library: \(error.message ?? "\(error.resultCode)")")
    } catch {
      throw Failure(path: path, reason: "\(error)")
    }
  }

  private static func items(_ db: Database) throws -> [Item] {
    let columns = Set(try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('items')"))
    func column(_ name: String) -> String { columns.contains(name) ? "items.\(name)" : "NULL" }
    var ofItems = try attributes(of: "item_attributes", db)
    let ofAlbums = try attributes(of: "album_attributes", db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, path, \(column("album_id")), \(column("added")), \(column("title")), \(column("artist")),
               \(column("length")) FROM items ORDER BY id
        """)
    var items: [Item] = []
    while let row = try rows.next() {
      guard let bytes = Data.fromDatabaseValue(row[1]) ?? String.fromDatabaseValue(row[1]).map({ Data($0.utf8) }) else {
        continue
      }
      let added: Double? = row[3]
      let album: Int64? = row[2]
      let own = ofItems.removeValue(forKey: row[0] as Int64) ?? [:]
      items.append(
        Item(
          path: BytePath(bytes), addedAt: added.flatMap { $0 > 0 ? Int64(exactly: $0.rounded(.down)) : nil },
          title: row[4], artist: row[5], durationInSeconds: row[6],
          attributes: own.merging(album.flatMap { ofAlbums[$0] } ?? [:]) { own, _ in own }))
    }
    return items
  }

  private static func attributes(of table: String, _ db: Database) throws -> [Int64: [String: String]] {
    guard try db.tableExists(table) else { return [:] }
    var attributes: [Int64: [String: String]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT entity_id, key, CAST(value AS TEXT) FROM \(table)")
    while let row = try rows.next() {
      guard let entity: Int64 = row[0], let key: String = row[1], let value: String = row[2] else { continue }
      attributes[entity, default: [:]][key] = value
    }
    return attributes
  }
}
