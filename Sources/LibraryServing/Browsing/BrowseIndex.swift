internal import Base
package import LibraryTracks
package import MediaModel
import MediaStore
package import UserData

/// The artists, albums and genres of a library, and to which of them its songs belong: what clients browse.
///
/// Made in one pass over the files, and again when they have changed; some 100 bytes a song. Songs, albums and artists are
/// numbers here, places in the arrays.
package struct BrowseIndex: Sendable {
  package struct Album: Sendable {
    package let id: String
    /// Of the library's row.
    package let libraryID: Int64
    package let knownNames: AlbumNames
    package let name: String
    /// By which it is ordered: that of its tags, else its name without an article.
    package let sortName: String
    package let isCompilation: Bool
    /// The album artists, at least one.
    package var artists: [Int]
    /// In ``songsByAlbum``: those of its first edition, and what only others have.
    package var songs: Range<Int>
    /// Likewise the songs that an edition before theirs has, too.
    package var copies: Range<Int>
    /// Of ``songs``.
    package var durationInSeconds: Double
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
    /// By which it is ordered, as its tags have it: `Vale, Nora`; nil if they say nothing.
    package var taggedSortName: String?
    /// Of which it is an album artist, by name.
    package var albums: [Int] = []
    /// On which it has songs, although the album is somebody else's.
    package var guestAlbums: [Int] = []
  }

  package struct Genre: Sendable {
    package fileprivate(set) var name: String
    /// With copies.
    package var songs: [Int32] = []
    /// Without copies.
    package var songCount = 0
    package var albumCount = 0
  }

  /// The words that names are sorted without.
  package static let ignoredArticles = "The El La Los Las Le Les Os As O A"

  /// Of the editions of albums that were asked for so far, as long as the library is as it is here.
  package let albumLoudness = AlbumLoudnessCache()
  /// By id.
  package private(set) var fileIDs: [Int64] = []
  package private(set) var albumOfSong: [Int32] = []
  /// The songs that an edition of their album before theirs has, too, and which these are: they can be asked for and starred, but
  /// are in no list.
  private var originals: [Int32: Int32] = [:]
  /// The other way.
  private var copies: [Int32: [Int32]] = [:]
  /// In ``artistLists``.
  private var artistsOfSong: [Int32] = []
  /// The artists of songs, each combination once.
  private var artistLists: [[Int32]] = []
  package private(set) var yearOfSong: [Int16] = []
  private var rootOfSong: [Int32] = []
  /// The songs of all albums, one album after the other, each with its copies behind.
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

  /// By what albums are called, and were called before they became part of others.
  private var albumByID: [String: Int] = [:]
  private var albumByNames: [AlbumNames: Int] = [:]
  private var artistByID: [String: Int] = [:]
  /// By ``NameKey``.
  private var artistByKey: [String: Int] = [:]
  private var genreByFoldedName: [String: Int] = [:]
  /// Those of artists that were asked for: a composer has hundreds of songs.
  private let asked = AskedNames()

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
  package func artist(named name: String) -> Int? {
    asked.place(of: name) { artistByKey[NameKey.key(Song.cut(name))] }
  }
  package func genre(named name: String) -> Int? { genreByFoldedName[Self.folded(name)] }

  /// As names are compared here, where long ones are cut.
  private static func folded(_ name: String) -> String { TextFolding.fold(Song.cut(name)) }

  /// The album by its known names.
  package func album(_ names: AlbumNames) -> Int? { albumByNames[names] }

  package func fileIDs(ofAlbum album: Int) -> [Int64] { songsByAlbum[albums[album].songs].map { fileIDs[Int($0)] } }

  /// Whether lists of songs have a song: below a root, or anywhere if that is nil. A copy is there only where neither its original nor
  /// another copy before it is.
  package func isListed(_ song: Int, inRoot rootID: Int64? = nil) -> Bool {
    guard let rootID else { return originals[Int32(song)] == nil }
    guard isSong(song, inRoot: rootID), let original = originals[Int32(song)] else {
      return isSong(song, inRoot: rootID)
    }
    let alike = [original] + (copies[original] ?? [])
    return alike.first { isSong(Int($0), inRoot: rootID) } == Int32(song)
  }

  package var hasCopies: Bool { !originals.isEmpty }

  /// Of songs that are no copies.
  package var listedSongCount: Int { fileIDs.count - originals.count }

  /// The artists of a song, or that of its album if nobody wrote one.
  package func artists(ofSong song: Int) -> [Int] {
    let own = artistLists[Int(artistsOfSong[song])]
    return own.isEmpty ? albums[Int(albumOfSong[song])].artists : own.map(Int.init)
  }

  /// The album artists for people.
  package func artistText(ofAlbum album: Album) -> String {
    album.artists.map { artists[$0].name }.joined(separator: ", ")
  }

  package func firstFileID(ofAlbum album: Int) -> Int64 { fileIDs[Int(songsByAlbum[albums[album].songs.lowerBound])] }

  // MARK: - Folders

  package func isSong(_ song: Int, inRoot rootID: Int64) -> Bool { Int64(rootOfSong[song]) == rootID }

  /// Whether one of its songs at least is below a root: an album can be spread over several.
  ///
  /// - Complexity: O(songs of the album).
  package func isAlbum(_ album: Int, inRoot rootID: Int64) -> Bool {
    songsByAlbum[albums[album].songs.lowerBound..<albums[album].copies.upperBound]
      .contains { isSong(Int($0), inRoot: rootID) }
  }

  /// The same of the albums of which it is the album artist.
  package func isArtist(_ artist: Int, inRoot rootID: Int64) -> Bool {
    artists[artist].albums.contains { isAlbum($0, inRoot: rootID) }
  }

  package func group(ofAlbum album: Int) -> TrackGroup {
    .album(albums[album].knownNames.title, artist: albums[album].knownNames.artist)
  }

  package func group(ofArtist artist: Int) -> TrackGroup { .artist(artists[artist].name) }

  // MARK: - Making

  /// - Throws: ``StoreError``.
  init(of store: MediaStore) throws {
    var draft = BrowseIndexDraft(try store.albums.all(), originals: try store.albums.originals())
    try store.songs.forEachBrowseEntry { draft.add($0) }
    self.init(draft, formerKeys: try store.albums.formerKeys())
  }

  init(_ draft: consuming BrowseIndexDraft, formerKeys: [(key: String, albumID: Int64)] = []) {
    fileIDs = draft.fileIDs
    yearOfSong = draft.years
    rootOfSong = draft.roots
    originals = draft.originals
    copies = Dictionary(grouping: originals.keys.sorted()) { originals[$0] ?? $0 }
    placeAlbums(draft)
    let placeByLibraryID = Dictionary(
      albums.indices.map { (albums[$0].libraryID, $0) }, uniquingKeysWith: { first, _ in first })
    for former in formerKeys {
      let id = BrowseID.album(key: former.key)
      if albumByID[id] == nil { albumByID[id] = placeByLibraryID[former.albumID] }
    }
    placeArtists(draft)
    placeGenres(draft)
    orderAlbums()
    albumNames = FoldedNames(albums.map { TextFolding.fold($0.name) })
    artistNames = FoldedNames(artists.map { TextFolding.fold($0.name) })
  }

  /// Albums by name, each with its songs.
  private mutating func placeAlbums(_ draft: borrowing BrowseIndexDraft) {
    var counts = [Int](repeating: 0, count: draft.albums.count)
    var copyCounts = counts
    for (song, album) in draft.albumOfSong.enumerated() {
      if isListed(song) { counts[Int(album)] += 1 } else { copyCounts[Int(album)] += 1 }
    }
    let names = draft.albums.map { $0.album.title.isEmpty ? AlbumNames.unknownTitle : $0.album.title }
    let keys = draft.albums.indices.map {
      (
        TextFolding.fold(draft.albums[$0].album.titleSort ?? names[$0]),
        TextFolding.fold(draft.albums[$0].album.artist)
      )
    }
    let order = draft.albums.indices.sorted {
      (keys[$0].0, keys[$0].1, draft.albums[$0].album.id) < (keys[$1].0, keys[$1].1, draft.albums[$1].album.id)
    }
    var placeOf = [Int](repeating: 0, count: order.count)
    var start = 0
    albums.reserveCapacity(order.count)
    for (place, index) in order.enumerated() {
      let album = draft.albums[index]
      placeOf[index] = place
      albums.append(
        Album(
          id: BrowseID.album(key: album.album.key), libraryID: album.album.id, knownNames: album.album.knownNames,
          name: names[index],
          sortName: album.album.titleSort ?? Self.withoutArticle(TextFolding.fold(names[index])),
          isCompilation: album.album.isCompilation, artists: [], songs: start..<start + counts[index],
          copies: start + counts[index]..<start + counts[index] + copyCounts[index],
          durationInSeconds: album.durationInSeconds, year: album.year, addedAt: album.addedAt))
      albumByID[albums[place].id] = place
      albumByNames[albums[place].knownNames] = place
      start += counts[index] + copyCounts[index]
    }
    var next = albums.map(\.songs.lowerBound)
    var nextCopy = albums.map(\.copies.lowerBound)
    songsByAlbum = [Int32](repeating: 0, count: draft.fileIDs.count)
    albumOfSong = [Int32](repeating: 0, count: draft.fileIDs.count)
    for (song, album) in draft.albumOfSong.enumerated() {
      let place = placeOf[Int(album)]
      albumOfSong[song] = Int32(place)
      if isListed(song) {
        songsByAlbum[next[place]] = Int32(song)
        next[place] += 1
      } else {
        songsByAlbum[nextCopy[place]] = Int32(song)
        nextCopy[place] += 1
      }
    }
    albumArtistNames = order.map {
      draft.albums[$0].album.artists.isEmpty ? [AlbumNames.unknownArtist] : draft.albums[$0].album.artists
    }
  }

  /// Of each album; empty when the artists have their places.
  private var albumArtistNames: [[String]] = []

  private mutating func placeArtists(_ draft: borrowing BrowseIndexDraft) {
    // Spellings of one name are one artist, who is called as on most of their albums, and found by the ids of all.
    var counts: [String: [String: Int]] = [:]
    var spellings: [String: Set<String>] = [:]
    for names in albumArtistNames {
      // An artist can be named twice, as `Nora` and `The Nora`.
      var keys: Set<String> = []
      for name in names {
        let key = NameKey.key(name)
        if keys.insert(key).inserted { counts[key, default: [:]][name, default: 0] += 1 }
        spellings[key, default: []].insert(TextFolding.fold(name))
      }
    }
    var names = counts.compactMapValues { Spelling.mostCommon($0) }
    for name in draft.artistLists.joined() {
      let key = NameKey.key(name)
      if names[key] == nil { names[key] = name }
      spellings[key, default: []].insert(TextFolding.fold(name))
    }
    // What albums say about their artists comes before what songs say about theirs.
    var sortNames = ArtistSortNames()
    for album in draft.albums where album.album.artists.count == 1 {
      sortNames.add(album.album.artistSort, ofArtist: NameKey.key(album.album.artist))
    }
    let sorted = names.map { key, name in
      let folded = TextFolding.fold(name)
      let tagged = sortNames[key] ?? draft.sortNames[key]
      return (
        key: key, folded: folded, name: name, sortName: Self.withoutArticle(tagged.map(TextFolding.fold) ?? folded),
        tagged: tagged
      )
    }.sorted { ($0.sortName, $0.folded) < ($1.sortName, $1.folded) }
    artists.reserveCapacity(sorted.count)
    for (place, artist) in sorted.enumerated() {
      artists.append(
        Artist(
          id: BrowseID.artist(artist.folded), name: artist.name, sortName: artist.sortName,
          taggedSortName: artist.tagged))
      for spelling in spellings[artist.key] ?? [] { artistByID[BrowseID.artist(spelling)] = place }
      artistByKey[artist.key] = place
    }
    for (place, names) in albumArtistNames.enumerated() {
      for artist in names.map({ artistByKey[NameKey.key($0)] ?? 0 }) where !albums[place].artists.contains(artist) {
        albums[place].artists.append(artist)
        artists[artist].albums.append(place)
      }
    }
    artistLists = draft.artistLists.map { names in
      names.compactMap { artistByKey[NameKey.key($0)].map(Int32.init) }
    }
    artistsOfSong = draft.artistsOfSong
    for (song, list) in artistsOfSong.enumerated() {
      let album = Int(albumOfSong[song])
      for artist in artistLists[Int(list)].map(Int.init)
      where !albums[album].artists.contains(artist) && artists[artist].guestAlbums.last != album {
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
    nameGenres(draft)
    for (song, text) in draft.genreOfSong.enumerated() {
      let album = Int(albumOfSong[song])
      let isListed = isListed(song)
      for genre in places[Int(text)] {
        genres[genre].songs.append(Int32(song))
        guard isListed else { continue }
        genres[genre].songCount += 1
        if albums[album].genres.count < GenreText.albumLimit, !albums[album].genres.contains(genre) {
          albums[album].genres.append(genre)
          genres[genre].albumCount += 1
        }
      }
    }
  }

  /// Calls each genre as most songs have it.
  private mutating func nameGenres(_ draft: borrowing BrowseIndexDraft) {
    var songCounts = [Int](repeating: 0, count: draft.genreTexts.count)
    for text in draft.genreOfSong { songCounts[Int(text)] += 1 }
    var spellings = [[String: Int]](repeating: [:], count: genres.count)
    for (text, count) in zip(draft.genreTexts, songCounts) {
      for name in GenreText.names(text, limit: GenreText.songLimit) {
        guard let genre = genreByFoldedName[TextFolding.fold(name)] else { continue }
        spellings[genre][name, default: 0] += count
      }
    }
    for genre in genres.indices { genres[genre].name = Spelling.mostCommon(spellings[genre]) ?? genres[genre].name }
  }

  private mutating func orderAlbums() {
    albumsByArtist = artists.indices.flatMap { artist in
      artists[artist].albums.filter { albums[$0].artists.first == artist }.map(Int32.init)
    }
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

/// Ids of albums and artists, which follow from their names when they are first found: the same in every library, and after every
/// scan.
enum BrowseID {
  static let albumPrefix = "al-"
  static let artistPrefix = "ar-"

  /// - Parameter key: ``LibraryTracks/Album/key``.
  static func album(key: String) -> String { albumPrefix + key }
  /// - Parameter name: folded.
  static func artist(_ name: String) -> String { artistPrefix + MD5.hexadecimal(of: name) }
}

/// The genres in a text of tags, where a semicolon is between two.
package enum GenreText {
  /// Of one song, and of one album: a file can name thousands.
  package static let songLimit = 32
  static let albumLimit = 64

  package static func names(_ text: String, limit: Int, keepsEmpty: Bool = false) -> [String] {
    let parts = text.split(separator: ";", maxSplits: limit, omittingEmptySubsequences: true).prefix(limit)
    let names = parts.map { String($0).withoutBlankEnds }
    return keepsEmpty ? names : names.filter { !$0.isEmpty }
  }
}
