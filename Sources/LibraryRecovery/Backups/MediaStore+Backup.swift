package import Base
internal import Glibc
internal import LibraryDatabase
internal import LibraryTracks
package import MediaStore

extension MediaStore {
  /// Counts the rows that users made.
  package func userRows() throws(StoreError) -> UserRows { try read(UserRows.init) }

  /// The result of ``MediaStore/backUp(to:keeping:replacesMore:)``.
  package struct BackupReport: Hashable, Sendable {
    package var rows: UserRows
    /// What is wrong with the library, and so with the copy.
    package var problems: [LibraryProblem]
  }

  /// Writes a verified copy of the library in its present state, also while a scan runs.
  ///
  /// The file at the path is replaced in one step, after the copy was checked. With `keptCount` it becomes `path.1`
  /// first, that one `path.2`, and so on.
  ///
  /// - Parameters:
  ///   - keptCount: the number of older backups that stay; nil to replace the file and leave all others alone.
  ///   - replacesMore: whether to replace a backup that has more rows that users made, that cannot be read, or that is
  ///     not damaged while this library is.
  /// - Throws: ``StoreError/fewerUserRows(_:_:)`` or ``StoreError/damagedLibrary(_:reason:)``, with nothing changed.
  package func backUp(
    to path: BytePath, keeping keptCount: Int?, replacesMore: Bool
  ) throws(StoreError) -> BackupReport {
    let path = try LibraryPath.resolved(path)
    guard path != library.path else { throw .sameLibrary(path) }
    guard try files.ids(at: [path]) == [nil] else {
      throw .outputExists(path, reason: "it is a music file of the library")
    }
    try LibraryPath.requireOutput(path)
    let isThere = LibraryPath.exists(path)
    // Checked before anything is moved. A folder or device is never replaced, not even if forced.
    if isThere { try LibraryCopy.requireReplaceable(path) }
    if isThere, !replacesMore {
      let losses = try userRows().losses(against: LibraryBackup.Contents(of: path).rows)
      guard losses.isEmpty else { throw .fewerUserRows(path, losses) }
    }
    let olderCount = isThere && keptCount != nil ? try Self.olderCount(path) : 0
    return try copying { db in
      let copy = try LibraryCopy(of: db, for: path)
      let problems = try copy.problems()
      if isThere, !replacesMore, let damage = problems.lazy.compactMap(\.damagedRow).first {
        throw StoreError.damagedLibrary(library.path, reason: damage)
      }
      let keptCount = keptCount ?? 0
      if keptCount > 0 {
        for number in (1..<olderCount + 1).reversed() where number < keptCount {
          try Self.move(Self.older(path, number), to: Self.older(path, number + 1))
        }
      }
      try copy.take(keepingOlderAt: keptCount > 0 ? Self.older(path, 1) : nil)
      for number in stride(from: olderCount, to: keptCount, by: -1) {
        LibraryLeftovers.remove(Self.older(path, number))
      }
      return BackupReport(rows: copy.rows, problems: problems)
    }
  }

  /// The number of older backups: `path.1`, `path.2`, and so on.
  ///
  /// - Throws: if one of these names belongs to something else, which is neither moved nor replaced.
  private static func olderCount(_ path: BytePath) throws(StoreError) -> Int {
    var count = 0
    while LibraryPath.exists(older(path, count + 1)) {
      let file = try LibraryFile(at: older(path, count + 1), forWriting: false)
      defer { file.close() }
      // A backup of a newer version, or a damaged one, counts too.
      do { _ = try file.header() } catch .newerSchema {}
      count += 1
    }
    return count
  }

  private static func older(_ path: BytePath, _ number: Int) -> BytePath {
    BytePath(path.bytes + Array(".\(number)".utf8))
  }

  private static func move(_ path: BytePath, to target: BytePath) throws(StoreError) {
    let code = path.withCString { from in target.withCString { rename(from, $0) } } == 0 ? 0 : errno
    if code != 0, code != ENOENT { throw .system(code, "cannot rename", at: path) }
  }
}
