package import Base
package import LibraryQueries
package import MediaExchange
package import QueryLanguage

/// The fields of a file that a playlist uses.
package struct PlaylistRow {
  package static let fields: [QueryField] = [
    .id, QueryField("path", .path), QueryField("title", .text), QueryField("artist", .text),
    QueryField("album", .text), QueryField("track", .integer), QueryField("duration", .duration),
    QueryField("hash", .hexadecimal), QueryField("state", .text),
  ]

  package let path: BytePath
  private var values: [String: FieldValue] = [:]

  /// - Parameter row: with ``fields``, which come first, and perhaps others.
  package init?(_ row: borrowing ListRow) {
    guard case .path(let path) = row.value(1) else { return nil }
    self.path = path
    for (field, value) in zip(row.fields, row.values) where value != .none {
      values[field.name] = value
    }
  }

  package var isMissing: Bool { text("state") == "missing" }

  /// nil if the row has nothing of that name.
  package func value(_ name: String) -> FieldValue? { values[name] }

  private func text(_ name: String) -> String? {
    if case .text(let text) = values[name], !text.isEmpty { text } else { nil }
  }

  /// The length, if it is known.
  package var seconds: Double? { if case .real(let seconds) = values["duration"] { seconds } else { nil } }

  package func number(_ name: String) -> Int64? { if case .integer(let number) = values[name] { number } else { nil } }

  /// - Parameter folder: of the playlist; nil for absolute paths. A name with a line break makes the path absolute,
  ///   too.
  package func entry(relativeTo folder: BytePath?) -> Playlist.Entry {
    Playlist.Entry(
      path: folder.flatMap { PlaylistPath.fitsLine(path) ? PlaylistPath.relative(path, to: $0) : nil } ?? path,
      title: text("title"), artist: text("artist"),
      album: text("album"), trackNumber: number("track").map(Int.init), durationInSeconds: seconds, hash: text("hash"))
  }
}
