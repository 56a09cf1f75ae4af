internal import Base
internal import LibraryDatabase

/// Creates a new, empty library in one step: other processes see none or a complete one.
enum LibraryBuilder {
  /// Builds a library beside `path` and links it into place. If another process was faster, its library stays.
  ///
  /// Missing folders are created with mode 0700; the file has 0600.
  static func create(at path: BytePath) throws(StoreError) {
    try LibraryPath.makeFolders(for: path)
    let temporary = try LibraryLeftovers.reserve(for: path)
    defer { LibraryLeftovers.remove(temporary) }
    try build(at: temporary, for: path)
    if try LibraryPath.link(temporary, to: path) { try LibraryPath.synchronizeFolder(of: path) }
  }

  private static func build(at temporary: BytePath, for path: BytePath) throws(StoreError) {
    let library = try LibraryFile(at: temporary)
    defer { library.close() }
    // Marks the file as being worked on, until this process ends.
    _ = try library.tryLock(.scan)
    do {
      try DatabaseQueue.withDatabase(at: library.pathForSQLite) { queue in
        try queue.writeWithoutTransaction { db in
          // Nobody sees the file before it is complete and synchronized, so no statement needs to be durable by itself.
          try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
          // Settings of the whole file must come before the first table, outside of a transaction.
          try db.execute(sql: LibrarySchema.script)
          try db.execute(sql: "PRAGMA journal_mode = \(library.journalMode)")
        }
      }
    } catch {
      throw StoreError(error, at: library).naming(path)
    }
    try library.synchronize()
  }
}

/// The text of `schema.sql`: what makes the tables of a new library.
package enum LibrarySchema {
  package static let script = String(decoding: PackageResources.schema_sql, as: UTF8.self)
}
