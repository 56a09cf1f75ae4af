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

/// A write-ahead log is applied to the file that it continues, and to no other state of any library.
struct LogBindingTests {
  // Faults: 179
  @Test func `a backup that is put back beside the log of a killed process is read as it is`() throws {
    let library = try TemporaryLibrary()
    try library.addFiles(0..<30)
    _ = try library.store.backUp(to: library.folder.file("backup"), keeping: nil, replacesMore: false)
    try library.addFiles(30..<33)
    let left = try LeftFiles(of: library)
    let backup = LeftFiles(file: try library.folder.bytes(of: "backup"), log: left.log)
    let opened = try OpenedCopy(of: backup)
    #expect(opened.fileCount == 30 && opened.isSound && !opened.appliedLog)
    #expect(try OpenedCopy(of: left).fileCount == 33)
  }

  // Faults: 179
  @Test func `an older copy of the library is not brought forward by a log that begins later`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("l.sqlite")
    func write(_ name: String) throws -> MediaStore {
      let store = try MediaStore(at: path, access: .createIfMissing)
      _ = try store.roots.add(BytePath(name), volume: nil)
      return store
    }
    try write("/1").close()
    let older = try folder.bytes(of: "l.sqlite")
    try write("/2").close()
    let newer = try folder.bytes(of: "l.sqlite")
    let store = try write("/3")
    let log = try folder.bytes(of: "l.sqlite-wal")
    try store.close()
    #expect(try OpenedCopy(of: LeftFiles(file: older, log: log)).roots == ["/1"])
    // The log continues exactly this state.
    #expect(try OpenedCopy(of: LeftFiles(file: newer, log: log)).roots == ["/1", "/2", "/3"])
    #expect(try OpenedCopy(of: LeftFiles(file: folder.bytes(of: "l.sqlite"), log: log)).roots == ["/1", "/2", "/3"])
  }

  // Faults: 180
  @Test func `a log that another program has written to, too, is still applied`() throws {
    let library = try TemporaryLibrary()
    try library.execute("UPDATE root SET volume = 'a'")
    _ = try library.store.roots.add(BytePath("/more"), volume: nil)
    try library.execute("UPDATE root SET volume = 'b'")
    let opened = try OpenedCopy(of: LeftFiles(of: library))
    #expect(opened.roots == ["/music", "/more"] && opened.appliedLog)
  }

  // Faults: 178
  @Test func `a log that was set aside is not replaced by the next one`() throws {
    let library = try TemporaryLibrary()
    let log = try LeftFiles(of: library).log
    let folder = try TemporaryFolder()
    try MediaStore(at: folder.file("l.sqlite"), access: .createIfMissing).close()
    for _ in 0..<3 {
      try folder.write(log, to: "l.sqlite-wal")
      try MediaStore(at: folder.file("l.sqlite"), access: .readOnly).close()
    }
    let names = try folder.names()
    #expect(names.count == 4)
    for name in names.dropFirst() { #expect(try folder.bytes(of: name) == log) }
  }

  // Faults: 181
  @Test func `a log of another library that cannot be set aside is not applied`() throws {
    let other = try TemporaryLibrary()
    let folder = try TemporaryFolder()
    let backup = folder.file("backup.sqlite")
    try MediaStore(at: backup, access: .createIfMissing).close()
    try folder.write(try LeftFiles(of: other).log, to: "backup.sqlite-wal")
    // Sources of a restoration and a merge stay as they are.
    let (before, names) = (try folder.bytes(of: "backup.sqlite"), try folder.names())
    let library = try TemporaryLibrary()
    #expect(throws: StoreError.self) { try LibraryRestoring.restore(backup, to: folder.file("new.sqlite")) }
    #expect(throws: StoreError.self) { try library.store.merge([backup], options: MergeOptions()) }
    #expect(try folder.bytes(of: "backup.sqlite") == before)
    #expect(try folder.names() == names)
  }

  // Faults: 180
  /// Histories with commits, checkpoints, kills, copies, backups and branches; every file that was seen is put beside
  /// every log that was seen. A log belongs to a file exactly if the file is a state between the log's first and last.
  @Test(arguments: 1...6) func `any log beside any file is applied only where it continues the file`(seed: Int) throws {
    var history = try RandomHistory(seed: seed)
    for _ in 0..<60 { try history.step() }
    let logs = history.seen.filter { $0.log.count > 32 }
    #expect(logs.count > 3)
    var appliedCount = 0
    for file in history.seen {
      let alone = try OpenedCopy(of: LeftFiles(file: file.bytes, log: [])).roots
      for log in logs {
        let opened = try OpenedCopy(of: LeftFiles(file: file.bytes, log: log.log))
        let state = file.history(ofRoots: alone.count)
        let belongs =
          (log.baseCount...log.history.count).contains(state.count) && log.history.starts(with: state)
        #expect(opened.roots == (belongs ? log.roots : alone))
        #expect(opened.appliedLog == belongs)
        #expect(opened.isSound)
        appliedCount += belongs ? 1 : 0
      }
    }
    #expect(appliedCount >= logs.count && appliedCount < history.seen.count * logs.count)
  }
}
