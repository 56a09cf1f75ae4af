import Base
import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import TestSupport

/// A library's file and the write-ahead log beside it, as a killed process leaves them.
struct LeftFiles {
  var file: [UInt8]
  /// Empty for none.
  var log: [UInt8]
}

extension LeftFiles {
  init(of library: TemporaryLibrary) throws {
    file = try library.folder.bytes(of: "library.sqlite")
    log = try library.folder.bytes(of: "library.sqlite-wal")
  }
}

/// What is read of such files by a command that only reads.
struct OpenedCopy {
  let roots: [String]
  let fileCount: Int
  let isSound: Bool
  /// Whether the log was taken for the library's own.
  let appliedLog: Bool

  init(of files: LeftFiles) throws {
    let folder = try TemporaryFolder()
    try folder.write(files.file, to: "l.sqlite")
    if !files.log.isEmpty { try folder.write(files.log, to: "l.sqlite-wal") }
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
    let found = try store.roots.all().sorted { $0.id < $1.id }
    roots = found.map(\.path.displayString)
    fileCount = try found.reduce(0) { try $0 + store.scans.knownFiles(inRoot: $1.id).count }
    isSound = try store.check(isDeep: false).isSound
    appliedLog = store.warnings.isEmpty
    try store.close()
  }
}

/// A library that is written to, checkpointed, copied and branched at random; each write adds one root.
struct RandomHistory {
  /// The files at one moment.
  struct Moment {
    var bytes: [UInt8]
    var log: [UInt8]
    /// All that led to the state after the log's last commit: roots, and names of backups that were continued.
    var history: [String]
    /// How much of that there was when the log began.
    var baseCount: Int

    var roots: [String] { history.filter { $0.hasPrefix("/") } }

    /// What led to the state of the file alone, which has the first of the roots.
    func history(ofRoots count: Int) -> [String] {
      Array(history.prefix(roots.count == count ? history.count : history.firstIndex(of: roots[count]) ?? 0))
    }
  }

  private(set) var seen: [Moment] = []
  private var random: RepeatableRandom
  private var folder: TemporaryFolder
  private var store: MediaStore
  private var history: [String] = []
  private var baseCount = 0
  private var salts: [UInt8] = []
  private var writeCount = 0

  init(seed: Int) throws {
    random = RepeatableRandom(seed: UInt64(seed))
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("l.sqlite"), access: .createIfMissing)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: try write()
    case 8..<10: try query("UPDATE root SET volume = coalesce(volume, '') || 'x'")
    case 10..<12: try query("PRAGMA wal_checkpoint(PASSIVE)")
    case 12: try query("PRAGMA wal_checkpoint(RESTART)")
    case 13: try query("PRAGMA wal_checkpoint(TRUNCATE)")
    case 14: try checkpointWhileReading()
    case 15: try reopen()
    case 16: try branch()
    case 17: try backUp()
    default: try look()
    }
  }

  private func query(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.file("l.sqlite").displayString)
    try queue.writeWithoutTransaction { _ = try Row.fetchAll($0, sql: sql) }
    try queue.close()
  }

  private mutating func write() throws {
    writeCount += 1
    _ = try store.roots.add(BytePath("/\(writeCount)"), volume: nil)
    history.append("/\(writeCount)")
    let found = Array(try folder.bytes(of: "l.sqlite-wal")[16..<24])
    if found != salts { (salts, baseCount) = (found, history.count - 1) }
  }

  /// A reader lets the checkpoint get only as far as what it sees.
  private mutating func checkpointWhileReading() throws {
    try write()
    let reader = try DatabaseQueue(path: folder.file("l.sqlite").displayString)
    try reader.inDatabase { db in
      try db.beginTransaction(.deferred)
      defer { try? db.rollback() }
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM root")
      try write()
      try query("PRAGMA wal_checkpoint(PASSIVE)")
      try look()
    }
    try reader.close()
  }

  private mutating func look() throws {
    let log = try folder.names().contains("l.sqlite-wal") ? folder.bytes(of: "l.sqlite-wal") : []
    seen.append(
      Moment(
        bytes: try folder.bytes(of: "l.sqlite"), log: log.dropFirst(16).prefix(8).elementsEqual(salts) ? log : [],
        history: history, baseCount: baseCount))
  }

  private mutating func reopen() throws {
    try store.close()
    try look()
    store = try MediaStore(at: folder.file("l.sqlite"), access: .readWrite)
  }

  /// Continues with a copy of some earlier moment, as after a kill; the roots that follow have other names.
  private mutating func branch() throws {
    try look()
    guard let start = seen.randomElement(using: &random) else { return }
    try store.close()
    folder = try TemporaryFolder()
    try folder.write(start.bytes, to: "l.sqlite")
    if !start.log.isEmpty { try folder.write(start.log, to: "l.sqlite-wal") }
    (history, baseCount, salts) = (start.history, start.baseCount, Array(start.log.dropFirst(16).prefix(8)))
    store = try MediaStore(at: folder.file("l.sqlite"), access: .readWrite)
  }

  private mutating func backUp() throws {
    let name = "backup-\(seen.count)"
    _ = try store.backUp(to: folder.file(name), keeping: nil, replacesMore: false)
    seen.append(
      Moment(bytes: try folder.bytes(of: name), log: [], history: history + [name], baseCount: 0))
  }
}
