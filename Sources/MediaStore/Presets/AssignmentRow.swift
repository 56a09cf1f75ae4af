internal import Foundation
internal import GRDB
internal import MediaModel

/// A row of `preset_assignment`, as the table and the journal have it.
struct AssignmentRow: Equatable {
  var subject: PresetSubject
  var presetID: Int64?
  var builtIn: String?
  var isOn = true
  var assignedAt: Int64

  /// Whether the row says anything.
  var isMeant: Bool { !isOn || presetID != nil || builtIn != nil }

  /// The columns of the key.
  static func key(_ subject: PresetSubject) -> StatementArguments {
    var (hash, artist, album) = (Data(), "", "")
    switch subject {
    case .track(let value, _): hash = Data(value.bytes)
    case .album(let title, let name): (album, artist) = (title, name)
    case .artist(let name): artist = name
    case .library: break
    }
    return ["scope": subject.scope.rawValue, "hash": hash, "artist": artist, "album": album]
  }

  private static let keyCondition = "scope = :scope AND hash = :hash AND artist = :artist AND album = :album"

  static func fetch(_ subject: PresetSubject, _ db: Database) throws -> AssignmentRow? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM preset_assignment WHERE \(keyCondition)")
    return try Row.fetchOne(statement, arguments: key(subject)).flatMap(AssignmentRow.init(row:))
  }

  /// Inserts the row, or replaces the one of its subject.
  func save(_ db: Database) throws {
    var label = ""
    if case .track(_, let text) = subject { label = text }
    try db.cachedStatement(
      sql: """
        INSERT INTO preset_assignment (scope, hash, artist, album, preset_id, built_in, is_on, label, assigned_at)
        VALUES (:scope, :hash, :artist, :album, :preset, :built_in, :on, :label, :assigned)
        ON CONFLICT (scope, hash, artist, album) DO UPDATE
           SET preset_id = excluded.preset_id, built_in = excluded.built_in, is_on = excluded.is_on,
               label = excluded.label, assigned_at = excluded.assigned_at
        """
    ).execute(
      arguments: Self.key(subject) + [
        "preset": presetID, "built_in": builtIn, "on": isOn, "label": label, "assigned": assignedAt,
      ])
  }

  func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM preset_assignment WHERE \(Self.keyCondition)")
      .execute(arguments: Self.key(subject))
  }
}

extension AssignmentRow {
  /// - Parameter row: All of `preset_assignment`; nil for a row that nobody can have written.
  init?(row: Row) throws {
    guard let scope = try PresetScope(rawValue: row["scope"]) else { return nil }
    let subject: PresetSubject
    switch scope {
    case .track:
      guard let hash = try ContentHash(bytes: row["hash"] as Data) else { return nil }
      subject = try .track(hash, label: row["label"])
    case .album: subject = try .album(row["album"], artist: row["artist"])
    case .artist: subject = try .artist(row["artist"])
    case .library: subject = .library
    }
    try self.init(
      subject: subject, presetID: row["preset_id"], builtIn: row["built_in"], isOn: row["is_on"],
      assignedAt: row["assigned_at"])
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [.init("scope", .string(subject.scope.rawValue))]
    switch subject {
    case .track(let hash, let label):
      members += [.init("hash", .string(hash.description)), .init("label", .string(label))]
    case .album(let album, let artist): members += [.init("album", .string(album)), .init("artist", .string(artist))]
    case .artist(let artist): members.append(.init("artist", .string(artist)))
    case .library: break
    }
    members += [
      .init("preset_id", .integer(presetID)), .init("built_in", .string(builtIn)), .init("is_on", .bool(isOn)),
      .init("assigned_at", .integer(assignedAt)),
    ]
    return .object(members)
  }

  /// nil for what `json` did not write.
  init?(json: JSONValue) {
    guard let scope = json["scope"]?.string.flatMap(PresetScope.init(rawValue:)), let isOn = json["is_on"]?.bool,
      case .integer(let assignedAt) = json["assigned_at"]
    else { return nil }
    let subject: PresetSubject
    switch scope {
    case .track:
      guard let hash = json["hash"]?.string.flatMap(ContentHash.init(hexadecimal:)) else { return nil }
      subject = .track(hash, label: json["label"]?.string ?? "")
    case .album: subject = .album(json["album"]?.string ?? "", artist: json["artist"]?.string ?? "")
    case .artist: subject = .artist(json["artist"]?.string ?? "")
    case .library: subject = .library
    }
    var presetID: Int64?
    if case .integer(let id) = json["preset_id"] { presetID = id }
    self.init(
      subject: subject, presetID: presetID, builtIn: json["built_in"]?.string, isOn: isOn, assignedAt: assignedAt)
  }
}
