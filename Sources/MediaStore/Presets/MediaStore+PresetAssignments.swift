internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// Assigns a preset; what was assigned before is replaced, switches stay as they are.
  ///
  /// - Returns: How many subjects had another one before.
  package func assignPreset(named name: String, to subjects: [PresetSubject]) throws(StoreError) -> Int {
    try edit("assign \(name) to \(Self.text(subjects))") { editor in
      let preset = try Self.find(name, editor.db)
      editor.summary = "assign \(preset.name) to \(Self.text(subjects))"
      return try Self.update(subjects, &editor) { row in
        row.presetID = preset.id
        row.builtIn = preset.isBuiltIn ? preset.name.text : nil
      }
    }
  }

  /// Takes away what is assigned to the subjects themselves; what they inherit stays.
  ///
  /// - Returns: How many had one.
  package func unassignPresets(of subjects: [PresetSubject]) throws(StoreError) -> Int {
    try edit("unassign \(Self.text(subjects))") { editor in
      try Self.update(subjects, &editor) { row in
        row.presetID = nil
        row.builtIn = nil
      }
    }
  }

  /// Switches presets on or off for subjects and all that is below them.
  ///
  /// - Returns: How many were switched.
  package func switchPresets(on isOn: Bool, for subjects: [PresetSubject]) throws(StoreError) -> Int {
    try edit("switch \(isOn ? "on" : "off") \(Self.text(subjects))") { editor in
      try Self.update(subjects, &editor) { $0.isOn = isOn }
    }
  }

  /// What a query means as subjects of a scope, in its order, each once.
  ///
  /// Files whose sound is not known, albums without a title and artists without a name are passed over; the library is one
  /// subject whatever the query finds.
  package func presetSubjects(_ scope: PresetScope, of query: Query) throws -> [PresetSubject] {
    if scope == .library { return [.library] }
    let names = ["hash", "title", "artist", "albumartist", "album", "filename"]
    let fields = names.compactMap { LibraryField.named($0)?.field }
    var subjects: [PresetSubject] = []
    // By bytes, as the library compares: Swift takes two ways of writing one letter for the same.
    var seen: Set<[[UInt8]]> = []
    try forEachRow(of: query, fields: fields) { values in
      let texts = values.map { if case .text(let text) = $0 { text } else { "" } }
      guard texts.count == names.count else { return }
      let owner = texts[3].isEmpty ? texts[2] : texts[3]
      let (subject, key): (PresetSubject, [String])
      switch scope {
      case .track:
        guard let hash = ContentHash(hexadecimal: texts[0]) else { return }
        let parts = texts[1].isEmpty ? [texts[5]] : [texts[2], texts[1]].filter { !$0.isEmpty }
        (subject, key) = (.track(hash, label: parts.joined(separator: " - ")), [texts[0]])
      case .album:
        guard !texts[4].isEmpty else { return }
        (subject, key) = (.album(texts[4], artist: owner), [texts[4], owner])
      case .artist:
        let artist = texts[2].isEmpty ? texts[3] : texts[2]
        guard !artist.isEmpty else { return }
        (subject, key) = (.artist(artist), [artist])
      case .library: return
      }
      if seen.insert(key.map { Array($0.utf8) }).inserted { subjects.append(subject) }
    }
    return subjects
  }

  /// With which preset a recording is heard, and why.
  ///
  /// - Parameter path: The file whose tags say the album and artist; the first one that is present without it.
  package func presetResolution(
    ofRecording id: Int64, preferring path: BytePath? = nil
  ) throws(StoreError) -> PresetResolution {
    let files = try files(ofRecording: id)
    let file = files.first { $0.path == path } ?? files.first
    return try read { db in
      guard
        let names = try Row.fetchOne(
          db,
          sql: """
            SELECT audio.hash, file.artist, file.albumartist, file.album
              FROM audio LEFT JOIN file ON file.id = :file WHERE audio.id = :id
            """, arguments: ["id": id, "file": file?.id])
      else { return PresetResolution(assignments: []) }
      let rows = try Row.fetchAll(
        db,
        sql: PresetSQL.assignments(hash: ":hash", artist: ":artist", albumArtist: ":albumartist", album: ":album")
          + " ORDER BY level",
        arguments: ["hash": names[0] as Data, "artist": names[1], "albumartist": names[2], "album": names[3]])
      var assignments: [PresetAssignment] = []
      for assignment in try rows.compactMap(Self.assignment) where !assignments.contains(assignment) {
        assignments.append(assignment)
      }
      return PresetResolution(assignments: assignments)
    }
  }

  /// Everything that is assigned or switched off, albums, artists and the library before tracks, by name.
  package func presetAssignments() throws(StoreError) -> [PresetAssignment] {
    try presetAssignments(where: "TRUE", [])
  }

  /// The albums and artists that a preset is assigned to, and the library, by name; there can be very many tracks.
  package func presetAssignmentsBesidesTracks(of preset: StoredPreset) throws(StoreError) -> [PresetAssignment] {
    try presetAssignments(
      where: "a.preset_id IS ? AND a.built_in IS ? AND a.scope <> 'track'",
      [preset.id, preset.isBuiltIn ? preset.name.text : nil])
  }

  private func presetAssignments(
    where condition: String, _ arguments: StatementArguments
  ) throws(StoreError) -> [PresetAssignment] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT a.*, coalesce(preset.name, a.built_in) AS preset_name
            FROM preset_assignment AS a LEFT JOIN preset ON preset.id = a.preset_id
           WHERE \(condition)
           ORDER BY a.scope = 'track', a.scope, a.artist, a.album, a.label, a.hash
          """,
        arguments: arguments
      ).compactMap(Self.assignment)
    }
  }

  /// The number of tracks that a preset is assigned to.
  package func assignedTrackCount(of preset: StoredPreset) throws(StoreError) -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM preset_assignment WHERE preset_id IS ? AND built_in IS ? AND scope = 'track'",
        arguments: [preset.id, preset.isBuiltIn ? preset.name.text : nil]) ?? 0
    }
  }

  /// How often each preset is assigned; those that are not are left out.
  package func presetAssignmentCounts() throws(StoreError) -> [PresetName: Int] {
    let named: [(name: String, count: Int)] = try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT coalesce(preset.name, a.built_in), count(*)
            FROM preset_assignment AS a LEFT JOIN preset ON preset.id = a.preset_id
           WHERE a.preset_id IS NOT NULL OR a.built_in IS NOT NULL
           GROUP BY a.preset_id, a.built_in ORDER BY 1
          """
      ).map { try ($0[0], $0[1]) }
    }
    var counts: [PresetName: Int] = [:]
    for item in named { if let name = try? PresetName(item.name) { counts[name, default: 0] += item.count } }
    return counts
  }

  private static func assignment(_ row: Row) throws -> PresetAssignment? {
    try AssignmentRow(row: row).map {
      try PresetAssignment(
        subject: $0.subject, presetName: row["preset_name"], isOn: $0.isOn, assignedAt: $0.assignedAt)
    }
  }

  private static func update(
    _ subjects: [PresetSubject], _ editor: inout PresetEditor, _ change: (inout AssignmentRow) -> Void
  ) throws -> Int {
    var count = 0
    for subject in subjects where try editor.update(subject, change) { count += 1 }
    return count
  }

  /// For the journal.
  private static func text(_ subjects: [PresetSubject]) -> String {
    guard let first = subjects.first, subjects.count > 1 else { return subjects.first?.description ?? "nothing" }
    return "\(subjects.count) \(first.scope.rawValue)s"
  }
}
