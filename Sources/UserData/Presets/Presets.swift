internal import Base
package import LibraryDatabase
package import MediaModel
package import MediaStore

/// The presets of a library with those of the program, and what they are assigned to.
package struct Presets {
  package let store: MediaStore
}

extension MediaStore {
  /// Its presets.
  package var presets: Presets { Presets(store: self) }
}

extension Presets {
  /// All presets by name; those of the library hide presets of the program with the same name.
  package func all() throws(StoreError) -> [StoredPreset] {
    let own = try store.read { db in
      try Row.fetchAll(db, sql: "SELECT \(PresetRow.columns) FROM preset ORDER BY name_key, id")
        .compactMap { try Self.stored(PresetRow(row: $0)) }
    }
    let hidden = Set(own.map(\.name))
    let builtIn = Preset.builtIn.filter { !hidden.contains($0.name) }.map(StoredPreset.init(builtIn:))
    return (own + builtIn).sorted { $0.name.key < $1.name.key }
  }

  /// The names of ``all()``, in their order.
  package func names() throws(StoreError) -> [PresetName] {
    let own = try store.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM preset ORDER BY name_key, id").compactMap { try? PresetName($0) }
    }
    let hidden = Set(own)
    return (own + Preset.builtIn.map(\.name).filter { !hidden.contains($0) }).sorted { $0.key < $1.key }
  }

  /// - Parameter name: in upper or lower case.
  /// - Throws: ``StoreError/noSuchPreset(_:near:)``.
  package func preset(named name: String) throws(StoreError) -> StoredPreset {
    try store.read { try Self.find(name, $0) }
  }

  /// Stores a new preset.
  ///
  /// - Throws: ``StoreError/presetExists(_:isBuiltIn:)``.
  package func create(_ preset: Preset) throws(StoreError) {
    try store.edit("create \(preset.name)") { editor in
      try Self.insert(preset.name, preset.document.text, &editor)
    }
  }

  /// Stores imported presets: all of them, or none if one cannot be stored.
  ///
  /// - Parameter replacing: whether to replace a preset of the same name; its assignments stay.
  /// - Throws: ``StoreError/presetExists(_:isBuiltIn:)``.
  package func importAll(_ presets: [Preset], replacing: Bool) throws(StoreError) {
    guard let first = presets.first else { return }
    let summary = presets.count == 1 ? "import \(first.name)" : "import \(presets.count) presets"
    try store.edit(summary) { editor in
      for preset in presets {
        let document = preset.document.text
        if replacing, let before = try Self.row(preset.name.text, editor.db) {
          guard before.document != document else { continue }
          var after = before
          after.document = document
          after.changedAt = editor.now
          try editor.put(after, insteadOf: before)
        } else {
          try Self.insert(preset.name, document, &editor)
        }
      }
    }
  }

  /// Copies a preset under another name, even if this version cannot read it.
  package func copy(named name: String, to other: PresetName) throws(StoreError) {
    try store.edit("copy \(name) to \(other)") { editor in
      let preset = try Self.find(name, editor.db)
      editor.summary = "copy \(preset.name) to \(other)"
      try Self.insert(other, preset.document, &editor)
    }
  }

  /// Renames a preset; its assignments stay.
  package func rename(named name: String, to other: PresetName) throws(StoreError) {
    try store.edit("rename \(name) to \(other)") { editor in
      let before = try Self.own(name, editor.db)
      editor.summary = "rename \(before.name) to \(other)"
      let holder = try Self.row(other.text, editor.db)
      guard holder == nil || holder?.id == before.id else {
        throw StoreError.presetExists(other.text, isBuiltIn: false)
      }
      if holder == nil { try Self.requireNotBuiltIn(other) }
      guard !other.text.unicodeScalars.elementsEqual(before.name.unicodeScalars) else { return }
      var after = before
      after.name = other.text
      after.changedAt = store.now
      try editor.put(after, insteadOf: before)
    }
  }

  /// Changes a preset in one transaction: two processes that edit it cannot overwrite each other's change unnoticed.
  ///
  /// - Throws: errors of `change`, otherwise ``StoreError``.
  /// - Returns: the changed preset.
  package func edit(named name: String, _ change: (EffectChain) throws -> EffectChain) throws -> Preset {
    var refusal: (any Error)?
    do {
      return try store.edit("edit \(name)") { editor in
        let before = try Self.own(name, editor.db)
        editor.summary = "edit \(before.name)"
        guard let stored = Self.stored(before) else { throw StoreError.noSuchPreset(name, near: []) }
        let old = try stored.preset()
        let chain: EffectChain
        do { chain = try change(old.chain) } catch {
          refusal = error
          throw error
        }
        let new = Preset(name: old.name, chain: chain)
        guard new.chain != old.chain else { return new }
        var after = before
        after.document = new.document.text
        after.changedAt = store.now
        try editor.put(after, insteadOf: before)
        return new
      }
    } catch {
      throw refusal ?? error
    }
  }

  /// - Parameter evenIfAssigned: whether to delete its assignments, too.
  /// - Throws: ``StoreError/presetInUse(_:count:)`` if it has assignments that must not be deleted.
  package func delete(named name: String, evenIfAssigned: Bool = false) throws(StoreError) {
    try store.edit("delete \(name)") { editor in
      let row = try Self.own(name, editor.db)
      editor.summary = "delete \(row.name)"
      let count =
        try Int.fetchOne(
          editor.db, sql: "SELECT count(*) FROM preset_assignment WHERE preset_id = ?", arguments: [row.id]) ?? 0
      guard count == 0 || evenIfAssigned else { throw StoreError.presetInUse(row.name, count: count) }
      try editor.removeAssignments(ofPreset: row.id)
      try editor.remove(row)
    }
  }

  // MARK: - Within a transaction

  /// The preset of the library, otherwise that of the program.
  package static func find(_ name: String, _ db: Database) throws -> StoredPreset {
    if let row = try row(name, db), let stored = stored(row) { return stored }
    if let builtIn = builtIn(name) { return StoredPreset(builtIn: builtIn) }
    let names =
      try String.fetchAll(db, sql: "SELECT name FROM preset ORDER BY name_key, id") + Preset.builtIn.map(\.name.text)
    throw StoreError.noSuchPreset(name, near: SpellingSuggestions.of(name, among: names))
  }

  private static func row(_ name: String, _ db: Database) throws -> PresetRow? {
    try Row.fetchOne(
      db, sql: "SELECT \(PresetRow.columns) FROM preset WHERE name_key = ?", arguments: [PresetRow.key(trimmed(name))]
    ).map(PresetRow.init(row:))
  }

  /// A preset that may be changed.
  private static func own(_ name: String, _ db: Database) throws -> PresetRow {
    if let row = try row(name, db) { return row }
    let found = try find(name, db)
    throw StoreError.builtInPreset(found.name.text)
  }

  private static func insert(_ name: PresetName, _ document: String, _ editor: inout JournalEditor) throws {
    guard try row(name.text, editor.db) == nil else { throw StoreError.presetExists(name.text, isBuiltIn: false) }
    try requireNotBuiltIn(name)
    let id = try Int64.fetchOne(
      editor.db, sql: "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'preset'")
    let row = PresetRow(
      id: id ?? 1, name: name.text, document: document, createdAt: editor.now, changedAt: editor.now)
    try editor.put(row, insteadOf: nil)
  }

  private static func requireNotBuiltIn(_ name: PresetName) throws {
    // `none` has a meaning in queries and in commands such as `preset: none`.
    if name.key == "none" { throw StoreError.presetExists(name.text, isBuiltIn: true) }
    if let builtIn = builtIn(name.text) { throw StoreError.presetExists(builtIn.name.text, isBuiltIn: true) }
  }

  private static func builtIn(_ name: String) -> Preset? {
    guard let name = try? PresetName(name) else { return nil }
    return Preset.builtIn.first { $0.name == name }
  }

  private static func trimmed(_ name: String) -> String { (try? PresetName(name))?.text ?? name }

  /// nil for a name that the program cannot have written.
  private static func stored(_ row: PresetRow) -> StoredPreset? {
    (try? PresetName(row.name)).map {
      StoredPreset(id: row.id, name: $0, document: row.document, changedAt: row.changedAt)
    }
  }
}
