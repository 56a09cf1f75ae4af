internal import GRDB
internal import MediaModel

extension LibraryCopy {
  /// A copy of a whole library of this version or an older one, with the schema of today.
  ///
  /// - Parameter location: How the library is to be opened; it stays as it is.
  static func upToDate(
    of library: LibraryFile, at location: LibraryLocation, for target: BytePath
  ) throws(StoreError) -> LibraryCopy {
    do {
      _ = try library.header()
      try LogKinship.requireOwnLog(of: library)
      var configuration = Configuration()
      configuration.readonly = location.isReadOnly
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA trusted_schema = OFF") }
      let queue = try DatabaseQueue(path: location.path, configuration: configuration)
      defer { queue.keepWithoutThreads() }
      let copy = try queue.writeWithoutTransaction { db in
        // The header may be older than what a log holds.
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Migrations.currentVersion else {
          throw StoreError.newerSchema(library.path, found: version, supported: Migrations.currentVersion)
        }
        let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(1)")
        guard lines == ["ok"] else { throw StoreError.corrupt(library.path, reason: lines.first ?? "not checked") }
        return try LibraryCopy(of: db, for: target)
      }
      try queue.close()
      try copy.bringUpToDate()
      return copy
    } catch {
      throw StoreError(error, at: library)
    }
  }
}
