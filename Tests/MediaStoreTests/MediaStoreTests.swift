import Base
import Foundation
import Glibc
import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

struct MediaStoreTests {
  @Test func `a process that has a replaced library open writes to neither`() throws {
    let (library, other) = (try TemporaryLibrary(), try TemporaryLibrary())
    let copy = library.folder.file("copy.sqlite")
    _ = try other.store.backUp(to: copy, keeping: 0, replacesMore: true)
    try FileManager.default.moveItem(
      atPath: library.path.displayString, toPath: library.path.displayString + ".before")
    try FileManager.default.moveItem(atPath: copy.displayString, toPath: library.path.displayString)
    #expect(throws: StoreError.self) { try library.store.presets.create(try PresetStoreTests.preset("Lost")) }
    let names = try MediaStore(at: copy.parent.appending(library.path.lastComponent), access: .readOnly).presets.all()
    #expect(!names.contains { $0.name.text == "Lost" })
  }

  @Test func `after closing only the one file remains`() throws {
    let folder = try TemporaryFolder()
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    _ = try store.roots.add(BytePath("/music"), volume: nil)
    try store.close()
    try store.close()
    #expect(try folder.names() == ["library.sqlite"])
    let reader = try MediaStore(at: folder.file("library.sqlite"), access: .readOnly)
    #expect(try reader.roots.all().map(\.path) == [BytePath("/music")])
    try reader.close()
    #expect(try folder.names() == ["library.sqlite"])
  }

  @Test(arguments: [MediaStore.Access.readOnly, .readWrite])
  func `a library that is not there is not made`(access: MediaStore.Access) throws {
    let folder = try TemporaryFolder()
    #expect(throws: StoreError.missingLibrary(folder.file("x.sqlite"))) {
      try MediaStore(at: folder.file("x.sqlite"), access: access)
    }
    #expect(try folder.names() == [])
  }

  @Test func `a name that is not UTF-8, or looks like a URI, is just a name`() throws {
    let folder = try TemporaryFolder()
    for name in [[0x61, 0xFF, 0x62], Array("a?b%41#c d.sqlite".utf8)] as [[UInt8]] {
      let path = folder.path.appending(BytePath(name))
      let store = try MediaStore(at: path, access: .createIfMissing)
      #expect(store.path == path)
      _ = try store.roots.add(BytePath("/music"), volume: nil)
      try store.close()
      let reader = try MediaStore(at: path, access: .readOnly)
      #expect(try reader.roots.all().count == 1)
      try reader.close()
    }
    #expect(try folder.names().count == 2)
  }

  @Test func `one scan at a time, and the second is told of the first`() throws {
    let library = try TemporaryLibrary()
    let scan = try library.store.scans.begin()
    let other = try MediaStore(at: library.path, access: .readWrite, timeout: .milliseconds(100))
    for store in [library.store, other] {
      do {
        _ = try store.scans.begin()
        Issue.record("a second scan began")
      } catch {
        guard case .scanRunning(_, let process?, let since?) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(process == getpid() && since.hasSuffix("Z"))
      }
    }
    scan.release()
    let next = try other.scans.begin()
    try other.scans.finish(ScanSummary(), of: next)
    next.release()
    try other.close()
  }

  // Faults: 90
  /// Rows of runs that did not say that they ended, and whether the process of one is named: one that is gone, this one as
  /// if it had got the id of a scan of 1970, and two that run.
  @Test(
    arguments: [
      ("2147480000, unixepoch()", nil), ("\(getpid()), 1000", nil), ("\(getpid()), unixepoch()", getpid()),
      ("1, unixepoch()", 1),
    ] as [(String, Int32?)])
  func `a run that was killed is not named in the place of who holds the lock`(row: String, named: Int32?) throws {
    let library = try TemporaryLibrary()
    for (table, more) in [("scan_run", ""), ("reanalysis", ", ''")] {
      try library.execute("DELETE FROM scan_run; DELETE FROM reanalysis")
      let columns = "process_id, started_at" + (more.isEmpty ? "" : ", products")
      try library.execute("INSERT INTO \(table) (\(columns)) VALUES (\(row)\(more))")
      let merge = try LibraryFile(at: library.path)
      defer { merge.close() }
      #expect(try merge.tryLock(.scan))
      let error = #expect(throws: StoreError.self) { try library.store.scans.begin() }
      guard case .scanRunning(_, named, let since) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect((since == nil) == (named == nil))
      #expect(error?.description.contains("already running") == true)
      #expect(try table == "reanalysis" || library.store.status().lastScan?.isRunning == (named != nil))
    }
  }

  @Test func `a write that another process keeps out gives up after its timeout`() throws {
    let library = try TemporaryLibrary()
    let other = try LibraryFile(at: library.path)
    defer { other.close() }
    #expect(try other.tryLock(.writer))
    #expect(throws: StoreError.locked(library.path, byProcess: nil)) {
      try library.store.roots.add(BytePath("/other"), volume: nil)
    }
    other.unlock(.writer)
    _ = try library.store.roots.add(BytePath("/other"), volume: nil)
  }

  @Test func `a long operation sees that somebody waits, and who waits gets the lock`() async throws {
    let library = try TemporaryLibrary()
    let long = try LibraryFile(at: library.path)
    let waiting = try LibraryFile(at: library.path)
    defer {
      long.close()
      waiting.close()
    }
    #expect(try long.lockForWriting(timeout: .zero))
    #expect(!long.isLockedElsewhere(.turn))
    async let isTaken = waiting.lockForWriting(timeout: .seconds(60))
    while !long.isLockedElsewhere(.turn) { try await Task.sleep(for: .milliseconds(1)) }
    long.unlock(.writer)
    #expect(try await isTaken)
    #expect(!long.isLockedElsewhere(.turn))
    #expect(long.isLockedElsewhere(.writer))
    #expect(try !long.lockForWriting(timeout: .milliseconds(1)))
    #expect(!waiting.isLockedElsewhere(.turn))
  }
}
