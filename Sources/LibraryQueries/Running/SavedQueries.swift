package import MediaStore
internal import QueryLanguage
package import UserData

/// Lists that are queries, and attributes that queries ask for.
extension Lists {
  /// Saves a query under a name.
  ///
  /// - Parameter replaces: whether a list of that name is replaced.
  /// - Throws: ``QueryError``, also for a query that would refer to itself, ``StoreError``.
  package func save(_ name: String, query: String, replaces: Bool = true) throws {
    let known = try store.read { try Self.listID(name, of: store.personID, $0) }
    _ = try store.query(
      query, savedAs: SavedList(id: known ?? 0, name: name, query: query, entryCount: 0, changedAt: store.now))
    try save(name, checkedQuery: query, replaces: replaces)
  }

  /// The present files of a playlist, one for each entry, in its order; those of a query as it finds them.
  package func fileIDs(of playlist: PersonList) throws -> [Int64] {
    guard let text = playlist.query else { return try presentFileIDs(ofList: playlist.id) }
    return try store.fileIDs(of: try store.query(text), limit: 50_000)
  }

  /// How many entries ``fileIDs(of:)`` has, and how long they are together.
  package func size(of playlist: PersonList) throws -> (fileCount: Int, durationInSeconds: Double) {
    guard playlist.query != nil else { return try presentSize(ofList: playlist.id) }
    let files = try fileIDs(of: playlist)
    return (files.count, try store.duration(ofFiles: files))
  }
}

extension Attributes {
  /// Gives recordings an attribute, or removes it: see ``set(_:to:ofRecordings:by:)`` with an ``AttributeName``.
  package func set(
    _ name: String, to value: String?, ofRecordings ids: [Int64], by personID: Int64? = nil
  ) throws(StoreError) -> Int {
    try set(AttributeName(name), to: value, ofRecordings: ids, by: personID)
  }
}

extension AttributeName {
  /// - Throws: ``StoreError/invalidAttribute(reason:)``, also for the name of a field.
  package init(_ name: String) throws(StoreError) {
    try self.init(name) { LibraryField.named($0) != nil }
  }
}
