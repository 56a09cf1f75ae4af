internal import GRDB
internal import Glibc
package import MediaModel

extension MediaStore {
  /// What users decided, in counts of rows.
  package func userRows() throws(StoreError) -> UserRows { try read(UserRows.init) }

  /// Writes a verified copy of the library as it is at one moment, also while a scan runs.
  ///
  /// What is at the path is replaced at once, after the copy was checked; before that it goes to `path.1`, what is there to
  /// `path.2`, and so on.
  ///
  /// - Parameters:
  ///   - keptCount: How many older ones stay.
  ///   - replacesMore: Whether one goes that has more of what users decided, or that cannot be read.
  /// - Throws: ``StoreError/fewerUserRows(_:_:)``, with nothing changed.
  package func backUp(to path: BytePath, keeping keptCount: Int, replacesMore: Bool) throws(StoreError) -> UserRows {
    let path = try LibraryPath.resolved(path)
    guard path != library.path else { throw .inputOutput(path, reason: "this is the library itself") }
    let rows = try userRows()
    if !replacesMore, LibraryCopy.exists(path) {
      let losses = rows.losses(against: try Self.userRows(at: path))
      guard losses.isEmpty else { throw .fewerUserRows(path, losses) }
    }
    try copying(at: path) { db in
      let copy = try LibraryCopy(of: db, for: path)
      for number in (1..<max(1, keptCount)).reversed() {
        try Self.move(Self.older(path, number), to: Self.older(path, number + 1))
      }
      try copy.take(keepingOlderAt: keptCount > 0 ? Self.older(path, 1) : nil)
    }
    return rows
  }

  private static func userRows(at path: BytePath) throws(StoreError) -> UserRows {
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    return try store.userRows()
  }

  private static func older(_ path: BytePath, _ number: Int) -> BytePath {
    BytePath(path.bytes + Array(".\(number)".utf8))
  }

  private static func move(_ path: BytePath, to target: BytePath) throws(StoreError) {
    let code = path.withCString { from in target.withCString { rename(from, $0) } } == 0 ? 0 : errno
    if code != 0, code != ENOENT { throw .system(code, "cannot rename", at: path) }
  }

  /// Puts a verified copy at a path where nothing is that is worth keeping, or keeps that under another name.
  func copy(to path: BytePath, keepingOlderAt older: BytePath?) throws(StoreError) {
    try copying(at: path) { try LibraryCopy(of: $0, for: path).take(keepingOlderAt: older) }
  }

  private func copying(at path: BytePath, _ body: (Database) throws -> Void) throws(StoreError) {
    do { try connection.writeWithoutTransaction(body) } catch { throw StoreError(error, at: library) }
  }

  /// Keeps a library beside itself as it is before its schema changes: `library.sqlite.schema-3`.
  func keepBeforeMigration(from version: Int, _ db: Database) throws {
    let path = BytePath(library.path.bytes + Array(".schema-\(version)".utf8))
    try LibraryCopy(of: db, for: path).take(keepingOlderAt: nil)
  }
}
