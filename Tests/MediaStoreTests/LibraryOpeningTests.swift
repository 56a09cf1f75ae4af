import Base
import Foundation
import GRDB
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import QueryLanguage
import Testing
import TestSupport

/// What is opened, what is refused, and that refusing leaves no trace.
struct LibraryOpeningTests {
  static let accesses: [MediaStore.Access] = [.readOnly, .readWrite, .createIfMissing]

  /// Opens a file with these bytes, which must be refused and left as it is.
  func refusal(of bytes: [UInt8], _ access: MediaStore.Access) throws -> StoreError? {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "l.sqlite")
    var refusal: StoreError?
    do {
      try MediaStore(at: folder.file("l.sqlite"), access: access).close()
    } catch {
      refusal = error
    }
    #expect(try folder.bytes(of: "l.sqlite") == bytes)
    #expect(try folder.names() == ["l.sqlite"])
    return refusal
  }

  func bytesOfLibrary(_ change: (Database) throws -> Void = { _ in }) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try MediaStore(at: folder.file("l.sqlite"), access: .createIfMissing).close()
    let queue = try DatabaseQueue(path: folder.file("l.sqlite").displayString)
    try queue.writeWithoutTransaction(change)
    try queue.close()
    return try folder.bytes(of: "l.sqlite")
  }

  @Test(arguments: accesses, ["", "x", "not a database", "SQLite format 3\0 and then garbage"])
  func `what is not a database is refused`(access: MediaStore.Access, text: String) throws {
    guard case .notALibrary = try refusal(of: Array(text.utf8), access) else {
      Issue.record("not refused")
      return
    }
  }

  // Faults: 103
  @Test(arguments: accesses) func `random bytes are refused`(access: MediaStore.Access) throws {
    var generator = RepeatableRandom(seed: 3)
    let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard case .notALibrary = try refusal(of: bytes, access) else {
      Issue.record("not refused")
      return
    }
  }

  // Faults: 103
  @Test(arguments: accesses) func `the database of another program is refused`(access: MediaStore.Access) throws {
    let bytes = try bytesOfLibrary { try $0.execute(sql: "PRAGMA application_id = 12345") }
    guard case .notALibrary(_, let reason) = try refusal(of: bytes, access) else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("another program"))
  }

  // Faults: 102
  @Test(arguments: accesses) func `a newer schema is refused in the words of the contract`(access: MediaStore.Access)
    throws
  {
    let bytes = try bytesOfLibrary { try $0.execute(sql: "PRAGMA user_version = 99") }
    let refusal = try #require(try refusal(of: bytes, access))
    guard case .newerSchema(_, found: 99, supported: _) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(refusal.description.contains("made by a newer version (99 > "))
  }

  // Faults: 108
  @Test func `a folder, a FIFO and a dangling link are no libraries`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("d")
    #expect(mkfifo(folder.file("f").displayString, 0o600) == 0)
    #expect(symlink("/nonexistent/x", folder.file("l").displayString) == 0)
    for name in ["d", "f", "l"] {
      #expect(throws: StoreError.self) { try MediaStore(at: folder.file(name), access: .createIfMissing) }
    }
    #expect(try folder.names() == ["d", "f", "l"])
  }

  @Test func `a link leads to the library, and SQLite's files lie beside that`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("real")
    let store = try MediaStore(at: folder.file("real/l.sqlite"), access: .createIfMissing)
    #expect(symlink("real/l.sqlite", folder.file("link").displayString) == 0)
    let other = try MediaStore(at: folder.file("link"), access: .readWrite)
    _ = try other.roots.add(BytePath("/a"), volume: nil)
    #expect(try folder.names() == ["link", "real"])
    #expect(try store.roots.all().count == 1)
    try other.close()
    try store.close()
  }

  // Faults: 85
  @Test(arguments: [0, 0o022, 0o777] as [mode_t])
  func `a new library belongs to its user alone`(mask: mode_t) throws {
    let folder = try TemporaryFolder()
    let old = umask(mask)
    defer { umask(old) }
    try MediaStore(at: folder.file("a/b/l.sqlite"), access: .createIfMissing).close()
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.file(name).displayString)[.posixPermissions] as? Int
    }
    #expect(try mode("a") == 0o700 && mode("a/b") == 0o700 && mode("a/b/l.sqlite") == 0o600)
  }

  @Test func `many creators at once end with the one library`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("l.sqlite")
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          guard let store = try? MediaStore(at: path, access: .createIfMissing) else { return false }
          let root = try? store.roots.add(BytePath("/r\(number)"), volume: nil)
          return root != nil && (try? store.close()) != nil
        }
      }
      for await isFine in group { #expect(isFine) }
    }
    let store = try MediaStore(at: path, access: .readOnly)
    #expect(try store.roots.all().count == 8)
    try store.close()
    #expect(try folder.names() == ["l.sqlite"])
  }

  @Test func `what a killed creator left is removed`() throws {
    let folder = try TemporaryFolder()
    for name in ["new", "new-wal"] { try folder.write([1], to: "l.sqlite.new-2147480000-0/" + name) }
    let others = ["l.sqlite.new-1-0", "l.sqlite.new-2147480000-8", "l.sqlite.new-x"]
    for name in others { try folder.write([1], to: name + "/new") }
    try MediaStore(at: folder.file("l.sqlite"), access: .createIfMissing).close()
    #expect(try folder.names() == ["l.sqlite"] + others)
  }

  // Faults: 89
  @Test func `writes of users are safe on the disk, those of a scan consistent`() throws {
    let library = try TemporaryLibrary()
    #expect(try library.store.settings() == ["wal", "2", "8192"])
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    #expect(try library.store.settings() == ["wal", "1", "8192"])
    try library.store.roots.relocate(library.root.id, to: BytePath("/other"))
    #expect(try library.store.settings() == ["wal", "2", "8192"])
  }

  @Test func `a library that was taken out of WAL mode is put back`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try bytesOfLibrary { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }, to: "l.sqlite")
    let reader = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
    #expect(try reader.settings()[0] == "delete")
    try reader.close()
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .readWrite)
    #expect(try store.settings()[0] == "wal")
    try store.close()
  }

  // Faults: 107
  @Test(arguments: [(0x62, true), (0x801, false), (0x0010_0862, true), (7, false)] as [(UInt64, Bool)])
  func `file systems of a network get no shared memory`(device: UInt64, isRemote: Bool) {
    let table = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      36 22 0:98 / /mnt/a\\040b rw,noatime master:1 - nfs4 server:/x rw
      37 22 8:354 / /srv rw - cifs //server/x rw
      broken line

      """
    #expect(FileSystemType.isRemote(device: device, mountTable: table) == isRemote)
  }

  @Test func `the kernel's list of locks names the writer`() {
    let list = """
      1: POSIX  ADVISORY  READ 700 08:01:1234 120 120
      2: OFDLCK ADVISORY  WRITE -1 08:01:1234 0 0
      3: POSIX  ADVISORY  WRITE 708 08:01:1234 120 120
      3: -> POSIX  ADVISORY  WRITE 709 08:01:1234 120 120
      """
    #expect(KernelLocks.writer(ofInodes: [1234, 5], in: list) == 708)
    #expect(KernelLocks.writer(ofInodes: [5], in: list) == nil)
    #expect(KernelLocks.writer(ofInodes: [5], in: "garbage\n\n: : : : : :") == nil)
  }

  @Test func `what was committed before a kill is there afterwards`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    // The files as they are at this instant are what a killed process leaves.
    let copy = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try copy.write(try library.folder.bytes(of: "library.sqlite" + suffix), to: "l.sqlite" + suffix)
    }
    let reader = try MediaStore(at: copy.file("l.sqlite"), access: .readOnly)
    #expect(try reader.scans.knownFiles(inRoot: 1).count == 1)
    #expect(try reader.check(isDeep: true).isSound)
    try reader.close()
  }

  @Test func `a flipped byte in any page is never a crash, and a check finds it or nothing was hurt`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply((0..<40).map { .extracted(Sample.record("f\($0)", Sample.extraction(UInt64($0)))) })
    try library.store.close()
    let bytes = try library.folder.bytes(of: "library.sqlite")
    var generator = RepeatableRandom(seed: 5)
    var foundCount = 0
    for page in 0..<bytes.count / 8192 {
      var damaged = bytes
      let offset = page * 8192 + Int.random(in: (page == 0 ? 100 : 0)..<8192, using: &generator)
      damaged[offset] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
      damaged[page * 8192 + (page == 0 ? 100 : 0)] ^= 0x40
      let folder = try TemporaryFolder()
      try folder.write(damaged, to: "l.sqlite")
      do {
        let store = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
        defer { try? store.close() }
        if try !store.check(isDeep: true).isSound { foundCount += 1 }
        _ = try store.status()
        try store.forEachRow(of: .everything, fields: MediaStore.fields) { _ in }
      } catch {
        #expect(error is StoreError, "\(error)")
        foundCount += 1
      }
      #expect(try folder.bytes(of: "l.sqlite") == damaged)
    }
    #expect(foundCount > bytes.count / 8192 / 2)
  }
}
