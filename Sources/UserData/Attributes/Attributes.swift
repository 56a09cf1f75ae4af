internal import Base
package import LibraryDatabase
package import MediaModel
package import MediaStore

/// The name of an attribute as it is stored, which a query can have before a colon.
package struct AttributeName: Hashable, Sendable {
  package let text: String

  /// - Parameters:
  ///   - name: in upper or lower case.
  ///   - isField: whether queries have a field of a name.
  /// - Throws: ``StoreError/invalidAttribute(reason:)``.
  package init(_ name: String, isField: (String) -> Bool) throws(StoreError) {
    let lower = name.lowercased()
    guard (1...100).contains(lower.utf8.count) else { throw .invalidAttribute(reason: "name must have 1 to 100 bytes") }
    guard lower.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains($0) }),
      lower.first?.isLetter == true
    else { throw .invalidAttribute(reason: "name must begin with a letter and have only letters, digits, _ and -") }
    guard !isField(lower) else {
      throw .invalidAttribute(reason: "name cannot be that of a field, such as '\(lower)'")
    }
    text = lower
  }
}

/// What people say about recordings, albums and artists: names with values, which queries ask for like tags.
package struct Attributes {
  package let store: MediaStore
}

extension MediaStore {
  /// Its attributes.
  package var attributes: Attributes { Attributes(store: self) }
}

extension Attributes {
  /// An attribute name that is in use.
  package struct Use: Hashable, Sendable {
    package var name: String
    package var recordingCount: Int
  }

  /// Gives recordings an attribute, or removes it.
  ///
  /// - Parameters:
  ///   - value: nil to remove it.
  ///   - personID: of whom it is; nil for the one for whom the connection speaks.
  /// - Throws: ``StoreError/invalidAttribute(reason:)``.
  /// - Returns: the number of recordings that changed.
  package func set(
    _ attribute: AttributeName, to value: String?, ofRecordings ids: [Int64], by personID: Int64? = nil
  ) throws(StoreError) -> Int {
    let name = attribute.text
    let value = try value.map { text throws(StoreError) in try Self.storedValue(text, of: name) }
    let verb = value.map { "set \(name) to \($0) for" } ?? "remove \(name) of"
    return try store.edit("\(verb) \(ids.count) track\(ids.count == 1 ? "" : "s")") { editor in
      var count = 0
      for id in ids {
        guard let hash = try RecordingKeys.hash(of: id, editor.db) else { continue }
        if try editor.setAttribute(name, to: value, of: hash, by: personID ?? store.personID) { count += 1 }
      }
      return count
    }
  }

  /// The names of all attributes of a person, with the numbers of recordings that have them.
  package func uses() throws(StoreError) -> [Use] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT name, count(*) FROM attribute WHERE person_id = listener() GROUP BY name ORDER BY name"
      ).map { try Use(name: $0[0], recordingCount: $0[1]) }
    }
  }

  /// The attributes of a recording, by name.
  package func all(ofRecording id: Int64) throws(StoreError) -> [Tags.Property] {
    try store.read { try Self.all(ofRecording: id, $0) }
  }

  package static func all(ofRecording id: Int64, _ db: Database) throws -> [Tags.Property] {
    try Row.fetchAll(
      db, sql: "SELECT name, value FROM attribute WHERE audio_id = ? AND person_id = listener() ORDER BY name",
      arguments: [id]
    ).map { try Tags.Property(name: $0[0], values: [$0[1]]) }
  }

  /// The value as it is stored: of a rating always the same digits for the same number.
  package static func storedValue(_ value: String, of name: String) throws(StoreError) -> String {
    guard (1...10_000).contains(value.utf8.count), ArgumentText.isText(value), !value.unicodeScalars.contains("\0")
    else { throw .invalidAttribute(reason: "value must have 1 to 10000 bytes of UTF-8") }
    guard name == Opinion.rating.rawValue else { return value }
    guard let rating = DecimalText.canonical(value, in: 0...100, places: 9) else {
      throw .invalidAttribute(reason: "value must be a number from 0 to 100 if its name is rating")
    }
    return rating
  }
}

extension JournalEditor {
  /// Sets an attribute of a recording, or removes it.
  ///
  /// - Returns: whether it has changed.
  package mutating func setAttribute(
    _ name: String, to value: String?, of recording: ContentHash, by personID: Int64 = Person.ownerID
  ) throws -> Bool {
    let before = try AttributeRow.fetch(name, of: recording, by: personID, db)
    guard before?.value != value else { return false }
    if let value {
      try put(
        AttributeRow(personID: personID, recording: recording, name: name, value: value), insteadOf: before)
    } else if let before {
      try remove(before)
    }
    return true
  }
}
