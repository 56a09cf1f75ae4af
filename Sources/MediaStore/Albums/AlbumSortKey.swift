internal import LibraryDatabase
internal import MediaModel

/// What albums are ordered by, as `album.sort_key` has it: the artist without an article, U+0001, the title.
///
/// Behind another U+0001 each comes what the tags of the album have for ordering its artist and its title, so that all albums of an
/// artist can be ordered by what most of them say. Albums of nobody, and tracks without an album, are last.
package struct AlbumSortKey: Hashable, Sendable {
  /// Of the album's own tags; nil if they say nothing.
  package var artistSort: String?
  package var titleSort: String?

  private static let separator: Character = "\u{1}"
  private static let last = "\u{10FFFF}"

  init(artistSort: String?, titleSort: String?) {
    self.artistSort = Self.clean(artistSort)
    self.titleSort = Self.clean(titleSort)
  }

  /// - Parameter text: a value of `album.sort_key`.
  package init(_ text: String) {
    let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
    artistSort = parts.count > 2 && !parts[2].isEmpty ? String(parts[2]) : nil
    titleSort = parts.count > 3 && !parts[3].isEmpty ? String(parts[3]) : nil
  }

  private static func clean(_ name: String?) -> String? {
    let kept = name?.filter { $0 != separator && $0 != "\0" } ?? ""
    return kept.isEmpty ? nil : kept
  }

  /// - Parameter sortName: by which all albums of the artist are ordered; nil for the artist's name.
  func text(artist: String, title: String, sortName: String?) -> String {
    let artistKey = NameKey.key(sortName ?? artist)
    let titleKey = title.isEmpty ? Self.last : NameKey.key(titleSort ?? title)
    let key = "\(artist.isEmpty || artistKey.isEmpty ? Self.last : artistKey)\(Self.separator)\(titleKey)"
    guard artistSort != nil || titleSort != nil || sortName != nil else { return key }
    return key + "\(Self.separator)\(artistSort ?? "")\(Self.separator)\(titleSort ?? "")"
  }
}

/// By which name each artist is ordered: that of most of their albums whose tags have one.
package struct ArtistSortNames {
  private var counts: [String: [String: Int]] = [:]

  package init() {}

  /// Counts what the tags of an album say.
  ///
  /// - Parameter artist: The ``NameKey`` of the album's artist.
  package mutating func add(_ name: String?, ofArtist artist: String) {
    guard let name, !artist.isEmpty else { return }
    counts[artist, default: [:]][name, default: 0] += 1
  }

  package var isEmpty: Bool { counts.isEmpty }

  /// Of equally common ones the first by its bytes; nil if no album says anything.
  package subscript(artist: String) -> String? {
    counts[artist]?.min { (-$0.value, $0.key) < (-$1.value, $1.key) }?.key
  }
}

extension AlbumWriter {
  private static let isOrderedByTags = "instr(substr(sort_key, instr(sort_key, char(1)) + 1), char(1)) > 0"

  /// Whether the tags of an album, or of another one of its artist, say how it is ordered.
  func isOrderedByTags(_ album: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT \(Self.isOrderedByTags) FROM album WHERE id = ?"), arguments: [album]) == true
  }

  /// Orders all albums of an artist by one name. They are looked at only if the tags of some album have such a name.
  ///
  /// - Complexity: O(albums).
  func orderArtists() throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM album WHERE \(Self.isOrderedByTags))"
    guard try Bool.fetchOne(db, sql: sql) == true else { return }
    struct Stored {
      let id: Int64
      let artist, title, text: String
      let key: String
    }
    var keys: [String: String] = [:]
    var names = ArtistSortNames()
    var albums: [Stored] = []
    let rows = try Row.fetchCursor(db, sql: "SELECT id, artist, title, sort_key, file_count FROM album ORDER BY id")
    while let row = try rows.next() {
      let artist: String = try row[1]
      let key = keys[artist] ?? NameKey.key(artist)
      keys[artist] = key
      let album = try Stored(id: row[0], artist: artist, title: row[2], text: row[3], key: key)
      if try row[4] as Int > 0 { names.add(AlbumSortKey(album.text).artistSort, ofArtist: key) }
      albums.append(album)
    }
    for album in albums {
      let text = AlbumSortKey(album.text).text(artist: album.artist, title: album.title, sortName: names[album.key])
      if text != album.text { try run("UPDATE album SET sort_key = ? WHERE id = ?", [text, album.id]) }
    }
  }
}
