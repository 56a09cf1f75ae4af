internal import Foundation
internal import GRDB
internal import MediaModel

extension MergeWriter {
  /// Where the files of a root of the other library belong.
  struct Place {
    var rootID: Int64
    /// Of the root here.
    var rootPath: BytePath
    /// What comes before their paths.
    var prefix: BytePath
  }

  /// Adds roots that are new; one that lies in another, or holds others, becomes one with them.
  func mergeRoots() throws {
    var places: [Int64: Place] = [:]
    for row in try rows.all("SELECT id, path, added_at FROM root ORDER BY path, id") {
      try places[row[0]] = place(options.mappings.path(of: BytePath(row[1] as Data)), addedAt: row[2])
    }
    // A later root may have taken in an earlier one.
    let own = try roots()
    for (id, place) in places where !own.contains(where: { $0.id == place.rootID }) {
      let path = place.rootPath.appending(place.prefix)
      guard let root = own.first(where: { path.isBelowOrEqual(to: $0.path) }) else { continue }
      places[id] = Place(rootID: root.id, rootPath: root.path, prefix: path.relative(to: root.path))
    }
    progress.places = places
  }

  private func place(_ path: BytePath, addedAt: Int64) throws -> Place {
    let own = try roots()
    if let root = own.first(where: { path.isBelowOrEqual(to: $0.path) }) {
      progress.report.roots.same += 1
      return Place(rootID: root.id, rootPath: root.path, prefix: path.relative(to: root.path))
    }
    // No volume: that of another machine says nothing here, and the scan that finds its files notes its own.
    try run(
      "INSERT INTO root (path, path_text, volume, added_at) VALUES (?, ?, NULL, ?)",
      [path.data, path.displayString, addedAt])
    let id = db.lastInsertedRowID
    for root in own where root.path.isBelowOrEqual(to: path) {
      try moveFiles(of: root.id, to: id, below: root.path.relative(to: path))
      try run("DELETE FROM root WHERE id = ?", [root.id])
    }
    progress.report.roots.added += 1
    return Place(rootID: id, rootPath: path, prefix: BytePath(""))
  }

  private func roots() throws -> [(id: Int64, path: BytePath)] {
    try Row.fetchAll(db, sql: "SELECT id, path FROM root ORDER BY path, id").map {
      try ($0[0], BytePath($0[1] as Data))
    }
  }

  /// The root of the files now lies in another one, as `folder`.
  private func moveFiles(of rootID: Int64, to other: Int64, below folder: BytePath) throws {
    let ids = try Int64.fetchAll(db, sql: "SELECT id FROM file WHERE root_id = ?", arguments: [rootID])
    for id in ids {
      guard let row = try first("SELECT path, search_more FROM file WHERE id = ?", [id]) else { continue }
      let path = try folder.appending(BytePath(row[0] as Data))
      try run(
        "UPDATE file SET root_id = ?, path = ?, path_text = ?, search_more = ? WHERE id = ?",
        [other, path.data, path.displayString, SearchText.more(row[1], movedTo: path), id])
    }
  }
}
