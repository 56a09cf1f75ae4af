import Base
import Foundation
import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

// Faults: 150
/// A library with two names has two logs: nothing may be written to it.
struct FileAliasTests {
  private let folder: TemporaryFolder
  private let path: BytePath

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("l.sqlite")
    let store = try MediaStore(at: path, access: .createIfMissing)
    _ = try store.roots.add(BytePath("/music"), volume: nil)
    try store.close()
  }

  private func link(_ name: String, to other: String = "l.sqlite") throws {
    try FileManager.default.createDirectory(
      at: folder.appending(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.linkItem(at: folder.appending(other), to: folder.appending(name))
  }

  @Test(arguments: [.readWrite, .createIfMissing] as [MediaStore.Access])
  func `nothing is written to a library with a hard link, under either name`(access: MediaStore.Access) throws {
    try link("snapshot/l.sqlite")
    let before = try folder.bytes(of: "l.sqlite")
    for name in ["l.sqlite", "snapshot/l.sqlite"] {
      let error = #expect(throws: StoreError.self) {
        try MediaStore(at: folder.file(name), access: access).close()
      }
      guard case .inputOutput(_, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.contains("2 names (hard links)") && reason.contains("`cp`"), "\(reason)")
    }
    #expect(try folder.bytes(of: "l.sqlite") == before)
    #expect(try folder.names() == ["l.sqlite", "snapshot"])
  }

  @Test func `a library with a hard link is read with a warning, and nothing is left beside it`() throws {
    try link("other.sqlite")
    let store = try MediaStore(at: folder.file("other.sqlite"), access: .readOnly)
    #expect(try store.roots.all().count == 1)
    #expect(store.warnings.count == 1 && store.warnings[0].contains("may be missing"))
    #expect(try store.check().remarks == store.warnings)
    try store.close()
    #expect(try folder.names() == ["l.sqlite", "other.sqlite"])
    try FileManager.default.removeItem(at: folder.appending("other.sqlite"))
    let alone = try MediaStore(at: path, access: .readWrite)
    #expect(alone.warnings.isEmpty)
    try alone.close()
  }

  @Test func `reading under a second name does not write the log back`() throws {
    let store = try MediaStore(at: path, access: .readWrite)
    _ = try store.roots.add(BytePath("/more"), volume: nil)
    // As a killed process leaves it.
    let (file, log) = (try folder.bytes(of: "l.sqlite"), try folder.bytes(of: "l.sqlite-wal"))
    try store.close()
    let copy = try TemporaryFolder()
    try copy.write(file, to: "l.sqlite")
    try copy.write(log, to: "l.sqlite-wal")
    try FileManager.default.linkItem(at: copy.appending("l.sqlite"), to: copy.appending("other.sqlite"))
    let (own, other) = (
      try MediaStore(at: copy.file("l.sqlite"), access: .readOnly),
      try MediaStore(at: copy.file("other.sqlite"), access: .readOnly)
    )
    #expect(try own.roots.all().count == 2 && other.roots.all().count == 1)
    try own.close()
    try other.close()
    #expect(try copy.bytes(of: "l.sqlite") == file && copy.bytes(of: "l.sqlite-wal") == log)
  }

  @Test func `a backup, a repair and a restoration are the ways out`() throws {
    try link("other.sqlite")
    let reader = try MediaStore(at: path, access: .readOnly)
    _ = try reader.backUp(to: folder.file("backup"), keeping: nil, replacesMore: false)
    try reader.close()
    let report = try LibraryRestoring.restore(folder.file("backup"), to: path)
    #expect(report.keptAt != nil)
    let store = try MediaStore(at: path, access: .readWrite)
    #expect(store.warnings.isEmpty)
    #expect(try store.roots.all().count == 1)
    try store.close()
    #expect(try LibraryRepair.repair(folder.file("other.sqlite"), to: folder.file("new.sqlite")).check.isSound)
  }

  /// Killed after the link and before the temporary name was removed, or before the copy took its place.
  @Test(arguments: [
    "l.sqlite.new-2147480000-0/new", "l.sqlite.new-2147480000-0", "l.sqlite.before-20260102030405",
    "l.sqlite.before-20260102030405-2",
  ])
  func `a name that a killed process gave it is removed`(name: String) throws {
    try link(name)
    let reader = try MediaStore(at: path, access: .readOnly)
    #expect(reader.warnings.isEmpty)
    try reader.close()
    let store = try MediaStore(at: path, access: .readWrite)
    try store.close()
    #expect(try folder.names() == ["l.sqlite"])
  }

  @Test func `a name that a running process gave it stays and does no harm`() throws {
    let name = "l.sqlite.new-\(getpid())-0"
    try link(name + "/new")
    let store = try MediaStore(at: path, access: .readWrite)
    #expect(store.warnings.isEmpty)
    try store.close()
    #expect(try folder.names() == ["l.sqlite", name])
  }

  // Faults: 151
  @Test(arguments: [
    ("/srv/lib.sqlite", true), ("/srv/my lib\\x.sqlite", true), ("/srv", true), ("/srv/lib", false),
    ("/srv/lib.sqlite2", false), ("/dev/sda1", false),
  ])
  func `the kernel's table of mounts says what is mounted`(path: String, isMounted: Bool) {
    let table = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      36 22 8:1 /home/me/lib.sqlite /srv/lib.sqlite rw,noatime - ext4 /dev/sda1 rw
      37 22 8:1 /x /srv/my\\040lib\\134x.sqlite rw - ext4 /dev/sda1 rw
      38 22 8:2 / /srv rw shared:3 - ext4 /dev/sda2 rw
      broken line

      """
    #expect(MountTable.hasMount(at: BytePath(path), in: table) == isMounted)
  }
}
