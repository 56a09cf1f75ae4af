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
      try WriteAheadLogOwnership.requireOwnLog(of: library)
      let copy = try DatabaseQueue.withDatabase(
        at: location.path, isReadOnly: location.isReadOnly, isTrusted: false
      ) { queue in
        try queue.writeWithoutTransaction { db in
          // The header may be older than what a log holds.
          let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          guard version <= Migrations.currentVersion else {
            throw StoreError.newerSchema(library.path, found: version, supported: Migrations.currentVersion)
          }
          if let reason = try LibraryCheck.integrityProblems(db, atMost: 1).first {
            throw StoreError.corrupt(library.path, reason: reason)
          }
          return try LibraryCopy(of: db, for: target)
        }
      }
      try copy.bringUpToDate()
      return copy
    } catch {
      throw StoreError(error, at: library)
    }
  }
}
