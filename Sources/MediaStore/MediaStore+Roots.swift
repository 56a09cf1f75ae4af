internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// All roots, in order of their paths.
  package func roots() throws(StoreError) -> [Root] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT id, path, volume, added_at FROM root ORDER BY path, id").map(Self.root)
    }
  }

  /// The root that a user means by its path: as it is listed, or as it is found from the working directory.
  ///
  /// - Throws: ``StoreError/noSuchRoot(_:)``.
  package func root(named path: BytePath) throws(StoreError) -> Root {
    let roots = try roots()
    // As written before where links lead.
    for candidate in LibraryPath.candidates(for: path, in: nil) {
      if let root = roots.first(where: { $0.path == candidate }) { return root }
    }
    throw .noSuchRoot(path.displayString)
  }

  /// Adds a folder by its absolute path; one that is a root already is given back as it is.
  ///
  /// - Throws: ``StoreError/overlappingRoots(_:existing:)`` if it lies in a root, or a root in it.
  package func addRoot(path: BytePath, volume: String?) throws(StoreError) -> Root {
    let path = path.withoutTrailingSlashes
    return try write(.durable) { db in
      let all = try Row.fetchAll(db, sql: "SELECT id, path, volume, added_at FROM root").map(Self.root)
      if let known = all.first(where: { $0.path == path }) { return known }
      try requireApart(path, from: all)
      let addedAt = now
      try db.execute(
        sql: "INSERT INTO root (path, path_text, volume, added_at) VALUES (:path, :text, :volume, :added)",
        arguments: ["path": path.data, "text": path.displayString, "volume": volume, "added": addedAt])
      return Root(id: db.lastInsertedRowID, path: path, volume: volume, addedAt: addedAt)
    }
  }

  /// Forgets the files below a root, and then the root; what is known about their sound stays. Others can write meanwhile;
  /// whoever is stopped has a root with fewer files, which the next scan finds again.
  ///
  /// - Returns: How many files are forgotten.
  @discardableResult
  package func removeRoot(id: Int64) throws(StoreError) -> Int {
    // A scan remembers the roots that it began with.
    try lockForScanning()
    defer { library.unlock(.scan) }
    let files = try read { try Int64.fetchAll($0, sql: "SELECT id FROM file WHERE root_id = ?", arguments: [id]) }
    for part in Self.parts(of: files) {
      try writePart(.batch) { db in
        var writer = ChangeWriter(db, now: now)
        try writer.deleteFiles(part)
      }
    }
    try write(.durable) { db in
      try db.execute(sql: "DELETE FROM root WHERE id = :id", arguments: ["id": id])
      guard db.changesCount > 0 else { throw StoreError.noSuchRoot("\(id)") }
    }
    return files.count
  }

  /// Says that a root now lies elsewhere; its files keep everything. Its volume is nil until a scan finds some of them,
  /// and the disk of each is unknown until that one is found.
  package func relocateRoot(id: Int64, to newPath: BytePath) throws(StoreError) {
    let path = newPath.withoutTrailingSlashes
    try lockForScanning()
    defer { library.unlock(.scan) }
    try write(.durable) { db in
      let others = try Row.fetchAll(
        db, sql: "SELECT id, path, volume, added_at FROM root WHERE id <> ?", arguments: [id])
      try requireApart(path, from: others.map(Self.root))
      try db.execute(
        sql: "UPDATE root SET path = :path, path_text = :text, volume = NULL WHERE id = :id",
        arguments: ["id": id, "path": path.data, "text": path.displayString])
      guard db.changesCount > 0 else { throw StoreError.noSuchRoot("\(id)") }
      try db.execute(
        sql: "UPDATE file SET device = ? WHERE root_id = ?",
        arguments: [Int64(bitPattern: FileStatus.unknownDevice), id])
    }
  }

  /// Takes the numbers that disks have today for those that are stored with the files of a root.
  package func renumberDevices(_ numbers: [UInt64: UInt64], inRoot id: Int64) throws(StoreError) {
    let renewed = numbers.filter { $0.key != $0.value }
    guard !renewed.isEmpty else { return }
    let (old, new) = (renewed.map { Int64(bitPattern: $0.key) }, renewed.map { Int64(bitPattern: $0.value) })
    // All in one statement: two disks may have changed their numbers with each other.
    let cases = repeatElement("WHEN ? THEN ?", count: old.count).joined(separator: " ")
    let places = repeatElement("?", count: old.count).joined(separator: ", ")
    try write(.batch) { db in
      try db.execute(
        sql: "UPDATE file SET device = CASE device \(cases) END WHERE root_id = ? AND device IN (\(places))",
        arguments: StatementArguments(zip(old, new).flatMap { [$0, $1] } + [id] + old))
    }
  }

  /// Records the file system that a root lies on.
  package func setVolume(_ volume: String?, ofRoot id: Int64) throws(StoreError) {
    try write(.batch) { db in
      try db.execute(sql: "UPDATE root SET volume = ? WHERE id = ?", arguments: [volume, id])
    }
  }

  private func requireApart(_ path: BytePath, from roots: [Root]) throws(StoreError) {
    for root in roots where path.isBelowOrEqual(to: root.path) || root.path.isBelowOrEqual(to: path) {
      throw .overlappingRoots(path, existing: root.path)
    }
  }

  private static func root(_ row: Row) throws -> Root {
    try Root(id: row[0], path: BytePath(row[1] as Data), volume: row[2], addedAt: row[3])
  }
}
