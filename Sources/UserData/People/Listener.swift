internal import Foundation
package import LibraryDatabase
package import MediaStore

/// Somebody who comes with a password of the server, for whom a library need not have a row yet.
package enum Listener: Hashable, Sendable {
  /// The user of the command.
  case owner
  /// - Parameters:
  ///   - key: 16 random bytes, by which libraries know that they mean the same person.
  case person(key: [UInt8], name: String)
}

/// Who has lists, attributes, presets and plays of their own in a library.
package struct People {
  let store: MediaStore
}

extension MediaStore {
  /// Its people.
  package var people: People { People(store: self) }
}

extension People {
  /// The id of a person; nil if nothing is known of them here.
  package func id(of listener: Listener) throws(StoreError) -> Int64? {
    try store.read { try Self.id(of: listener, $0) }
  }

  /// The same; who is not known is added, and is on the disk when this returns.
  package func addedID(of listener: Listener) throws(StoreError) -> Int64 {
    if let known = try id(of: listener) { return known }
    return try store.write(.durable) { try Self.addedID(of: listener, $0) }
  }

  static func addedID(of listener: Listener, _ db: Database) throws -> Int64 {
    if let known = try id(of: listener, db) { return known }
    guard case .person(let key, let name) = listener else { return Person.ownerID }
    return try Person.add(key: Data(key), name: name, db)
  }

  /// Somebody whom this library knows; nil if nobody has the name.
  package func listener(named name: String) throws(StoreError) -> Listener? {
    try store.read { db in
      try Row.fetchOne(db, sql: "SELECT id, key, name FROM person WHERE name = ?", arguments: [name])
        .map(Person.init(row:))
        .map { $0.id == Person.ownerID ? .owner : .person(key: Array($0.key), name: $0.name) }
    }
  }

  /// By key, else by name: passwords may have been lost and made again.
  package static func id(of listener: Listener, _ db: Database) throws -> Int64? {
    guard case .person(let key, let name) = listener else { return Person.ownerID }
    return try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id FROM person WHERE key = :key OR name = :name AND NOT is_owner ORDER BY key = :key DESC LIMIT 1
          """), arguments: ["key": Data(key), "name": name])
  }
}
