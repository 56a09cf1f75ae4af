package import Base
internal import HTTPServing
package import MediaStore
internal import Synchronization
package import UserData

/// The library of a server: connections for reading, each used by one thread at a time, and one for writing.
///
/// Another file that has the library's name meanwhile, such as a repaired copy that was moved there, is noticed before each
/// use and opened. (`restore` does not replace a library that is open.)
package final class LibraryAccess: Sendable {
  /// For whom this task reads and writes: whose ratings, plays, lists and presets the library has then. The owner, unless
  /// somebody else has signed in.
  @TaskLocal package static var listener = Listener.owner

  package let path: BytePath
  private let idle = Mutex<[MediaStore]>([])
  private let writer = Mutex<MediaStore?>(nil)
  private let canWriteNow: Bool
  private let fileChanges = Mutex(FileChanges())
  private let sounds = Mutex(SoundFinders())

  /// Which of the library's revisions are about files, as far as that is known.
  private struct FileChanges {
    /// After the latest change of files.
    var files = ""
    /// That the library has had since without one.
    var latest = ""
    /// Changes that this server has begun, and those of them that it has ended.
    var begunCount = 0
    var endedCount = 0
  }

  /// Opens the library once, so that it is migrated if it is older.
  package init(at path: BytePath, canWrite: Bool) throws(StoreError) {
    self.path = path
    canWriteNow = canWrite
    try MediaStore(at: path, access: .readOnly).close()
  }

  package var canWrite: Bool { canWriteNow }

  /// Says who compares sounds for queries through connections that are opened from now on, and opens the first of them: while a
  /// server runs, it has the library open, by which other commands know whose it is.
  func compareSounds(by finders: SoundFinders) {
    sounds.withLock { $0 = finders }
    guard let store = try? open(.readOnly) else { return }
    idle.withLock { $0.append(store) }
  }

  /// Calls `body` with a connection that no other thread uses, and ends it if the client leaves, see ``ClientDisconnect``.
  package func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try borrow()
    defer { idle.withLock { $0.append(store) } }
    func read() throws -> Value {
      guard Self.listener != .owner else { return try body(store) }
      return try store.speaking(for: try store.people.id(of: Self.listener) ?? 0) { try body(store) }
    }
    return try ClientDisconnect.current?.interrupting(by: store.interrupt, read) ?? read()
  }

  /// Calls `body` with the connection that writes; one call at a time.
  package func writing<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    guard canWriteNow else { throw StoreError.readOnly(path) }
    return try writer.withLock { known in
      if let store = known, !store.isCurrent {
        try? store.close()
        known = nil
      }
      let store = try known ?? open(.readWrite)
      known = store
      fileChanges.withLock { $0.begunCount += 1 }
      defer { fileChanges.withLock { $0.endedCount += 1 } }
      // It goes to the caller alone, who gave `body`.
      let person = try store.people.addedID(of: Self.listener)
      nonisolated(unsafe) let value = try store.speaking(for: person) { try body(store) }
      try noteOwnChange(store)
      return value
    }
  }

  /// The revision of the library when its files were changed last, as far as that is known: what this server writes itself
  /// is about decisions of people. (Its scans write through another connection.)
  package func fileRevision() throws -> String {
    let begunCount = fileChanges.withLock { $0.begunCount }
    let present = try reading { try $0.revision() }
    return fileChanges.withLock { known in
      // What this server is writing meanwhile is not about files.
      guard known.begunCount == begunCount, known.endedCount == begunCount else { return known.files }
      if known.latest != present { (known.files, known.latest) = (present, present) }
      return known.files
    }
  }

  private func noteOwnChange(_ store: MediaStore) throws {
    let (previous, current) = try store.latestRevisions()
    fileChanges.withLock { known in
      if known.latest == previous { known.latest = current }
    }
  }

  private func borrow() throws(StoreError) -> MediaStore {
    while let store = idle.withLock({ $0.popLast() }) {
      if store.isCurrent { return store }
      try? store.close()
    }
    return try open(.readOnly)
  }

  private func open(_ access: MediaStore.Access) throws(StoreError) -> MediaStore {
    try MediaStore(at: path, access: access, sounds: sounds.withLock { $0 })
  }

  package func close() {
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

/// Lists of songs that clients make: playlists, queues and what the jukebox plays.
package enum SongList {
  package static let largestCount = 100_000
}
