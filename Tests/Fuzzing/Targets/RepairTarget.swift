internal import MediaModel
internal import MediaStore

/// A damaged library, repaired: what comes of it is sound, or nothing.
struct RepairTarget: FuzzTarget {
  let name = "repair"
  let repetitionCount = 10
  let maximumByteCount = DamagedLibrary.maximumByteCount

  var seeds: [[UInt8]] { get throws { try DamagedLibrary.seeds() } }

  func check(_ bytes: [UInt8]) throws {
    try DamagedLibrary.with(bytes) { path, target in
      guard let report = try? LibraryRepair.repair(path, to: target) else { return }
      try require(report.check.isSound, "the new library is not sound: \(report.check)")
      let store = try MediaStore(at: target, access: .readWrite)
      defer { try? store.close() }
      try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
      _ = try store.presets()
    }
  }
}
