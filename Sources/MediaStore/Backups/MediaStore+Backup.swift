internal import Glibc
internal import GRDB
package import MediaModel

extension MediaStore {
  /// What users decided, in counts of rows.
  package func userRows() throws(StoreError) -> UserRows { try read(UserRows.init) }

  /// What `backup` wrote.
  package struct BackupReport: Hashable, Sendable {
    package var rows: UserRows
    /// What is wrong with the library, and so with the copy.
    package var problems: [String]
  }

  /// Writes a verified copy of the library as it is at one moment, also while a scan runs.
  ///
  /// What is at the path is replaced at once, after the copy was checked; before that it goes to `path.1`, what is there to
  /// `path.2`, and so on.
  ///
  /// - Parameters:
  ///   - keptCount: How many older ones stay; nil where the copy is none of a row, and older ones are nobody's business.
  ///   - replacesMore: Whether one goes that has more of what users decided, or that cannot be read, or is not damaged as
  ///     this library is.
  /// - Throws: ``StoreError/fewerUserRows(_:_:)``, ``StoreError/damagedLibrary(_:reason:)``, with nothing changed.
  package func backUp(
    to path: BytePath, keeping keptCount: Int?, replacesMore: Bool
  ) throws(StoreError) -> BackupReport {
    let path = try LibraryPath.resolved(path)
    guard path != library.path else { throw .inputOutput(path, reason: "this is the library itself") }
    guard try fileIDs(at: [path]) == [nil] else { throw .inputOutput(path, reason: "this is music of the library") }
    let isThere = LibraryPath.exists(path)
    // Before anything is moved. Never a folder or a device, whatever is forced.
    if isThere { try LibraryCopy.requireReplaceable(path) }
    if isThere, !replacesMore {
      let losses = try userRows().losses(against: LibraryBackup.Contents(of: path).rows)
      guard losses.isEmpty else { throw .fewerUserRows(path, losses) }
    }
    let olderCount = isThere && keptCount != nil ? try Self.olderCount(path) : 0
    return try copying { db in
      let copy = try LibraryCopy(of: db, for: path)
      if isThere, !replacesMore, let damage = copy.damage.first {
        throw StoreError.damagedLibrary(path, reason: damage)
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
      return BackupReport(rows: copy.rows, problems: copy.allProblems)
    }
  }

  /// How many older backups there are in a row: `path.1`, `path.2`, and so on.
  ///
  /// - Throws: where one of these names belongs to something else, which is neither moved nor replaced.
  private static func olderCount(_ path: BytePath) throws(StoreError) -> Int {
    var count = 0
    while LibraryPath.exists(older(path, count + 1)) {
      let file = try LibraryFile(at: older(path, count + 1), forWriting: false)
      defer { file.close() }
      // One of a newer version, or a damaged one, was a backup, too.
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

  /// Puts a verified copy at a path where nothing is.
  func copy(to path: BytePath) throws(StoreError) {
    try copying { try LibraryCopy(of: $0, for: path).take(keepingOlderAt: nil) }
  }

  private func copying<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.writeWithoutTransaction(body) } catch { throw StoreError(error, at: library) }
  }

  /// Keeps a library beside itself as it is before its schema changes: `library.sqlite.schema-3`.
  ///
  /// One from another time that has more of what users decided stays; then it is `library.sqlite.schema-3-2`, and so on.
  ///
  /// - Returns: Where it is kept.
  func keepBeforeMigration(from version: Int, _ db: Database) throws -> BytePath {
    let rows = try UserRows(db)
    func isFree(_ path: BytePath) -> Bool {
      guard LibraryPath.exists(path) else { return true }
      guard let kept = try? LibraryBackup.Contents(of: path) else { return false }
      return rows.losses(against: kept.rows).isEmpty
    }
    let first = BytePath(library.path.bytes + Array(".schema-\(version)".utf8))
    var (path, number) = (first, 1)
    while !isFree(path) {
      number += 1
      path = BytePath(first.bytes + Array("-\(number)".utf8))
    }
    try LibraryCopy(of: db, for: path).take(keepingOlderAt: nil)
    return path
  }
}
