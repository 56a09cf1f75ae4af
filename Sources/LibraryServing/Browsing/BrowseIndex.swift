internal import Base
import LibraryTracks
internal import MediaModel
import MediaStore
package import UserData

/// The artists, albums and genres of a library, and to which of them its songs belong: what clients browse.
///
/// Made in one pass over the files, and again when they have changed; some 100 bytes a song. Songs, albums and artists are
/// numbers here, places in the arrays.
package struct BrowseIndex: Sendable {
  package struct Album: Sendable {
    package let id: String
    package let name: String
    package let artist: Int
    /// In ``songsByAlbum``.
    package var songs: Range<Int>
    package var durationInSeconds = 0.0
    /// The earliest.
    package var year: Int?
    /// Seconds since 1970, of its first file.
    package var addedAt: Int64
    /// In ``genres``.
    package var genres: [Int] = []
  }

  package struct Artist: Sendable {
    package let id: String
    package let name: String
    /// Without case, accents, and an article at the start.
    package let sortName: String
    /// Of which it is the album artist, by name.
    package var albums: [Int] = []
    /// On which it has songs, although the album is somebody else's.
    package var guestAlbums: [Int] = []
  }

  package struct Genre: Sendable {
    package let name: String
    package var songs: [Int32] = []
    package var albumCount = 0
  }

  static let unknownArtist = "[Unknown Artist]"
  static let unknownAlbum = "[Unknown Album]"
  static let variousArtists = "Various Artists"
  /// The words that names are sorted without.
  package static let ignoredArticles = "The El La Los Las Le Les Os As O A"

  /// By id.
  package private(set) var fileIDs: [Int64] = []
  package private(set) var albumOfSong: [Int32] = []
  /// -1 if nobody wrote one.
  package private(set) var artistOfSong: [Int32] = []
  package private(set) var yearOfSong: [Int16] = []
  private var rootOfSong: [Int32] = []
  /// The songs of all albums, one album after the other.
  package private(set) var songsByAlbum: [Int32] = []
  /// By name.
  package private(set) var albums: [Album] = []
  /// By sort name.
  package private(set) var artists: [Artist] = []
  package private(set) var genres: [Genre] = []
  package private(set) var albumNames = FoldedNames()
  package private(set) var artistNames = FoldedNames()
  /// Albums by artist, then by name.
  package private(set) var albumsByArtist: [Int32] = []
  /// Albums from the newest to the oldest.
  package private(set) var newestAlbums: [Int32] = []

  private var albumByID: [String: Int] = [:]
  private var artistByID: [String: Int] = [:]
  private var artistByFoldedName: [String: Int] = [:]
  private var genreByFoldedName: [String: Int] = [:]

  init() {}

  // MARK: - Finding

  /// The place of a file; nil if it is not here.
  package func song(ofFile id: Int64) -> Int? {
    var (low, high) = (0, fileIDs.count)
    while low < high {
      let middle = (low + high) / 2
      if fileIDs[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < fileIDs.count && fileIDs[low] == id ? low : nil
  }

  package func album(id: String) -> Int? { albumByID[id] }
  package func artist(id: String) -> Int? { artistByID[id] }
  package func artist(named name: String) -> Int? { artistByFoldedName[Self.folded(name)] }
  package func genre(named name: String) -> Int? { genreByFoldedName[Self.folded(name)] }

  /// As names are compared here, where long ones are cut.
  private static func folded(_ name: String) -> String { TextFolding.fold(Song.cut(name)) }

  /// The album with names as a ``TrackGroup`` has them.
  package func album(named name: String, artist: String) -> Int? {
    albumByID[BrowseID.album(Self.folded(name), artist: Self.folded(artist))]
  }

  package func fileIDs(ofAlbum album: Int) -> [Int64] { songsByAlbum[albums[album].songs].map { fileIDs[Int($0)] } }

  /// The artist of a song, or that of its album if nobody wrote one.
  package func artist(ofSong song: Int) -> Int {
    artistOfSong[song] < 0 ? albums[Int(albumOfSong[song])].artist : Int(artistOfSong[song])
  }

  package func firstFileID(ofAlbum album: Int) -> Int64 { fileIDs[Int(songsByAlbum[albums[album].songs.lowerBound])] }

  // MARK: - Folders

  package func isSong(_ song: Int, inRoot rootID: Int64) -> Bool { Int64(rootOfSong[song]) == rootID }

  /// Whether one of its songs at least is below a root: an album can be spread over several.
  ///
  /// - Complexity: O(songs of the album).
  package func isAlbum(_ album: Int, inRoot rootID: Int64) -> Bool {
    songsByAlbum[albums[album].songs].contains { isSong(Int($0), inRoot: rootID) }
  }

  /// The same of the albums of which it is the album artist.
  package func isArtist(_ artist: Int, inRoot rootID: Int64) -> Bool {
    artists[artist].albums.contains { isAlbum($0, inRoot: rootID) }
  }

  package func group(ofAlbum album: Int) -> TrackGroup {
    .album(albums[album].name, artist: artists[albums[album].artist].name)
  }

  package func group(ofArtist artist: Int) -> TrackGroup { .artist(artists[artist].name) }

  // MARK: - Making

  /// - Throws: ``StoreError``.
  init(of store: MediaStore) throws {
    var draft = BrowseIndexDraft()
    try store.songs.forEachBrowseEntry { draft.add($0) }
    self.init(draft)
  }

  init(_ draft: consuming BrowseIndexDraft) {
    fileIDs = draft.fileIDs
    yearOfSong = draft.years
    rootOfSong = draft.roots
    placeAlbums(draft)
    placeArtists(draft)
    placeGenres(draft)
    orderAlbums()
    albumNames = FoldedNames(albums.map { TextFolding.fold($0.name) })
    artistNames = FoldedNames(artists.map { TextFolding.fold($0.name) })
  }

  /// Albums by name, each with its songs.
  private mutating func placeAlbums(_ draft: borrowing BrowseIndexDraft) {
    let finished = draft.finishedAlbums()
    // Artists come later: here an album has the place of its artist in the draft.
    var counts = [Int](repeating: 0, count: finished.albums.count)
    for group in draft.groupOfSong { counts[finished.albumOfGroup[Int(group)]] += 1 }
    let keys = finished.albums.map { (TextFolding.fold($0.name), $0.foldedArtist) }
    let order = finished.albums.indices.sorted { keys[$0] < keys[$1] }
    var placeOf = [Int](repeating: 0, count: order.count)
    var start = 0
    albums.reserveCapacity(order.count)
    for (place, index) in order.enumerated() {
      let album = finished.albums[index]
      placeOf[index] = place
      albums.append(
        Album(
          id: BrowseID.album(keys[index].0, artist: album.foldedArtist), name: album.name, artist: index,
          songs: start..<start + counts[index], durationInSeconds: album.durationInSeconds, year: album.year,
          addedAt: album.addedAt))
      albumByID[albums[place].id] = place
      start += counts[index]
    }
    var next = albums.map(\.songs.lowerBound)
    songsByAlbum = [Int32](repeating: 0, count: draft.fileIDs.count)
    albumOfSong = [Int32](repeating: 0, count: draft.fileIDs.count)
    for (song, group) in draft.groupOfSong.enumerated() {
      let place = placeOf[finished.albumOfGroup[Int(group)]]
      albumOfSong[song] = Int32(place)
      songsByAlbum[next[place]] = Int32(song)
      next[place] += 1
    }
    albumArtistNames = order.map { finished.albums[$0].artist }
  }

  /// Of each album; empty when the artists have their places.
  private var albumArtistNames: [String] = []

  private mutating func placeArtists(_ draft: borrowing BrowseIndexDraft) {
    var names: [String: String] = [:]
    for name in albumArtistNames {
      names[TextFolding.fold(name), default: name] = names[TextFolding.fold(name)] ?? name
    }
    for name in draft.artistNames where !name.isEmpty {
      let folded = TextFolding.fold(name)
      if names[folded] == nil { names[folded] = name }
    }
    let sorted = names.map { (folded: $0.key, name: $0.value, sortName: Self.withoutArticle($0.key)) }
      .sorted { ($0.sortName, $0.folded) < ($1.sortName, $1.folded) }
    artists.reserveCapacity(sorted.count)
    for (place, artist) in sorted.enumerated() {
      artists.append(Artist(id: BrowseID.artist(artist.folded), name: artist.name, sortName: artist.sortName))
      artistByID[artists[place].id] = place
      artistByFoldedName[artist.folded] = place
    }
    albums = zip(albums, albumArtistNames).map { album, name in
      let artist = artistByFoldedName[TextFolding.fold(name)] ?? 0
      var placed = Album(
        id: album.id, name: album.name, artist: artist, songs: album.songs, addedAt: album.addedAt)
      (placed.durationInSeconds, placed.year) = (album.durationInSeconds, album.year)
      return placed
    }
    for (place, album) in albums.enumerated() { artists[album.artist].albums.append(place) }
    let placeOfName = draft.artistNames.map { artistByFoldedName[TextFolding.fold($0)] }
    artistOfSong = draft.artistOfSong.map { Int32(placeOfName[Int($0)] ?? -1) }
    for (song, place) in artistOfSong.enumerated() where place >= 0 {
      let artist = Int(place)
      let album = Int(albumOfSong[song])
      if albums[album].artist != artist, artists[artist].guestAlbums.last != album {
        artists[artist].guestAlbums.append(album)
      }
    }
    for place in artists.indices where artists[place].guestAlbums.count > 1 {
      artists[place].guestAlbums = Array(Set(artists[place].guestAlbums)).sorted()
    }
    albumArtistNames = []
  }

  private mutating func placeGenres(_ draft: borrowing BrowseIndexDraft) {
    // What files say about genres, each text once, as places in `genres`.
    let places = draft.genreTexts.map { text in
      GenreText.names(text, limit: GenreText.songLimit).map { name in
        let folded = TextFolding.fold(name)
        if let known = genreByFoldedName[folded] { return known }
        genres.append(Genre(name: name))
        genreByFoldedName[folded] = genres.count - 1
        return genres.count - 1
      }
    }
    for (song, text) in draft.genreOfSong.enumerated() {
      let album = Int(albumOfSong[song])
      for genre in places[Int(text)] {
        genres[genre].songs.append(Int32(song))
        if albums[album].genres.count < GenreText.albumLimit, !albums[album].genres.contains(genre) {
          albums[album].genres.append(genre)
          genres[genre].albumCount += 1
        }
      }
    }
  }

  private mutating func orderAlbums() {
    albumsByArtist = artists.flatMap { $0.albums.map(Int32.init) }
    newestAlbums = albums.indices.sorted { (albums[$0].addedAt, $0) > (albums[$1].addedAt, $1) }.map(Int32.init)
  }

  private static let articles = ignoredArticles.split(separator: " ").map { $0.lowercased() + " " }

  private static func withoutArticle(_ folded: String) -> String {
    guard let article = articles.first(where: { folded.hasPrefix($0) && folded.count > $0.count }) else {
      return folded
    }
    return String(folded.dropFirst(article.count))
  }
}

/// Ids of albums and artists, which follow from their names: the same in every library, and after every scan.
enum BrowseID {
  static let albumPrefix = "al-"
  static let artistPrefix = "ar-"

  /// - Parameters: Folded names.
  static func album(_ name: String, artist: String) -> String {
    albumPrefix + MD5.hexadecimal(of: "\(artist)\0\(name)")
  }
  static func artist(_ name: String) -> String { artistPrefix + MD5.hexadecimal(of: name) }
}

/// The genres in a text of tags, where a semicolon is between two.
package enum GenreText {
  /// Of one song, and of one album: a file can name thousands.
  package static let songLimit = 32
  static let albumLimit = 64

  package static func names(_ text: String, limit: Int, keepsEmpty: Bool = false) -> [String] {
    let parts = text.split(separator: ";", maxSplits: limit, omittingEmptySubsequences: true).prefix(limit)
    let names = parts.map { String($0.trimmingPrefix(while: { $0 == " " })) }
    return keepsEmpty ? names : names.filter { !$0.isEmpty }
  }
}
