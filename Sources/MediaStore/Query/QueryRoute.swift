internal import GRDB
internal import MediaModel

/// How the files of a query are come by: what is gone through first, and in which order.
enum QueryRoute {
  /// All files in the order of their paths.
  case paths
  /// All files in any order.
  case files
  /// Those that the search index names.
  case search(String)
  /// Those within a condition on a field that has an index.
  case index(LibraryField, QueryMatch)
  /// All that have a value, in the order of a field that has an index; of sounds within a condition on another one, when
  /// those are few enough to be remembered.
  case sorted(LibraryField, among: (field: LibraryField, match: QueryMatch)?)
  /// Those with given ids.
  ///
  /// - Parameter keepsOrder: Whether it is that of the ids, unless the query has one.
  case given([Int64], keepsOrder: Bool = false)

  /// What ends an order, so that it is total.
  var lastTerms: [String] {
    if case .given(_, keepsOrder: true) = self { ["found.place"] } else { ["file.root_id", "file.path", "file.id"] }
  }

  /// Tables to read from; their outermost one is what the route goes through.
  ///
  /// - Parameter bind: gives the place of an argument.
  func source(_ bind: ((any DatabaseValueConvertible)?) -> String) -> String {
    let root = "CROSS JOIN root ON root.id = file.root_id"
    let sound = """
      LEFT JOIN audio ON audio.id = file.audio_id
      LEFT JOIN measures ON measures.audio_id = file.audio_id
      """
    switch self {
    case .paths: return "file INDEXED BY sqlite_autoindex_file_1 \(root) \(sound)"
    case .files: return "file NOT INDEXED \(root) \(sound)"
    case .search(let match):
      return """
        (SELECT rowid AS id FROM search WHERE search MATCH \(bind(match))) AS found
        CROSS JOIN file ON file.id = found.id \(root) \(sound)
        """
    case .given(let ids, _):
      let list = "[\(ids.map(String.init).joined(separator: ","))]"
      return """
        (SELECT key AS place, value AS id FROM json_each(\(bind(list)))) AS found
        CROSS JOIN file ON file.id = found.id \(root) \(sound)
        """
    case .index(let field, _), .sorted(let field, _):
      // All of the sound before its files: a condition on the one spares looking for the others.
      let index = field.index ?? ""
      switch field.table {
      case "audio":
        return """
          audio INDEXED BY \(index) LEFT JOIN measures ON measures.audio_id = audio.id
          CROSS JOIN file ON file.audio_id = audio.id \(root)
          """
      case "measures":
        return """
          measures INDEXED BY \(index) LEFT JOIN audio ON audio.id = measures.audio_id
          CROSS JOIN file ON file.audio_id = measures.audio_id \(root)
          """
      default: return "file INDEXED BY \(index) \(root) \(sound)"
      }
    }
  }
}

extension LibraryField {
  /// The table whose column it is.
  var table: Substring { sql.prefix { $0 != "." } }

  /// The column of that table that names the sound.
  var soundID: String { table == "audio" ? "audio.id" : "\(table).audio_id" }
}
