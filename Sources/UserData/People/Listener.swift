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

extension MediaStore {
  /// The id of a person; nil if nothing is known of them here.
  package func personID(of listener: Listener) throws(StoreError) -> Int64? {
    try read { try Self.personID(of: listener, $0) }
  }

  /// The same; who is not known is added, and is on the disk when this returns.
  package func addedPersonID(of listener: Listener) throws(StoreError) -> Int64 {
    if let known = try personID(of: listener) { return known }
    return try write(.durable) { try Self.addedPersonID(of: listener, $0) }
  }

  static func addedPersonID(of listener: Listener, _ db: Database) throws -> Int64 {
    if let known = try personID(of: listener, db) { return known }
    guard case .person(let key, let name) = listener else { return Person.ownerID }
    return try Person.add(key: Data(key), name: name, db)
  }

  /// Somebody whom this library knows; nil if nobody has the name.
  package func listener(named name: String) throws(StoreError) -> Listener? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT id, key, name FROM person WHERE name = ?", arguments: [name])
        .map(Person.init(row:))
        .map { $0.id == Person.ownerID ? .owner : .person(key: Array($0.key), name: $0.name) }
    }
  }

  /// By key, else by name: passwords may have been lost and made again.
  package static func personID(of listener: Listener, _ db: Database) throws -> Int64? {
    guard case .person(let key, let name) = listener else { return Person.ownerID }
    return try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id FROM person WHERE key = :key OR name = :name AND NOT is_owner ORDER BY key = :key DESC LIMIT 1
          """), arguments: ["key": Data(key), "name": name])
  }
}
