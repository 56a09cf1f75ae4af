import Base
import Foundation
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import TestSupport
import UserData

/// A library file with changes at any place, for the targets that read such a file.
///
/// An input is a list of changes, each a `u24` place, a `u8` length up to 15, and as many bytes.
enum DamagedLibrary {
  static let maximumByteCount = 256

  /// About twenty pages are changed, at the start and near the end of each.
  static func seeds() throws -> [[UInt8]] {
    let pageCount = try original.get().count / 4096
    return stride(from: 0, to: pageCount, by: max(1, pageCount / 20)).map { page in
      change(4096 * page, [0x0D]) + change(4096 * page + 0xFF0, [0])
    }
  }

  private static func change(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    let digits = [16, 8, 0].map { UInt8(truncatingIfNeeded: place >> $0) }
    return digits + [UInt8(bytes.count)] + bytes
  }

  /// The bytes of a small library with rows of every kind.
  private static let original = Result {
    let library = try FuzzLibrary.shared.get()
    let folder = try TemporaryFolder()
    _ = try library.store.backUp(to: folder.file("copy.sqlite"), keeping: 0, replacesMore: true)
    return try folder.bytes(of: "copy.sqlite")
  }

  private static let folder = Result { try TemporaryFolder() }

  /// Calls `body` with the path of the damaged file and a path where nothing is.
  static func with(_ changes: [UInt8], _ body: (BytePath, BytePath) throws -> Void) throws {
    var library = try original.get()
    var rest = changes[...]
    while rest.count > 4 {
      let head = Array(rest.prefix(4))
      let place = (Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) % library.count
      let bytes = rest.dropFirst(4).prefix(Int(head[3] % 16))
      library.replaceSubrange(
        place..<min(place + bytes.count, library.count), with: bytes.prefix(library.count - place))
      rest = rest.dropFirst(4 + bytes.count)
    }
    let folder = try folder.get()
    for name in try folder.names() { try FileManager.default.removeItem(at: folder.appending(name)) }
    try Data(library).write(to: folder.appending("library.sqlite"))
    try body(folder.file("library.sqlite"), folder.file("other.sqlite"))
  }
}

/// A damaged library that is read as commands read it: values are read, or refused as damaged.
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

  /// What commands read; after an error the next is tried.
  private static func read(_ store: MediaStore) {
    defer { try? store.close() }
    _ = try? store.status()
    try? store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
    if let query = try? store.query("tide artist:nora year:1970.. bpm:60..") { _ = try? store.count(of: query) }
    try? store.files.forEachProblem { _ in }
    try? store.files.forEachTagged(of: .everything) { _, _ in }
    for root in (try? store.roots.all()) ?? [] { _ = try? store.scans.knownFiles(inRoot: root.id) }
    for id in Int64(1)...3 {
      _ = try? store.tracks.detail(ofRecording: id)
      _ = try? store.recordings.recording(id: id)
      _ = try? store.products.measures(ofRecording: id)
      for kind in ProductKind.allCases { _ = try? store.products.product(kind, ofRecording: id) }
    }
    _ = try? store.presets.all()
    _ = try? store.presets.assignments()
    _ = try? store.journal.changes()
    _ = try? store.lists.all()
    _ = try? store.check(isDeep: true)
  }
}

/// A damaged library that is repaired: the result is sound, or there is none.
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
      _ = try store.presets.all()
    }
  }
}

/// A damaged library that is merged into a new one, which must be sound afterwards.
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
