internal import MediaModel
internal import MediaStore

/// A damaged library, asked whatever commands ask: SQLite's answers are read, or refused as damaged.
struct DamagedLibraryTarget: FuzzTarget {
  let name = "library"
  let repetitionCount = 20
  let maximumByteCount = DamagedLibrary.maximumByteCount

  var seeds: [[UInt8]] { get throws { try DamagedLibrary.seeds() } }

  func check(_ bytes: [UInt8]) throws {
    try DamagedLibrary.with(bytes) { path, _ in
      if let store = try? MediaStore(at: path, access: .readOnly) { Self.read(store) }
    }
  }

  /// What commands ask, each for itself: an error of one is no reason not to ask the next.
  private static func read(_ store: MediaStore) {
    defer { try? store.close() }
    _ = try? store.status()
    try? store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    if let query = try? store.query("tide artist:nora year:1970.. bpm:60..") { _ = try? store.count(of: query) }
    try? store.forEachProblem { _ in }
    try? store.forEachTagged(of: .everything) { _, _ in }
    for root in (try? store.roots()) ?? [] { _ = try? store.knownFiles(inRoot: root.id) }
    for id in Int64(1)...3 {
      _ = try? store.detail(ofRecording: id)
      _ = try? store.recording(id: id)
      _ = try? store.measures(ofRecording: id)
      for kind in ProductKind.allCases { _ = try? store.product(kind, ofRecording: id) }
    }
    _ = try? store.presets()
    _ = try? store.presetAssignments()
    _ = try? store.presetChanges()
    _ = try? store.lists()
    _ = try? store.check(isDeep: true)
  }
}
