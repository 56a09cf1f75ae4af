internal import LibraryDatabase
package import MediaModel
package import MediaStore

extension Products {
  /// Which products of some kinds the library itself has of recordings, as a text that changes when one of them is made again. It
  /// becomes part of the name of what is drawn from them.
  package func marks(of kinds: [ProductKind], ofRecordings ids: [Int64]) throws(StoreError) -> [String] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT kind, version, parameters, made_at FROM product WHERE audio_id = ? ORDER BY kind")
      return try ids.map { id in
        try Row.fetchAll(statement, arguments: [id]).compactMap { row in
          guard let kind = try ProductKind(rawValue: row[0]), kinds.contains(kind) else { return nil }
          let (version, parameters, madeAt): (Int, String, Int64) = try (row[1], row[2], row[3])
          return "\(kind.rawValue) \(version) \(parameters) \(madeAt)"
        }.joined(separator: ";")
      }
    }
  }
}
