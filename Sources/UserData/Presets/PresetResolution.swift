internal import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// The preset with which somebody hears a track, and why.
///
/// If a person has assignments of their own that concern the track, they alone decide; else those of the library do.
package struct PresetResolution: Hashable, Sendable {
  /// All assignments that concern the track: the person's own before the library's, each most specific first.
  package var assignments: [PresetAssignment]

  private var deciding: [PresetAssignment] {
    let own = assignments.filter { $0.person != nil }
    return own.isEmpty ? assignments : own
  }

  /// The assignment whose preset applies.
  package var applied: PresetAssignment? { silenced == nil ? deciding.first { $0.presetName != nil } : nil }

  /// The most specific switch that is off; if there is one, no preset applies.
  package var silenced: PresetAssignment? { deciding.first { !$0.isOn } }

  package var presetName: String? { applied?.presetName }
}

extension Presets {
  /// The preset that applies to a recording, and why.
  ///
  /// - Parameters:
  ///   - fileID: the file whose tags name the album and artist; nil if there is none.
  ///   - part: the frames of a part of the recording; nil for all of it.
  ///   - listener: who hears it; the owner's assignments are the library's. nil for the one for whom the connection speaks.
  package func resolution(
    ofRecording id: Int64, withTagsOfFile fileID: Int64?, part: Range<Int64>?, for listener: Listener?
  ) throws(StoreError) -> PresetResolution {
    try store.read { db in
      guard
        let names = try Row.fetchOne(
          db,
          sql: """
            SELECT audio.hash, file.artist, file.albumartist, album.known_title, album.known_artist
              FROM audio LEFT JOIN file ON file.id = :file LEFT JOIN album ON album.id = file.album_id WHERE audio.id = :id
            """, arguments: ["id": id, "file": fileID])
      else { return PresetResolution(assignments: []) }
      let statement = try db.cachedStatement(
        sql: PresetSQL.assignments(
          of: ":person", hash: ":hash", frames: (":start", ":end"), artist: ":artist", albumArtist: ":albumartist",
          album: (":known_artist", ":known_title")) + " ORDER BY level")
      let own = try listener.map { try People.id(of: $0, db) ?? Person.ownerID } ?? store.personID
      var assignments: [PresetAssignment] = []
      for person in own == Person.ownerID ? [own] : [own, Person.ownerID] {
        let rows = try Row.fetchAll(
          statement,
          arguments: [
            "person": person, "hash": names[0] as Data, "start": part?.lowerBound, "end": part?.upperBound,
            "artist": names[1], "albumartist": names[2], "known_title": names[3], "known_artist": names[4],
          ])
        for assignment in try rows.compactMap({ try Self.assignment($0, db) }) where !assignments.contains(assignment) {
          assignments.append(assignment)
        }
      }
      return PresetResolution(assignments: assignments)
    }
  }

  /// All assignments and switches of everybody: those of albums, artists and the library before tracks, by name.
  package func assignments() throws(StoreError) -> [PresetAssignment] {
    try assignments(where: "TRUE", [])
  }

  /// The assignments of a preset to albums, artists and the library, by name; those to tracks can be very many.
  package func assignmentsBesidesTracks(of preset: StoredPreset) throws(StoreError) -> [PresetAssignment] {
    try assignments(
      where: "a.preset_id IS ? AND a.built_in IS ? AND a.scope NOT IN ('part', 'track')",
      [preset.id, preset.isBuiltIn ? preset.name.text : nil])
  }

  private func assignments(
    where condition: String, _ arguments: StatementArguments
  ) throws(StoreError) -> [PresetAssignment] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT a.*, coalesce(preset.name, a.built_in) AS preset_name
            FROM preset_assignment AS a LEFT JOIN preset ON preset.id = a.preset_id
           WHERE \(condition)
           ORDER BY a.scope IN ('part', 'track'), a.scope, a.artist, a.album, a.label, a.hash, a.start_frame,
                    a.person_id
          """,
        arguments: arguments
      ).compactMap { try Self.assignment($0, db) }
    }
  }

  /// What people call subjects now, see ``PresetSubject/shown(_:)``.
  package func shown(_ subjects: [PresetSubject]) throws(StoreError) -> [PresetSubject] {
    try store.read { db in try subjects.map { try $0.shown(db) } }
  }

  /// The number of tracks that a preset is assigned to.
  package func assignedTrackCount(of preset: StoredPreset) throws(StoreError) -> Int {
    try store.read { db in
      try Int.fetchOne(
        db,
        sql:
          "SELECT count(*) FROM preset_assignment WHERE preset_id IS ? AND built_in IS ? AND scope IN ('part', 'track')",
        arguments: [preset.id, preset.isBuiltIn ? preset.name.text : nil]) ?? 0
    }
  }

  /// The number of assignments of each preset that concern the person for whom the connection speaks; presets without any
  /// are left out.
  package func assignmentCounts() throws(StoreError) -> [PresetName: Int] {
    let named: [(name: String, count: Int)] = try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT coalesce(preset.name, a.built_in), count(*)
            FROM preset_assignment AS a LEFT JOIN preset ON preset.id = a.preset_id
           WHERE (a.preset_id IS NOT NULL OR a.built_in IS NOT NULL) AND a.person_id IN (listener(), \(Person.ownerID))
           GROUP BY a.preset_id, a.built_in ORDER BY 1
          """
      ).map { try ($0[0], $0[1]) }
    }
    var counts: [PresetName: Int] = [:]
    for item in named { if let name = try? PresetName(item.name) { counts[name, default: 0] += item.count } }
    return counts
  }

  private static func assignment(_ row: Row, _ db: Database) throws -> PresetAssignment? {
    try AssignmentRow(row: row).map {
      try PresetAssignment(
        subject: $0.subject, shown: $0.subject.shown(db), person: Person.otherName($0.key.personID, db),
        presetName: row["preset_name"],
        isOn: $0.isOn, assignedAt: $0.assignedAt)
    }
  }
}
