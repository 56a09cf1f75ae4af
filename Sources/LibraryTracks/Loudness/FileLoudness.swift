package import Base
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// What a player needs to know of the loudness of a file.
package struct FileLoudness: Hashable, Sendable {
  package var fileID: Int64
  package var path: BytePath
  package var container: Container
  package var codec: Codec?
  /// Integrated loudness in LUFS; nil if it was not decoded, is too short or too quiet.
  package var loudnessInLUFS: Double?
  package var truePeakInDBTP: Double?
  /// nil if the tags name no album.
  package var album: AlbumLoudness?
}

extension Files {
  /// The loudness of each file that a query finds and that is not missing, and of its edition of the album, in the
  /// query's order.
  package func loudness(of query: Query) throws(StoreError) -> [FileLoudness] {
    let fields = [
      QueryField("path", .path), QueryField("file", .integer), QueryField("album", .text),
      QueryField("container", .text), QueryField("codec", .text), QueryField("lufs", .real),
      QueryField("truepeak", .real),
    ]
    var found: [(file: FileLoudness, id: Int64, album: String?)] = []
    try store.read { db in
      let path = QueryCompiler(try QueryContext(db)).column(fields[0])
      // Files of one edition have the same key; what separates its parts is in no tag.
      let columns = """
        \(path), file.id,
        CASE WHEN \(AlbumSQL.column("TRUE")) THEN file.album_id || char(31) || \(AlbumSQL.edition()) END,
        file.container, stream.codec, measures.loudness_lufs, measures.true_peak_dbtp
        """
      let isPresent = QueryCondition.not(.test(QueryField("state", .text), .oneOf([FileState.missing.rawValue])))
      var query = query
      query.condition = query.condition.map { .all([$0, isPresent]) } ?? isPresent
      let plan = try QueryPlan(query, columns: columns, fields: fields, limit: nil, in: db)
      try plan.withFunctions(db) {
        try plan.run(db) { row in
          let values = row.values
          guard case .path(let path) = values[0], case .integer(let id) = values[1] else { return }
          found.append(
            (
              FileLoudness(
                fileID: id, path: path, container: Container(rawValue: values[3].text ?? ""),
                codec: values[4].text.map(Codec.init), loudnessInLUFS: values[5].real, truePeakInDBTP: values[6].real),
              id, values[2].text
            ))
        }
      }
    }
    var albums: [String: AlbumLoudness?] = [:]
    return try found.map { row throws(StoreError) in
      var file = row.file
      guard let key = row.album else { return file }
      if albums[key] == nil { albums[key] = .some(try albumLoudness(ofFile: row.id)) }
      file.album = albums[key] ?? nil
      return file
    }
  }
}

extension FieldValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var real: Double? { if case .real(let number) = self { number } else { nil } }
}
