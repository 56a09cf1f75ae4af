package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// What a preset is assigned to.
///
/// A recording is named by its hash, an album by its known names, an artist by their exact name in the tags. So a recording keeps its
/// preset whatever happens to its files and tags, and a new track of an album has the album's preset at once.
package enum PresetSubject: Hashable, Sendable {
  /// - Parameter label: the name of the track, for people; it does not identify anything.
  case track(ContentHash, label: String)
  /// - Parameter frames: of the recording; parts that cover the same frames are one.
  case part(ContentHash, frames: Range<Int64>, label: String)
  /// By its known names, which it keeps whatever its files say.
  case album(String, artist: String)
  case artist(String)
  case library

  package var scope: PresetScope {
    switch self {
    case .track: .track
    case .part: .part
    case .album: .album
    case .artist: .artist
    case .library: .library
    }
  }
}

/// From the most specific to the least.
package enum PresetScope: String, CaseIterable, Hashable, Sendable {
  case part, track, album, artist, library
}

extension PresetSubject {
  /// The recording that a track or a part of one is known by.
  package var recording: ContentHash? {
    switch self {
    case .track(let hash, _), .part(let hash, _, _): hash
    case .album, .artist, .library: nil
    }
  }

  /// What people call a track or part; empty for the others.
  package var label: String {
    switch self {
    case .track(_, let label), .part(_, _, let label): label
    case .album, .artist, .library: ""
    }
  }

  /// The same track or part of another recording, or with another label.
  package func with(recording other: ContentHash? = nil, label newLabel: String? = nil) -> PresetSubject {
    switch self {
    case .track(let hash, let label): .track(other ?? hash, label: newLabel ?? label)
    case .part(let hash, let frames, let label): .part(other ?? hash, frames: frames, label: newLabel ?? label)
    case .album, .artist, .library: self
    }
  }
}

extension PresetSubject {
  /// As people know it now: an album by its present names instead of those by which it is known. One that has no files keeps the
  /// latter, which are those of when something was assigned to it.
  package func shown(_ db: Database) throws -> PresetSubject {
    guard case .album(let title, let artist) = self else { return self }
    let names = try AlbumDecisions.shown(AlbumNames(artist: artist, title: title), db)
    return .album(names.title, artist: names.artist)
  }
}

extension PresetSubject: CustomStringConvertible {
  /// As in `assigned to …`.
  package var description: String {
    switch self {
    case .track(let hash, let label): label.isEmpty ? "the track \(hash)" : "the track '\(label)'"
    case .part(let hash, _, let label): label.isEmpty ? "a part of the track \(hash)" : "the part '\(label)'"
    case .album(let album, let artist): "the album '\(album)'" + (artist.isEmpty ? "" : " by '\(artist)'")
    case .artist(let artist): "the artist '\(artist)'"
    case .library: "the library"
    }
  }
}

/// A preset for a subject, or a subject for which presets are switched off.
package struct PresetAssignment: Hashable, Sendable {
  package var subject: PresetSubject
  /// The subject as people know it, see ``PresetSubject/shown(_:)``.
  package var shown: PresetSubject
  /// Who alone hears it; nil for those of the library, which everybody hears.
  package var person: String?
  /// nil if only the switch was set.
  package var presetName: String?
  /// If switched off, no preset applies to the subject and everything below it.
  package var isOn: Bool
  /// Seconds since 1970.
  package var assignedAt: Int64
}

/// What a row of `preset_assignment` is found by.
package struct AssignmentKey: Hashable {
  package var subject: PresetSubject
  /// Whose it is; those of the owner are the library's.
  package var personID = Person.ownerID

  /// The key columns and their values, without those that the schema of a library that is repaired does not have.
  fileprivate func columns(_ db: Database) throws -> [(name: String, value: DatabaseValue)] {
    var (hash, artist, album, frames) = (Data(), "", "", Int64(0)..<Int64(0))
    switch subject {
    case .track(let value, _): hash = Data(value.bytes)
    case .part(let value, let range, _): (hash, frames) = (Data(value.bytes), range)
    case .album(let title, let name): (album, artist) = (title, name)
    case .artist(let name): artist = name
    case .library: break
    }
    let all: [(name: String, value: DatabaseValue)] = [
      ("scope", subject.scope.rawValue.databaseValue), ("hash", hash.databaseValue), ("artist", artist.databaseValue),
      ("album", album.databaseValue), ("start_frame", frames.lowerBound.databaseValue),
      ("end_frame", frames.upperBound.databaseValue), ("person_id", personID.databaseValue),
    ]
    let stored = try db.columns(in: UserTable.presetAssignment.rawValue)
    return all.filter { column in stored.contains { $0.name == column.name } }
  }
}

/// A row of `preset_assignment`, as the table and the journal have it.
package struct AssignmentRow: Equatable {
  package var key: AssignmentKey
  package var presetID: Int64?
  package var builtIn: String?
  package var isOn = true
  package var assignedAt: Int64

  package var subject: PresetSubject {
    get { key.subject }
    set { key.subject = newValue }
  }

  /// Whether the row differs from having none.
  var isMeant: Bool { !isOn || presetID != nil || builtIn != nil }

  private static func condition(_ columns: [(name: String, value: DatabaseValue)]) -> String {
    columns.map { "\($0.name) = ?" }.joined(separator: " AND ")
  }

  package static func fetch(_ key: AssignmentKey, _ db: Database) throws -> AssignmentRow? {
    let columns = try key.columns(db)
    let statement = try db.cachedStatement(sql: "SELECT * FROM preset_assignment WHERE \(condition(columns))")
    return try Row.fetchOne(statement, arguments: StatementArguments(columns.map(\.value)))
      .flatMap(AssignmentRow.init(row:))
  }

  /// Those of a recording and its parts, the recording's own first, and of these the owner's first.
  package static func fetchAll(about recording: ContentHash, _ db: Database) throws -> [AssignmentRow] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT * FROM preset_assignment
           WHERE scope IN ('part', 'track') AND hash = ? ORDER BY scope DESC, start_frame, end_frame, person_id
          """), arguments: [Data(recording.bytes)]
    ).compactMap(AssignmentRow.init(row:))
  }

  /// Whether presets are switched on for the library as a whole.
  package static func isLibraryOn(_ db: Database) throws -> Bool {
    try fetch(AssignmentKey(subject: .library), db)?.isOn ?? true
  }

  /// Inserts the row, or replaces the one with its key.
  package func save(_ db: Database) throws {
    var columns = try key.columns(db)
    columns.append(("preset_id", presetID.databaseValue))
    columns.append(("built_in", builtIn.databaseValue))
    columns.append(("is_on", isOn.databaseValue))
    columns.append(("label", subject.label.databaseValue))
    columns.append(("assigned_at", assignedAt.databaseValue))
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO preset_assignment (\(columns.map(\.name).joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    ).execute(arguments: StatementArguments(columns.map(\.value)))
  }

  package func delete(_ db: Database) throws {
    let columns = try key.columns(db)
    try db.cachedStatement(sql: "DELETE FROM preset_assignment WHERE \(Self.condition(columns))")
      .execute(arguments: StatementArguments(columns.map(\.value)))
  }
}

extension AssignmentRow {
  /// - Parameter row: all columns of `preset_assignment`; nil for a row that this program cannot have written.
  package init?(row: Row) throws {
    guard let scope = try PresetScope(rawValue: row["scope"]) else { return nil }
    let subject: PresetSubject
    switch scope {
    case .track:
      guard let hash = try ContentHash(bytes: row["hash"] as Data) else { return nil }
      subject = try .track(hash, label: row["label"])
    case .part:
      let (start, end): (Int64, Int64) = try (row["start_frame"], row["end_frame"])
      guard let hash = try ContentHash(bytes: row["hash"] as Data), start < end else { return nil }
      subject = try .part(hash, frames: start..<end, label: row["label"])
    case .album: subject = try .album(row["album"], artist: row["artist"])
    case .artist: subject = try .artist(row["artist"])
    case .library: subject = .library
    }
    // Libraries before schema 8, which a repair reads, have only those of the owner.
    let person: Int64 = try row.hasColumn("person_id") ? row["person_id"] : Person.ownerID
    try self.init(
      key: AssignmentKey(subject: subject, personID: person), presetID: row["preset_id"], builtIn: row["built_in"],
      isOn: row["is_on"], assignedAt: row["assigned_at"])
  }

  package var json: JSONValue {
    var members: [JSONValue.Member] = [.init("scope", .string(subject.scope.rawValue))]
    switch subject {
    case .track(let hash, let label):
      members += [.init("hash", .string(hash.description)), .init("label", .string(label))]
    case .part(let hash, let frames, let label):
      members += [
        .init("hash", .string(hash.description)), .init("start_frame", .integer(frames.lowerBound)),
        .init("end_frame", .integer(frames.upperBound)), .init("label", .string(label)),
      ]
    case .album(let album, let artist): members += [.init("album", .string(album)), .init("artist", .string(artist))]
    case .artist(let artist): members.append(.init("artist", .string(artist)))
    case .library: break
    }
    members += [
      .init("person_id", .integer(key.personID)), .init("preset_id", .integer(presetID)),
      .init("built_in", .string(builtIn)), .init("is_on", .bool(isOn)), .init("assigned_at", .integer(assignedAt)),
    ]
    return .object(members)
  }

  /// nil for values that `json` did not write.
  package init?(json: JSONValue) {
    guard let scope = json["scope"]?.string.flatMap(PresetScope.init(rawValue:)), let isOn = json["is_on"]?.bool,
      case .integer(let assignedAt) = json["assigned_at"]
    else { return nil }
    let subject: PresetSubject
    switch scope {
    case .track:
      guard let hash = json["hash"]?.string.flatMap(ContentHash.init(hexadecimal:)) else { return nil }
      subject = .track(hash, label: json["label"]?.string ?? "")
    case .part:
      guard let hash = json["hash"]?.string.flatMap(ContentHash.init(hexadecimal:)),
        case .integer(let start) = json["start_frame"], case .integer(let end) = json["end_frame"], start < end
      else { return nil }
      subject = .part(hash, frames: start..<end, label: json["label"]?.string ?? "")
    case .album: subject = .album(json["album"]?.string ?? "", artist: json["artist"]?.string ?? "")
    case .artist: subject = .artist(json["artist"]?.string ?? "")
    case .library: subject = .library
    }
    var key = AssignmentKey(subject: subject)
    if case .integer(let id) = json["person_id"] { key.personID = id }
    var presetID: Int64?
    if case .integer(let id) = json["preset_id"] { presetID = id }
    self.init(key: key, presetID: presetID, builtIn: json["built_in"]?.string, isOn: isOn, assignedAt: assignedAt)
  }
}

/// SQL for the assignments that apply to a track, and for the resulting preset.
package enum PresetSQL {
  /// One row for each assignment: the columns of `preset_assignment`, `level` (lower is more specific) and
  /// `preset_name`. Each is found by the primary key.
  ///
  /// The parameters are SQL expressions; `frames` are those of a part, `album` the known names of one. A track belongs to its artist
  /// and to its album artist.
  package static func assignments(
    of person: String = "\(Person.ownerID)", hash: String, frames: (start: String, end: String)? = nil,
    artist: String, albumArtist: String, album: (artist: String, title: String)
  ) -> String {
    let part = frames.map { level(0, person, scope: "part", hash: hash, frames: $0) }
    return
      ([part].compactMap { $0 } + [
        level(1, person, scope: "track", hash: hash),
        level(2, person, scope: "album", artist: album.artist, album: album.title),
        level(3, person, scope: "artist", artist: artist),
        level(4, person, scope: "artist", artist: albumArtist),
        level(5, person, scope: "library"),
      ]).joined(separator: " UNION ALL ")
  }

  private static let albumOfFile = (
    artist: "(SELECT known_artist FROM album WHERE album.id = file.album_id)",
    title: "(SELECT known_title FROM album WHERE album.id = file.album_id)"
  )

  /// The name of the library's preset that applies to a row of ``QueryCompiler/source``; NULL if there is none or presets
  /// are switched off.
  package static let name = name(frames: nil)

  /// The same for a part of the recording.
  package static func name(frames: (start: String, end: String)?) -> String {
    """
    (SELECT CASE WHEN min(is_on) = 1 THEN substr(min(level || preset_name), 2) END
       FROM (\(assignments(
         hash: "audio.hash", frames: frames, artist: "file.artist", albumArtist: "file.albumartist", album: albumOfFile))))
    """
  }

  /// The same as a person hears it: if they have assignments of their own that concern the track, these decide; else those of
  /// the library do.
  ///
  /// - Parameter person: SQL for their id; NULL for nobody's.
  package static func name(heardBy person: String) -> String {
    """
    (SELECT CASE WHEN count(*) = 0 THEN \(name)
                 WHEN min(is_on) = 1 THEN substr(min(level || preset_name), 2) END
       FROM (\(assignments(
         of: person, hash: "audio.hash", artist: "file.artist", albumArtist: "file.albumartist", album: albumOfFile))))
    """
  }

  /// The same as the person hears it for whom the connection speaks.
  package static let heardName = """
    CASE listener() WHEN \(Person.ownerID) THEN \(name) ELSE \(name(heardBy: "listener()")) END
    """

  private static func level(
    _ level: Int, _ person: String, scope: String, hash: String = "x''",
    frames: (start: String, end: String) = ("0", "0"), artist: String = "''", album: String = "''"
  ) -> String {
    """
    SELECT \(level) AS level, a.*,
           coalesce((SELECT preset.name FROM preset WHERE preset.id = a.preset_id), a.built_in) AS preset_name
      FROM preset_assignment AS a
     WHERE a.scope = '\(scope)' AND a.hash = \(hash) AND a.artist = \(artist) AND a.album = \(album)
       AND a.start_frame = \(frames.start) AND a.end_frame = \(frames.end) AND a.person_id = \(person)
    """
  }
}
