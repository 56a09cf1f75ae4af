package import Foundation
package import LibraryDatabase
internal import MediaStore

/// Somebody to whom lists and attributes belong.
package struct Person: Equatable {
  /// The owner of a library, who is there from the start and speaks through the command.
  package static let ownerID: Int64 = 1

  package var id: Int64
  /// 16 random bytes, by which libraries know that they mean the same person.
  package var key: Data
  package var name: String

  package static func fetchAll(_ db: Database) throws -> [Person] {
    try Row.fetchAll(db, sql: "SELECT id, key, name FROM person ORDER BY id").map(Person.init(row:))
  }

  /// - Parameter row: `id`, `key` and `name`.
  package init(row: Row) throws { try (id, key, name) = (row[0], row[1], row[2]) }

  /// The name of somebody who is not the owner; nil for the owner.
  static func otherName(_ id: Int64, _ db: Database) throws -> String? {
    guard id != ownerID else { return nil }
    return try String.fetchOne(db.cachedStatement(sql: "SELECT name FROM person WHERE id = ?"), arguments: [id])
      ?? "an unknown person"
  }

  /// Adds a person; if the name is taken, with a number.
  ///
  /// - Parameter id: the wanted one, which may be taken; nil for the next one.
  /// - Returns: the id here.
  package static func add(id: Int64? = nil, key: Data, name wanted: String, _ db: Database) throws -> Int64 {
    var (name, number) = (wanted, 1)
    while try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM person WHERE name = ?)", arguments: [name]) == true
    {
      number += 1
      name = NumberedName.name(wanted, number) { _ in true }
    }
    let isTaken = try id.map { id in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM person WHERE id = ?)", arguments: [id]) == true
    }
    try db.execute(
      sql: "INSERT INTO person (id, key, name) VALUES (?, ?, ?)", arguments: [isTaken == true ? nil : id, key, name])
    return db.lastInsertedRowID
  }
}

extension Person {
  /// The ids in a library of the persons of another one.
  ///
  /// Equal keys mean the same person. The owners are the same person, too, unless one of the libraries knows the owner
  /// of the other one as somebody else. Who is not known here is added, if possible with the same id.
  package static func ids(of others: [Person], _ db: Database) throws -> [Int64: Int64] {
    let own = try fetchAll(db)
    let byKey = Dictionary(own.map { ($0.key, $0.id) }, uniquingKeysWith: { first, _ in first })
    let owner = own.first { $0.id == ownerID }
    let knowsOwner = others.contains { $0.key == owner?.key && $0.id != ownerID }
    var ids: [Int64: Int64] = [:]
    for other in others {
      if let known = byKey[other.key] {
        ids[other.id] = known
      } else if other.id == ownerID, !knowsOwner {
        ids[other.id] = ownerID
      } else {
        ids[other.id] = try add(id: other.id, key: other.key, name: other.name, db)
      }
    }
    return ids
  }
}
