import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

// Faults: 155
/// Only what this program made is cleared away, and SQLite's own names are no outputs.
struct LibraryLeftoversTests {
  private let folder: TemporaryFolder
  private let path: BytePath

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("l.sqlite")
    try MediaStore(at: path, access: .createIfMissing).close()
  }

  /// Takes the lock of scans, which clears away what killed processes left.
  private func clear() throws {
    let store = try MediaStore(at: path, access: .readWrite)
    _ = try store.merge([], options: MergeOptions())
    try store.close()
  }

  @Test(arguments: ["l.sqlite.new-2026-11", "l.sqlite.new-2147480000-1"])
  func `a backup stays and is listed, whatever its name`(name: String) throws {
    let store = try MediaStore(at: path, access: .readWrite)
    _ = try store.backUp(to: folder.file(name), keeping: nil, replacesMore: false)
    try store.close()
    let bytes = try folder.bytes(of: name)
    try clear()
    #expect(try folder.bytes(of: name) == bytes)
    #expect(try LibraryBackup.all(beside: path).map(\.path) == [folder.file(name)])
  }

  @Test func `other libraries in the folder are no copies`() throws {
    let store = try MediaStore(at: path, access: .readWrite)
    _ = try store.roots.add(BytePath("/music"), volume: "v")
    for name in ["l.sqlite.1", "saved.sqlite"] {
      _ = try store.backUp(to: folder.file(name), keeping: nil, replacesMore: false)
    }
    try store.close()
    try MediaStore(at: folder.file("other.sqlite"), access: .createIfMissing).close()
    let names = try LibraryBackup.all(beside: path).map { $0.path.lastComponent.displayString }
    #expect(Set(names) == ["l.sqlite.1", "saved.sqlite"])
  }

  @Test(arguments: ["l.sqlite.new-99999-1", "l.sqlite.new-2147480000-0", "l.sqlite.new-2147480000-0-wal"])
  func `a text stays, whatever its name`(name: String) throws {
    try folder.write("a letter".utf8, to: name)
    try clear()
    #expect(try folder.bytes(of: name) == Array("a letter".utf8))
  }

  @Test func `what a killed process left of any work in the folder is removed, and told before`() throws {
    let names = ["l.sqlite.new-2147480000-0", "saved.sqlite.new-2147480000-3", "l.sqlite.before-1.new-2147480000-7"]
    for name in names { try folder.write([1], to: name + "/new") }
    try folder.write([1], to: names[0] + "/new-journal")
    try folder.makeFolder("moved.new-2147480000-0")
    let reader = try MediaStore(at: path, access: .readOnly)
    #expect(try reader.check().remarks.count == 4)
    try reader.close()
    try clear()
    #expect(try folder.names() == ["l.sqlite"])
  }

  @Test func `a folder with anything else in it stays as it is`() throws {
    let name = "l.sqlite.new-2147480000-0"
    try folder.write([1], to: name + "/new")
    try folder.write([1], to: name + "/mine")
    try clear()
    #expect(try folder.bytes(of: name + "/new") == [1] && folder.bytes(of: name + "/mine") == [1])
  }

  @Test func `what a process holds a lock on stays, even if its number means nothing here`() throws {
    let name = "l.sqlite.new-2147480000-0"
    try folder.write([1], to: name + "/new")
    let file = try LibraryFile(at: folder.file(name + "/new"))
    #expect(try file.tryLock(.scan))
    try clear()
    #expect(try folder.names() == ["l.sqlite", name])
    file.close()
    try clear()
    #expect(try folder.names() == ["l.sqlite"])
  }

  @Test func `a repair clears away what a killed one left, even for another name`() throws {
    try folder.write([1], to: "first.sqlite.new-2147480000-0/new")
    #expect(try LibraryRepair.repair(path, to: folder.file("second.sqlite")).check.isSound)
    #expect(try folder.names() == ["l.sqlite", "second.sqlite"])
  }

  // Faults: 156
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a name that SQLite owns is no output`(suffix: String) throws {
    let name = folder.file("l.sqlite" + suffix)
    let reader = try MediaStore(at: path, access: .readOnly)
    defer { try? reader.close() }
    #expect(throws: StoreError.self) { try reader.backUp(to: name, keeping: nil, replacesMore: true) }
    #expect(throws: StoreError.self) { try LibraryRepair.repair(path, to: name) }
    #expect(throws: StoreError.self) { try MediaStore(at: name, access: .createIfMissing) }
    let other = try TemporaryFolder()
    try MediaStore(at: other.file("b.sqlite"), access: .createIfMissing).close()
    #expect(throws: StoreError.self) { try LibraryRestoring.restore(other.file("b.sqlite"), to: name) }
    try reader.close()
    #expect(try folder.names() == ["l.sqlite"])
  }

  // Faults: 156
  @Test(arguments: ["-wal", "-journal"])
  func `nothing is put beside a log that SQLite would apply to it`(suffix: String) throws {
    try folder.write([1], to: "new.sqlite" + suffix)
    let reader = try MediaStore(at: path, access: .readOnly)
    #expect(throws: StoreError.self) {
      try reader.backUp(to: folder.file("new.sqlite"), keeping: nil, replacesMore: true)
    }
    try reader.close()
    #expect(throws: StoreError.self) { try LibraryRepair.repair(path, to: folder.file("new.sqlite")) }
    #expect(throws: StoreError.self) { try MediaStore(at: folder.file("new.sqlite"), access: .createIfMissing) }
    #expect(try folder.names() == ["l.sqlite", "new.sqlite" + suffix])
    // A restoration moves the log out of the way.
    _ = try LibraryRestoring.restore(path, to: folder.file("new.sqlite"))
    #expect(try folder.names().count == 3)
    try MediaStore(at: folder.file("new.sqlite"), access: .readWrite).close()
  }
}
