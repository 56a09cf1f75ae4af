internal import Base
internal import LibraryDatabase
internal import MediaModel

/// A row of `preset_assignment` without what it is about.
struct StoredAssignment: Equatable {
  var personID: Int64
  var presetID: Int64?
  var builtIn: String?
  var isOn: Bool
  var assignedAt: Int64

  /// - Parameter row: all columns.
  init(_ row: Row) throws {
    (personID, presetID, builtIn) = try (row["person_id"], row["preset_id"], row["built_in"])
    (isOn, assignedAt) = try (row["is_on"], row["assigned_at"])
  }

  /// Without what it is about; nil for anything else.
  init?(json: JSONValue) {
    guard case .integer(let person)? = json["person_id"], case .bool(let isOn)? = json["is_on"],
      case .integer(let assignedAt)? = json["assigned_at"]
    else { return nil }
    personID = person
    presetID = if case .integer(let preset)? = json["preset_id"] { preset } else { nil }
    builtIn = json["built_in"]?.string
    (self.isOn, self.assignedAt) = (isOn, assignedAt)
  }

  var json: JSONValue { .object(members) }

  func json(ofAlbum names: AlbumNames) -> JSONValue {
    json("album", [.init("album", .string(names.title)), .init("artist", .string(names.artist))])
  }

  /// - Parameter hash: in hexadecimal digits.
  func json(ofTrack hash: String, label: String) -> JSONValue {
    json("track", [.init("hash", .string(hash)), .init("label", .string(label))])
  }

  /// As the journal has it.
  private func json(_ scope: String, _ subject: [JSONValue.Member]) -> JSONValue {
    .object([.init("scope", .string(scope))] + subject + members)
  }

  private var members: [JSONValue.Member] {
    [
      .init("person_id", .integer(personID)), .init("preset_id", .integer(presetID)),
      .init("built_in", .string(builtIn)), .init("is_on", .bool(isOn)), .init("assigned_at", .integer(assignedAt)),
    ]
  }
}

/// Notes changes of assignments under one change, which is made when the first one is noted.
struct AssignmentJournal {
  private let db: Database
  private let summary: String
  private var change: Int64?
  private var position = 0

  init(_ db: Database, _ summary: String) {
    self.db = db
    self.summary = summary
  }

  mutating func note(_ before: JSONValue?, became after: JSONValue?) throws {
    if change == nil {
      try db.execute(sql: "INSERT INTO change (summary, made_at) VALUES (?, unixepoch())", arguments: [summary])
      change = db.lastInsertedRowID
    }
    try db.execute(
      sql: """
        INSERT INTO change_row (change_id, position, table_name, before, after) VALUES (?, ?, 'preset_assignment', ?, ?)
        """, arguments: [change, position, before?.text, after?.text])
    position += 1
  }
}
