internal import GRDB
package import MediaModel

extension MediaStore {
  /// All presets by name; those of the library hide built-in ones of the same name.
  package func presets() throws(StoreError) -> [StoredPreset] {
    let own = try read { db in
      try Row.fetchAll(db, sql: "SELECT \(PresetRow.columns) FROM preset ORDER BY name_key, id")
        .compactMap { try Self.stored(PresetRow(row: $0)) }
    }
    let hidden = Set(own.map(\.name))
    let builtIn = Preset.builtIn.filter { !hidden.contains($0.name) }.map(StoredPreset.init(builtIn:))
    return (own + builtIn).sorted { $0.name.key < $1.name.key }
  }

  /// - Parameter name: In any case.
  /// - Throws: ``StoreError/noSuchPreset(_:near:)``.
  package func preset(named name: String) throws(StoreError) -> StoredPreset {
    try read { try Self.find(name, $0) }
  }

  /// Keeps a new preset.
  ///
  /// - Throws: ``StoreError/presetExists(_:isBuiltIn:)``.
  package func createPreset(_ preset: Preset) throws(StoreError) {
    try edit("create \(preset.name)") { editor in
      try Self.insert(preset.name, preset.document.text, &editor)
    }
  }

  /// Keeps presets that were imported: all of them or, where one cannot be kept, none.
  ///
  /// - Parameter replacing: Whether a preset of the same name becomes the new one; what it is assigned to stays.
  /// - Throws: ``StoreError/presetExists(_:isBuiltIn:)``.
  package func importPresets(_ presets: [Preset], replacing: Bool) throws(StoreError) {
    guard let first = presets.first else { return }
    let summary = presets.count == 1 ? "import \(first.name)" : "import \(presets.count) presets"
    try edit(summary) { editor in
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

  /// Keeps what a preset is under another name, too, even if this version cannot read it.
  package func copyPreset(named name: String, to other: PresetName) throws(StoreError) {
    try edit("copy \(name) to \(other)") { editor in
      let preset = try Self.find(name, editor.db)
      editor.summary = "copy \(preset.name) to \(other)"
      try Self.insert(other, preset.document, &editor)
    }
  }

  /// Gives a preset another name; what it is assigned to has it under that name.
  package func renamePreset(named name: String, to other: PresetName) throws(StoreError) {
    try edit("rename \(name) to \(other)") { editor in
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
      after.changedAt = now
      try editor.put(after, insteadOf: before)
    }
  }

  /// Makes a preset what `change` makes of it, in one transaction: two editors cannot lose each other's change unseen.
  ///
  /// - Throws: What `change` throws, ``StoreError`` otherwise.
  /// - Returns: The preset as it now is.
  package func editPreset(named name: String, _ change: (EffectChain) throws -> EffectChain) throws -> Preset {
    var refusal: (any Error)?
    do {
      return try edit("edit \(name)") { editor in
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
        after.changedAt = now
        try editor.put(after, insteadOf: before)
        return new
      }
    } catch {
      throw refusal ?? error
    }
  }

  /// - Parameter evenIfAssigned: Whether its assignments may go, too.
  /// - Throws: ``StoreError/presetInUse(_:count:)`` if there are some and they may not.
  package func deletePreset(named name: String, evenIfAssigned: Bool = false) throws(StoreError) {
    try edit("delete \(name)") { editor in
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

  /// Writes a change that is on the disk when this returns, and in the journal.
  func edit<Value>(
    _ summary: String, _ body: (inout PresetEditor) throws -> Value
  ) throws(StoreError) -> Value {
    try write(.durable) { db in
      var editor = PresetEditor(db, now: now, summary: summary)
      return try body(&editor)
    }
  }

  /// The library's own, else the one that comes with the program.
  static func find(_ name: String, _ db: Database) throws -> StoredPreset {
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

  private static func insert(_ name: PresetName, _ document: String, _ editor: inout PresetEditor) throws {
    guard try row(name.text, editor.db) == nil else { throw StoreError.presetExists(name.text, isBuiltIn: false) }
    try requireNotBuiltIn(name)
    let id = try Int64.fetchOne(
      editor.db, sql: "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'preset'")
    let row = PresetRow(
      id: id ?? 1, name: name.text, document: document, createdAt: editor.now, changedAt: editor.now)
    try editor.put(row, insteadOf: nil)
  }

  private static func requireNotBuiltIn(_ name: PresetName) throws {
    // What a query means by the word, and commands by `preset: none`.
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
