package import Base
internal import Glibc
internal import LibraryDatabase

/// A copy of a library that can be restored: a backup, a copy that was kept before a migration, merge or restore, or
/// any other.
package struct LibraryBackup: Hashable, Sendable {
  package var path: BytePath
  /// Seconds since 1970.
  package var writtenAt: Int64
  package var byteCount: Int64
  package var contents: Contents?
  /// Why it cannot be restored, as far as a quick look shows: only `restore` reads all of it.
  package var problem: StoreError?

  /// The contents of a copy.
  package struct Contents: Hashable, Sendable {
    package var schemaVersion: Int
    package var fileCount: Int
    package var rows: UserRows
    /// When its roots were added, in seconds since 1970: a copy keeps them, even if a root is relocated.
    var rootMoments: Set<Int64> = []
  }

  /// Reads one copy without changing it: one of an older version is not migrated.
  ///
  /// - Returns: nil if there is no regular file at the path.
  package init?(at path: BytePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    writtenAt = Int64(status.st_mtim.tv_sec)
    byteCount = Int64(status.st_size)
    do { contents = try Contents(of: path) } catch { problem = error }
  }
}

extension LibraryBackup.Contents {
  package init(of path: BytePath) throws(StoreError) {
    let file = try LibraryFile(at: path, forWriting: false)
    defer { file.close() }
    do {
      let version = try file.header().schemaVersion
      try ForeignWAL.refuse(beside: file)
      let location = try LibraryLocation(resting: file)
      self = try DatabaseQueue.withDatabase(at: location.path, isReadOnly: true, isTrusted: false) { queue in
        try queue.read { db in
          let fileCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM file WHERE state <> 'missing'")
          return try Self(
            schemaVersion: version, fileCount: fileCount ?? 0, rows: UserRows(db),
            rootMoments: Set(Int64.fetchAll(db, sql: "SELECT added_at FROM root")))
        }
      }
    } catch {
      throw StoreError(error, at: file)
    }
  }
}

extension LibraryBackup {
  /// A backup and the older ones, `path.1`, `path.2` and so on, newest first.
  ///
  /// - Parameter path: a backup, or a folder for all copies of libraries in it.
  /// - Throws: if there is no such file.
  package static func all(of path: BytePath) throws(StoreError) -> [LibraryBackup] {
    let path = try LibraryPath.resolved(path)
    var status = stat()
    let isFolder = path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    if isFolder { return try all(in: path, except: nil) }
    let (folder, name) = (path.folder, path.lastComponent.bytes)
    let found = try LibraryPath.names(in: folder).filter { other in
      guard other.count > name.count + 1, other.starts(with: name + [UInt8(ascii: ".")]) else { return other == name }
      return other.dropFirst(name.count + 1).allSatisfy { (0x30...0x39).contains($0) }
    }
    let backups = found.compactMap { LibraryBackup(at: folder.appending(BytePath($0))) }
    guard !backups.isEmpty else { throw .noSuchFile(path) }
    return backups.sorted(by: isNewer)
  }

  /// All copies of a library in its folder, newest first: files that have its name and more, and those that hold a root
  /// which was added at the same moment. If the library cannot be read, all libraries there.
  package static func all(beside path: BytePath) throws(StoreError) -> [LibraryBackup] {
    let path = try LibraryPath.resolved(path)
    let name = path.lastComponent.bytes + [UInt8(ascii: ".")]
    let all = try all(in: path.folder, except: path.lastComponent)
    guard let library = LibraryBackup(at: path)?.contents else { return all }
    return all.filter { backup in
      backup.path.lastComponent.bytes.starts(with: name)
        || !library.rootMoments.isDisjoint(with: backup.contents?.rootMoments ?? [])
    }
  }

  private static func all(in folder: BytePath, except library: BytePath?) throws(StoreError) -> [LibraryBackup] {
    try LibraryPath.names(in: folder)
      .filter { $0 != library?.bytes }
      .map { folder.appending(BytePath($0)) }
      .filter(hasHeader)
      .compactMap { LibraryBackup(at: $0) }
      .sorted(by: isNewer)
  }

  /// Whether a file has the header of a library, of this version or a newer one.
  private static func hasHeader(_ path: BytePath) -> Bool {
    guard let file = try? LibraryFile(at: path, forWriting: false) else { return false }
    defer { file.close() }
    do { _ = try file.header() } catch .newerSchema { return true } catch { return false }
    return true
  }

  private static func isNewer(_ first: LibraryBackup, _ second: LibraryBackup) -> Bool {
    (second.writtenAt, first.path) < (first.writtenAt, second.path)
  }
}
