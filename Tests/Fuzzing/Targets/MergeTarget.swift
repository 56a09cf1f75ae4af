internal import MediaModel
internal import MediaStore

/// A damaged library, merged into a new one: that is sound afterwards, whatever came of the merging.
struct MergeTarget: FuzzTarget {
  let name = "merge"
  let repetitionCount = 10
  let maximumByteCount = DamagedLibrary.maximumByteCount

  var seeds: [[UInt8]] { get throws { try DamagedLibrary.seeds() } }

  func check(_ bytes: [UInt8]) throws {
    try DamagedLibrary.with(bytes) { path, target in
      let store = try MediaStore(at: target, access: .createIfMissing)
      defer { try? store.close() }
      _ = try? store.merge([path], options: MergeOptions(keepsCopy: false))
      let check = try store.check(isDeep: true)
      try require(check.isSound, "the library is not sound: \(check)")
      try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    }
  }
}
