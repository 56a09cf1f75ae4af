internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel
package import QueryLanguage

extension MediaStore {
  /// Assigns a preset and replaces earlier assignments; switches stay as they are.
  ///
  /// - Parameter listener: who alone is to hear it; the owner's assignments are the library's.
  /// - Returns: the number of subjects that changed.
  package func assignPreset(
    named name: String, to subjects: [PresetSubject], for listener: Listener = .owner
  ) throws(StoreError) -> Int {
    try edit("assign \(name) to \(Self.text(subjects, listener))") { editor in
      let preset = try Self.find(name, editor.db)
      editor.summary = "assign \(preset.name) to \(Self.text(subjects, listener))"
      return try Self.update(subjects, of: listener, &editor) { row in
        row.presetID = preset.id
        row.builtIn = preset.isBuiltIn ? preset.name.text : nil
      }
    }
  }

  /// Removes the assignments of the subjects themselves; inherited ones stay.
  ///
  /// - Returns: the number of subjects that had one.
  package func unassignPresets(
    of subjects: [PresetSubject], for listener: Listener = .owner
  ) throws(StoreError) -> Int {
    try edit("unassign \(Self.text(subjects, listener))") { editor in
      try Self.update(subjects, of: listener, &editor) { row in
        row.presetID = nil
        row.builtIn = nil
      }
    }
  }

  /// Switches presets on or off for subjects and everything below them.
  ///
  /// - Returns: the number of subjects that changed.
  package func switchPresets(
    on isOn: Bool, for subjects: [PresetSubject], heardBy listener: Listener = .owner
  ) throws(StoreError) -> Int {
    try edit("switch \(isOn ? "on" : "off") \(Self.text(subjects, listener))") { editor in
      try Self.update(subjects, of: listener, &editor) { $0.isOn = isOn }
    }
  }

  /// The subjects of a scope that a query finds, in its order, each once.
  ///
  /// Files without a known recording, albums without a title and artists without a name are skipped. The library is one
  /// subject, whatever the query finds.
  package func presetSubjects(_ scope: PresetScope, of query: Query) throws -> [PresetSubject] {
    if scope == .library { return [.library] }
    let names = ["hash", "title", "artist", "albumartist", "album", "filename"]
    let fields = names.compactMap { LibraryField.named($0)?.field }
    var subjects: [PresetSubject] = []
    // Compared by bytes, as SQLite does: for Swift, two encodings of one letter are equal.
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
      case .part, .library: return
      }
      if seen.insert(key.map { Array($0.utf8) }).inserted { subjects.append(subject) }
    }
    return subjects
  }

  /// The parts that words such as `17#3` name; nil if none of the words names a part.
  ///
  /// - Throws: ``TrackError/partOfMany(_:)`` if only some of them do.
  package func partSubjects(naming words: [String]) throws -> [PresetSubject]? {
    guard words.contains(where: { PartAddress(BytePath(argument: $0)) != nil }) else { return nil }
    let tracks = try words.map { try namedTrack(BytePath(argument: $0)) }
    guard let part = zip(words, tracks).first(where: { $1?.part != nil })?.0 else { return nil }
    let subjects = tracks.compactMap { track -> PresetSubject? in
      guard let track, let part = track.part else { return nil }
      return .part(track.hash, frames: part.part.frames, label: part.label)
    }
    guard subjects.count == words.count else { throw TrackError.partOfMany(part) }
    return subjects
  }

  private static func update(
    _ subjects: [PresetSubject], of listener: Listener, _ editor: inout JournalEditor,
    _ change: (inout AssignmentRow) -> Void
  ) throws -> Int {
    let person = try addedPersonID(of: listener, editor.db)
    var count = 0
    for subject in subjects where try editor.update(AssignmentKey(subject: subject, personID: person), change) {
      count += 1
    }
    return count
  }

  /// A description for the journal.
  private static func text(_ subjects: [PresetSubject], _ listener: Listener) -> String {
    let suffix = if case .person(_, let name) = listener { " for \(name)" } else { "" }
    guard let first = subjects.first, subjects.count > 1 else {
      return (subjects.first?.description ?? "nothing") + suffix
    }
    return "\(subjects.count) \(first.scope.rawValue)s" + suffix
  }
}
