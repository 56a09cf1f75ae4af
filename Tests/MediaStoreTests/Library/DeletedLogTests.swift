import Base
import Foundation
import MediaStore
import Testing
import TestSupport

/// What a process does whose write-ahead log or shared memory somebody deletes.
struct DeletedLogTests {
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
    #expect(try store.knownFiles(inRoot: library.root.id).count == 3)
    #expect(try store.check(isDeep: true).isSound)
    try store.close()
  }

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
    #expect(try store.knownFiles(inRoot: library.root.id).count == 3)
    try store.close()
  }
}
