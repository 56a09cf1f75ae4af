internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

extension Presets {
  /// Assigns a preset and replaces earlier assignments; switches stay as they are.
  ///
  /// - Parameter listener: who alone is to hear it; the owner's assignments are the library's. nil for the one for whom
  ///   the connection speaks.
  /// - Returns: the number of subjects that changed.
  package func assign(
    named name: String, to subjects: [PresetSubject], for listener: Listener? = nil
  ) throws(StoreError) -> Int {
    try store.edit("assign \(name) to \(Self.text(subjects))") { editor in
      let preset = try Self.find(name, editor.db)
      return try update(subjects, of: listener, "assign \(preset.name) to", &editor) { row in
        row.presetID = preset.id
        row.builtIn = preset.isBuiltIn ? preset.name.text : nil
      }
    }
  }

  /// Removes the assignments of the subjects themselves; inherited ones stay.
  ///
  /// - Returns: the number of subjects that had one.
  package func unassign(
    of subjects: [PresetSubject], for listener: Listener? = nil
  ) throws(StoreError) -> Int {
    try store.edit("unassign \(Self.text(subjects))") { editor in
      try update(subjects, of: listener, "unassign", &editor) { row in
        row.presetID = nil
        row.builtIn = nil
      }
    }
  }

  /// Switches presets on or off for subjects and everything below them.
  ///
  /// - Returns: the number of subjects that changed.
  package func turn(
    on isOn: Bool, for subjects: [PresetSubject], heardBy listener: Listener? = nil
  ) throws(StoreError) -> Int {
    try store.edit("switch \(isOn ? "on" : "off") \(Self.text(subjects))") { editor in
      try update(subjects, of: listener, "switch \(isOn ? "on" : "off")", &editor) { $0.isOn = isOn }
    }
  }

  private func update(
    _ subjects: [PresetSubject], of listener: Listener?, _ verb: String, _ editor: inout JournalEditor,
    _ change: (inout AssignmentRow) -> Void
  ) throws -> Int {
    let person = try listener.map { try People.addedID(of: $0, editor.db) } ?? store.personID
    let suffix = try Person.otherName(person, editor.db).map { " for \($0)" } ?? ""
    let shown = subjects.count == 1 ? try subjects.map { try $0.shown(editor.db) } : subjects
    editor.summary = "\(verb) \(Self.text(shown))\(suffix)"
    var count = 0
    for subject in subjects where try editor.update(AssignmentKey(subject: subject, personID: person), change) {
      count += 1
    }
    return count
  }

  /// A description for the journal.
  private static func text(_ subjects: [PresetSubject]) -> String {
    guard let first = subjects.first, subjects.count > 1 else { return subjects.first?.description ?? "nothing" }
    return "\(subjects.count) \(first.scope.rawValue)s"
  }
}
