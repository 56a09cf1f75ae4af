package import Base
internal import Foundation
internal import LibraryDatabase
package import LibraryTracks
internal import MediaModel
package import MediaStore
internal import UserData

extension Roots {
  /// Adds a folder by its absolute path; returns the existing root if it is one already.
  ///
  /// - Throws: ``StoreError/overlappingRoots(_:existing:)`` if it lies in a root, or contains one.
  package func add(_ path: BytePath, volume: String?) throws(StoreError) -> Root {
    let path = path.withoutTrailingSlashes
    return try store.write(.durable) { db in
      let all = try Row.fetchAll(db, sql: "SELECT id, path, volume, added_at FROM root").map(Root.init(row:))
      if let known = all.first(where: { $0.path == path }) { return known }
      try requireApart(path, from: all)
      let addedAt = store.now
      try db.execute(
        sql: "INSERT INTO root (path, path_text, volume, added_at) VALUES (:path, :text, :volume, :added)",
        arguments: ["path": path.data, "text": path.displayString, "volume": volume, "added": addedAt])
      return Root(id: db.lastInsertedRowID, path: path, volume: volume, addedAt: addedAt)
    }
  }

  /// Adds a folder that contains roots: their files become its own, with longer paths, and keep their rows.
  ///
  /// All in one transaction. If it contains none, this is ``add(_:volume:)``.
  ///
  /// - Parameter isScanning: Whether the caller has the right to scan.
  /// - Returns: the new root, and those that were taken over.
  /// - Throws: ``StoreError/overlappingRoots(_:existing:)`` if it lies in a root.
  package func takeOver(
    in folder: BytePath, volume: String?, isScanning: Bool
  ) throws(StoreError) -> (root: Root, taken: [Root]) {
    let path = folder.withoutTrailingSlashes
    if !isScanning { try store.lockForScanning() }
    defer { if !isScanning { store.library.unlock(.scan) } }
    let inner = try all().filter { $0.path != path && $0.path.isBelowOrEqual(to: path) }
    guard !inner.isEmpty else { return (try add(path, volume: volume), []) }
    let root = try store.write(.durable) { db in
      let others = try Row.fetchAll(db, sql: "SELECT id, path, volume, added_at FROM root").map(Root.init(row:))
      try requireApart(path, from: others.filter { !inner.contains($0) })
      let addedAt = inner.map(\.addedAt).min() ?? store.now
      try db.execute(
        sql: "INSERT INTO root (path, path_text, volume, added_at) VALUES (:path, :text, :volume, :added)",
        arguments: ["path": path.data, "text": path.displayString, "volume": volume, "added": addedAt])
      let root = Root(id: db.lastInsertedRowID, path: path, volume: volume, addedAt: addedAt)
      for old in inner {
        try Self.moveFiles(of: old, to: root, db)
        try FolderPicture.moveAll(ofRoot: old.id, to: root.id, below: old.path.relative(to: root.path), db)
        try db.execute(sql: "DELETE FROM root WHERE id = ?", arguments: [old.id])
      }
      return root
    }
    return (root, inner)
  }

  private static func moveFiles(of old: Root, to root: Root, _ db: Database) throws {
    let prefix = old.path.relative(to: root.path)
    for id in try Int64.fetchAll(db, sql: "SELECT id FROM file WHERE root_id = ?", arguments: [old.id]) {
      let row = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT path, search_more FROM file WHERE id = ?"), arguments: [id])
      guard let row else { continue }
      let path = prefix.appending(try BytePath(row[0] as Data))
      try db.cachedStatement(
        sql: "UPDATE file SET root_id = :root, path = :path, path_text = :text, search_more = :more WHERE id = :id"
      ).execute(arguments: [
        "root": root.id, "path": path.data, "text": path.displayString, "id": id,
        "more": SearchText.more(try row[1], movedTo: path),
      ])
    }
  }

  /// Deletes the files of a root, and then the root; their recordings stay. Others can write meanwhile. If it is
  /// stopped, the root has fewer files, which the next scan finds again.
  ///
  /// - Returns: the number of deleted files.
  @discardableResult
  package func remove(_ id: Int64) throws(StoreError) -> Int {
    // A scan holds the roots in memory.
    try store.lockForScanning()
    defer { store.library.unlock(.scan) }
    let files = try store.read { try Int64.fetchAll($0, sql: "SELECT id FROM file WHERE root_id = ?", arguments: [id]) }
    try delete(files)
    try store.write(.durable) { db in
      try db.execute(sql: "DELETE FROM root WHERE id = :id", arguments: ["id": id])
      guard db.changesCount > 0 else { throw StoreError.noSuchRoot("\(id)") }
    }
    return files.count
  }

  /// Deletes the files of a folder in a root, as ``remove(_:)`` does those of all of it.
  ///
  /// - Parameter folder: Relative to the root.
  /// - Returns: the number of deleted files.
  @discardableResult
  package func forget(_ folder: BytePath, inRoot id: Int64) throws(StoreError) -> Int {
    try store.lockForScanning()
    defer { store.library.unlock(.scan) }
    let prefix = BytePath(folder.bytes + [UInt8(ascii: "/")])
    let files = try store.read { db in
      try Int64.fetchAll(
        db,
        sql: "SELECT id FROM file WHERE root_id = :root AND (path = :folder OR substr(path, 1, :count) = :prefix)",
        arguments: ["root": id, "folder": folder.data, "count": prefix.bytes.count, "prefix": prefix.data])
    }
    try delete(files)
    return files.count
  }

  /// In parts, between which others can write.
  private func delete(_ files: [Int64]) throws(StoreError) {
    for part in try store.parts(ofFiles: files) {
      try store.writePart(.batch) { db in
        var writer = ChangeWriter(db, now: store.now)
        try writer.deleteFiles(part)
      }
    }
  }

  /// Changes the path of a root; its files keep everything. The volume is nil, and the device of each file unknown,
  /// until a scan finds them.
  package func relocate(_ id: Int64, to newPath: BytePath) throws(StoreError) {
    let path = newPath.withoutTrailingSlashes
    try store.lockForScanning()
    defer { store.library.unlock(.scan) }
    try store.write(.durable) { db in
      let others = try Row.fetchAll(
        db, sql: "SELECT id, path, volume, added_at FROM root WHERE id <> ?", arguments: [id])
      try requireApart(path, from: others.map(Root.init(row:)))
      try db.execute(
        sql: "UPDATE root SET path = :path, path_text = :text, volume = NULL WHERE id = :id",
        arguments: ["id": id, "path": path.data, "text": path.displayString])
      guard db.changesCount > 0 else { throw StoreError.noSuchRoot("\(id)") }
      try db.execute(
        sql: "UPDATE file SET device = ? WHERE root_id = ?",
        arguments: [Int64(bitPattern: FileStatus.unknownDevice), id])
    }
  }

  /// Replaces stored device numbers of a root's files by the present ones.
  package func renumberDevices(_ numbers: [UInt64: UInt64], inRoot id: Int64) throws(StoreError) {
    let renewed = numbers.filter { $0.key != $0.value }
    guard !renewed.isEmpty else { return }
    let (old, new) = (renewed.map { Int64(bitPattern: $0.key) }, renewed.map { Int64(bitPattern: $0.value) })
    // All in one statement, because two disks may have swapped their numbers.
    let cases = repeatElement("WHEN ? THEN ?", count: old.count).joined(separator: " ")
    let places = repeatElement("?", count: old.count).joined(separator: ", ")
    try store.write(.batch) { db in
      try db.execute(
        sql: "UPDATE file SET device = CASE device \(cases) END WHERE root_id = ? AND device IN (\(places))",
        arguments: StatementArguments(zip(old, new).flatMap { [$0, $1] } + [id] + old))
    }
  }

  /// Records the file system of a root.
  package func setVolume(_ volume: String?, ofRoot id: Int64) throws(StoreError) {
    try store.write(.batch) { db in
      try db.execute(sql: "UPDATE root SET volume = ? WHERE id = ?", arguments: [volume, id])
    }
  }

  private func requireApart(_ path: BytePath, from roots: [Root]) throws(StoreError) {
    for root in roots where path.isBelowOrEqual(to: root.path) || root.path.isBelowOrEqual(to: path) {
      throw .overlappingRoots(path, existing: root.path)
    }
  }
}
