internal import GRDB
package import MediaModel

extension MediaStore {
  /// The files at absolute paths, found through the paths' index; nil where the library has none.
  ///
  /// A path is tried as it is, then with its folder's symbolic links resolved.
  package func fileIDs(at paths: [BytePath], workingDirectory: BytePath? = nil) throws(StoreError) -> [Int64?] {
    let roots = try roots()
    return try read { db in
      let statement = try db.makeStatement(sql: "SELECT id FROM file WHERE root_id = ? AND path = ?")
      return try paths.map { path in
        for candidate in LibraryPath.candidates(for: path, in: workingDirectory) {
          for root in roots where candidate.isBelowOrEqual(to: root.path) && root.path != candidate {
            let found = try Int64.fetchOne(
              statement, arguments: [root.id, candidate.relative(to: root.path).data])
            if let found { return found }
          }
        }
        return nil
      }
    }
  }

  /// Whether a path names a file that SQLite keeps beside a library, be it there or not.
  package static func isCompanion(_ path: BytePath, ofLibraryAt library: BytePath) -> Bool {
    guard let path = try? LibraryPath.resolved(path), let library = try? LibraryPath.resolved(library) else {
      return false
    }
    return ["-wal", "-shm", "-journal"].contains { path.bytes == library.bytes + Array($0.utf8) }
  }
}
