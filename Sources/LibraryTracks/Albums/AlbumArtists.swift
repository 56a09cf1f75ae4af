internal import LibraryDatabase
internal import MediaModel
package import MediaStore
package import QueryLanguage

/// An artist of albums, with what is theirs, alone or with others; spellings of one name are one artist.
package struct AlbumArtist: Hashable, Sendable {
  /// The spelling of most of their albums; empty for albums of which no artist is known.
  package var name: String
  /// By which it is ordered, as the tags of most of its albums have it: `Vale, Nora`; nil if they say nothing.
  package var sortName: String?
  /// All spellings, in order.
  package var spellings: [String]
  package var albumCount = 0
  /// Of the first edition of each album.
  package var trackCount = 0
  package var fileCount = 0
  package var durationInSeconds = 0.0
  package var firstAlbumID: Int64
  /// The earliest and the latest year of their albums.
  package var years: ClosedRange<Int>?
}

extension Albums {
  /// The artists of the albums of the files that a query finds, by their names for ordering, else their names, without an article;
  /// albums of which no artist is known are last.
  package func artists(of query: Query) throws -> [AlbumArtist] {
    var artists: [String: AlbumArtist] = [:]
    var spellings: [String: [String: Int]] = [:]
    var sortNames = ArtistSortNames()
    let albums = try all(of: query, orderedBy: .artist).albums
    // An artist can be named twice, as `Nora` and `The Nora`.
    let credits = albums.lazy.flatMap { album in
      var keys: Set<String> = []
      return (album.artists.isEmpty ? [""] : album.artists).map { (album: album, name: $0, key: NameKey.key($0)) }
        .filter { keys.insert($0.key).inserted }
    }
    for (album, name, key) in credits {
      spellings[key, default: [:]][name, default: 0] += 1
      if album.artists.count == 1 { sortNames.add(album.artistSort, ofArtist: key) }
      var artist = artists[key] ?? AlbumArtist(name: name, spellings: [], firstAlbumID: album.id)
      // Tracks without an album are no album.
      if !album.title.isEmpty { artist.albumCount += 1 }
      artist.trackCount += album.trackCount
      artist.fileCount += album.fileCount
      artist.durationInSeconds += album.durationInSeconds
      if let year = album.year {
        artist.years = artist.years.map { min($0.lowerBound, year)...max($0.upperBound, year) } ?? year...year
      }
      artists[key] = artist
    }
    let ordered = artists.map { key, artist in
      var artist = artist
      artist.sortName = sortNames[key]
      return (place: artist.sortName.map(NameKey.key) ?? key, key: key, artist: artist)
    }.sorted { ($0.key.isEmpty ? 1 : 0, $0.place, $0.key) < ($1.key.isEmpty ? 1 : 0, $1.place, $1.key) }
    return ordered.map { _, key, artist in
      var artist = artist
      let counts = spellings[key] ?? [:]
      artist.spellings = counts.keys.filter { !$0.isEmpty }.sorted()
      artist.name = Spelling.mostCommon(counts) ?? artist.name
      return artist
    }
  }
}
