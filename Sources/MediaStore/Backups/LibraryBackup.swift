internal import Glibc
internal import GRDB
package import MediaModel

/// A copy of a library that can be put back: a backup, one that an earlier version or a large change left, or any other.
package struct LibraryBackup: Hashable, Sendable {
  package var path: BytePath
  /// Seconds since 1970.
  package var writtenAt: Int64
  package var byteCount: Int64
  package var contents: Contents?
  /// Why it cannot be put back; nil where nothing speaks against it. Only `restore` reads all of it.
  package var problem: String?

  /// What is in one.
  package struct Contents: Hashable, Sendable {
    package var schemaVersion: Int
    package var fileCount: Int
    package var rows: UserRows
  }

  /// Looks at one copy without changing anything: one of an older version is not brought up to date.
  ///
  /// - Returns: nil for what is not there or no regular file.
  init?(at path: BytePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    writtenAt = Int64(status.st_mtim.tv_sec)
    byteCount = Int64(status.st_size)
    do { contents = try Contents(of: path) } catch { problem = Self.reason(error, at: path) }
  }
}

extension LibraryBackup.Contents {
  init(of path: BytePath) throws(StoreError) {
    let file = try LibraryFile(at: path, forWriting: false)
    defer { file.close() }
    do {
      let version = try file.header().schemaVersion
      let location = try LibraryLocation(resting: file)
      self = try DatabaseQueue.withDatabase(at: location.path, isReadOnly: true, isTrusted: false) { queue in
        try queue.read { db in
          let fileCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM file WHERE state <> 'missing'")
          return try Self(schemaVersion: version, fileCount: fileCount ?? 0, rows: UserRows(db))
        }
      }
    } catch {
      throw StoreError(error, at: file)
    }
  }
}

extension LibraryBackup {
  /// An error without the path, which stands beside it.
  private static func reason(_ error: StoreError, at path: BytePath) -> String {
    let (text, prefix) = (error.description, "\(path.displayString): ")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }

  /// A backup and those before it, `path.1`, `path.2` and so on, the newest first.
  ///
  /// - Parameter path: Or of a folder: then all copies of libraries that lie in it.
  /// - Throws: where nothing of that name is there.
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
    guard !backups.isEmpty else { throw .system(ENOENT, "cannot open", at: path) }
    return backups.sorted(by: isNewer)
  }

  /// The copies of libraries that lie beside the one at a path, the newest first.
  package static func all(beside path: BytePath) throws(StoreError) -> [LibraryBackup] {
    let path = try LibraryPath.resolved(path)
    return try all(in: path.folder, except: path.lastComponent)
  }

  private static func all(in folder: BytePath, except library: BytePath?) throws(StoreError) -> [LibraryBackup] {
    try LibraryPath.names(in: folder)
      .filter { $0 != library?.bytes && !LibraryLeftovers.isUnfinished($0) }
      .map { folder.appending(BytePath($0)) }
      .filter(hasHeader)
      .compactMap { LibraryBackup(at: $0) }
      .sorted(by: isNewer)
  }

  /// Whether a file begins as a library does, of this version or of a newer one.
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
