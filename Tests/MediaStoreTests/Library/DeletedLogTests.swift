import Base
import Foundation
import Glibc
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

/// What a process does whose write-ahead log or shared memory somebody deletes.
struct DeletedLogTests {
  // Faults: 183
  @Test(arguments: [["-shm"], ["-wal"], ["-wal", "-shm"]])
  func `nothing more is written, and what was written before is kept`(suffixes: [String]) throws {
    let library = try TemporaryLibrary()
    try library.addFiles(0..<3)
    for suffix in suffixes { try FileManager.default.removeItem(atPath: library.path.displayString + suffix) }
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try library.addFiles(3..<6) }
      #expect(error?.message.contains("-wal or -shm was deleted") == true && error?.path == library.path)
    }
    try library.store.close()
    #expect(try library.folder.names() == ["library.sqlite"])
    let store = try MediaStore(at: library.path, access: .readWrite)
    #expect(try store.scans.knownFiles(inRoot: library.root.id).count == 3)
    #expect(try store.check(isDeep: true).isSound)
    try store.close()
  }

  // Faults: 183
  @Test func `closing neither deletes nor applies a log that took the place of the own one`() throws {
    let library = try TemporaryLibrary()
    try library.addFiles(0..<3)
    let (file, log) = (
      try library.folder.bytes(of: "library.sqlite"), try library.folder.bytes(of: "library.sqlite-wal")
    )
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: library.path.displayString + suffix) }
    try library.folder.write(log, to: "library.sqlite-wal")
    try library.store.close()
    #expect(try library.folder.bytes(of: "library.sqlite") == file)
    #expect(try library.folder.bytes(of: "library.sqlite-wal") == log)
    let store = try MediaStore(at: library.path, access: .readOnly)
    #expect(try store.scans.knownFiles(inRoot: library.root.id).count == 3)
    try store.close()
  }

  /// A lock on the bytes by which SQLite shows that it has a library open, as another process would hold it.
  private func holdLock(_ kind: Int32, on library: BytePath) throws -> FileHandle {
    let handle = try FileHandle(forUpdating: URL(filePath: library.displayString))
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    // F_OFD_SETLK, which the C library does not show to Swift.
    try #require(fcntl(handle.fileDescriptor, 37, &lock) == 0)
    return handle
  }

  // Faults: 219
  @Test func `a process that closes the library and has deleted its log is waited for`() async throws {
    let library = try TemporaryLibrary()
    try library.addFiles(0..<3)
    try library.store.close()
    let lock = try holdLock(F_WRLCK, on: library.path)
    let opening = Task.detached { [path = library.path] in
      let store = try MediaStore(at: path, access: .readWrite, timeout: .seconds(60))
      defer { try? store.close() }
      return try store.scans.knownFiles(inRoot: 1).count
    }
    // Longer than opening ever took without the lock.
    try await Task.sleep(for: .milliseconds(1500))
    try lock.close()
    #expect(try await opening.value == 3)
  }

  @Test func `who closes it and does not come to an end is named as what it is`() throws {
    let library = try TemporaryLibrary()
    try library.store.close()
    func error(_ kind: Int32) throws -> StoreError? {
      let lock = try holdLock(kind, on: library.path)
      defer { try? lock.close() }
      return #expect(throws: StoreError.self) {
        try MediaStore(at: library.path, access: .readWrite, timeout: .milliseconds(100))
      }
    }
    #expect(try error(F_RDLCK)?.message.contains("-wal or -shm was deleted") == true)
    guard case .locked(library.path, _)? = try error(F_WRLCK) else {
      Issue.record("not a locked library")
      return
    }
  }
}
