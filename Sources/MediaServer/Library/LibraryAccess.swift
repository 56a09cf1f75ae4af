package import Base
internal import MediaRendering
package import MediaStore
internal import Synchronization

/// The library of a server: connections for reading, each used by one thread at a time, and one for writing.
///
/// A library that was replaced, restored or repaired meanwhile is noticed before each use and opened again.
package final class LibraryAccess: Sendable {
  package let path: BytePath
  private let idle = Mutex<[MediaStore]>([])
  private let writer = Mutex<MediaStore?>(nil)
  private let canWriteNow: Bool

  /// Opens the library once, so that it is migrated if it is older.
  ///
  /// - Parameter open: Opens the library; called from any thread.
  package init(at path: BytePath, canWrite: Bool) throws(StoreError) {
    self.path = path
    canWriteNow = canWrite
    let store = try Self.open(path, .readOnly)
    idle.withLock { $0.append(store) }
  }

  var canWrite: Bool { canWriteNow }

  /// Calls `body` with a connection that no other thread uses.
  func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try borrow()
    defer { idle.withLock { $0.append(store) } }
    return try body(store)
  }

  /// Calls `body` with the connection that writes; one call at a time.
  func writing<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    guard canWriteNow else { throw StoreError.readOnly(path) }
    return try writer.withLock { known in
      if let store = known, !store.isCurrent {
        try? store.close()
        known = nil
      }
      let store = try known ?? Self.open(path, .readWrite)
      known = store
      return try body(store)
    }
  }

  private func borrow() throws(StoreError) -> MediaStore {
    while let store = idle.withLock({ $0.popLast() }) {
      if store.isCurrent { return store }
      try? store.close()
    }
    return try Self.open(path, .readOnly)
  }

  private static func open(_ path: BytePath, _ access: MediaStore.Access) throws(StoreError) -> MediaStore {
    let store = try MediaStore(at: path, access: access)
    LibrarySimilarity.allowQueries(of: store)
    return store
  }

  func close() {
    for store in idle.withLock({ stores in
      defer { stores = [] }
      return stores
    }) {
      try? store.close()
    }
    writer.withLock { store in
      try? store?.close()
      store = nil
    }
  }
}
