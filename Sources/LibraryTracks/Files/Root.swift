package import Base
internal import Foundation
package import LibraryDatabase
package import MediaStore
internal import UserData

/// A folder that is scanned.
package struct Root: Hashable, Sendable {
  package var id: Int64
  /// Absolute, without a slash at its end (except `/` itself).
  package var path: BytePath
  /// Identity of the file system that it was first seen on. nil after a merge or relocation, until a scan finds its
  /// files.
  package var volume: String?
  /// Seconds since 1970.
  package var addedAt: Int64

  package init(id: Int64, path: BytePath, volume: String?, addedAt: Int64) {
    self.id = id
    self.path = path
    self.volume = volume
    self.addedAt = addedAt
  }

  /// - Parameter row: `id`, `path`, `volume` and `added_at`.
  package init(row: Row) throws {
    try self.init(id: row[0], path: BytePath(row[1] as Data), volume: row[2], addedAt: row[3])
  }
}

/// The folders of a library that are scanned.
package struct Roots {
  package let store: MediaStore
}

extension MediaStore {
  /// Its roots.
  package var roots: Roots { Roots(store: self) }
}

extension Roots {
  /// All roots, in order of their paths.
  package func all() throws(StoreError) -> [Root] {
    try store.read { db in
      try Row.fetchAll(db, sql: "SELECT id, path, volume, added_at FROM root ORDER BY path, id").map(Root.init(row:))
    }
  }

  /// The root that a user means by its path: as it is listed, or relative to the working directory.
  ///
  /// - Throws: ``StoreError/noSuchRoot(_:)``.
  package func root(named path: BytePath) throws(StoreError) -> Root {
    let roots = try all()
    // The path as written comes before the path without symbolic links.
    for candidate in LibraryPath.candidates(for: path, in: nil) {
      if let root = roots.first(where: { $0.path == candidate }) { return root }
    }
    throw .noSuchRoot(path.displayString)
  }
}
