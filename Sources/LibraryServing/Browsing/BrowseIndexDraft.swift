internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// Files on their way into a ``BrowseIndex``: every text is kept once.
struct BrowseIndexDraft {
  struct Album {
    var album: LibraryTracks.Album
    /// Of its songs but for copies.
    var durationInSeconds = 0.0
    var year: Int?
    var addedAt = Int64.max
  }

  private(set) var albums: [Album] = []
  private(set) var fileIDs: [Int64] = []
  private(set) var years: [Int16] = []
  private(set) var roots: [Int32] = []
  /// In ``albums``.
  private(set) var albumOfSong: [Int32] = []
  /// In ``artistLists``.
  private(set) var artistsOfSong: [Int32] = []
  /// In ``genreTexts``.
  private(set) var genreOfSong: [Int32] = []
  private(set) var artistLists: [[String]] = []
  private(set) var genreTexts: [String] = []
  /// By which artists are ordered, as the tags of their songs have it.
  private(set) var sortNames = ArtistSortNames()

  private let known: [Int64: LibraryTracks.Album]
  private let originalFileIDs: [Int64: Int64]
  private var placeByID: [Int64: Int] = [:]
  private var listByNames: [[String]: Int] = [:]
  private var genreByText: [String: Int] = [:]
  /// The entry before, because the next one is often like it.
  private var latest: BrowseEntry?
  private var keyByName: [String: String] = [:]

  /// - Parameters:
  ///   - albums: all of the library.
  ///   - originals: of files, see ``LibraryTracks/Albums/originals()``.
  init(_ albums: [LibraryTracks.Album], originals: [Int64: Int64] = [:]) {
    originalFileIDs = originals
    known = Dictionary(albums.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A file whose album is not known yet is left out.
  mutating func add(_ entry: BrowseEntry) {
    guard let id = entry.albumID, let album = place(ofAlbum: id) else { return }
    addSortNames(entry)
    let artists = artists(entry.artists)
    let genre = genre(entry.genre)
    fileIDs.append(entry.fileID)
    years.append(Int16(clamping: entry.year ?? 0))
    roots.append(Int32(clamping: entry.rootID))
    albumOfSong.append(Int32(album))
    artistsOfSong.append(Int32(artists))
    genreOfSong.append(Int32(genre))
    if originalFileIDs[entry.fileID] == nil { albums[album].durationInSeconds += entry.durationInSeconds }
    albums[album].addedAt = min(albums[album].addedAt, entry.addedAt)
    if let year = entry.year, year < albums[album].year ?? .max { albums[album].year = year }
    latest = entry
  }

  /// The songs that an edition of their album before theirs has, too, with what they are copies of.
  var originals: [Int32: Int32] {
    guard !originalFileIDs.isEmpty else { return [:] }
    let places = Dictionary(uniqueKeysWithValues: fileIDs.enumerated().map { ($0.element, Int32($0.offset)) })
    return Dictionary(
      uniqueKeysWithValues: originalFileIDs.compactMap { copy, original in
        guard let copy = places[copy], let original = places[original] else { return nil }
        return (copy, original)
      })
  }

  private mutating func place(ofAlbum id: Int64) -> Int? {
    if latest?.albumID == id, let album = albumOfSong.last { return Int(album) }
    if let place = placeByID[id] { return place }
    guard let album = known[id] else { return nil }
    albums.append(Album(album: album))
    placeByID[id] = albums.count - 1
    return albums.count - 1
  }

  private mutating func artists(_ names: [String]) -> Int {
    if latest?.artists == names, let list = artistsOfSong.last { return Int(list) }
    if let known = listByNames[names] { return known }
    artistLists.append(names)
    listByNames[names] = artistLists.count - 1
    return artistLists.count - 1
  }

  private mutating func addSortNames(_ entry: BrowseEntry) {
    for (name, sortName) in zip(entry.artists, entry.artistSorts) {
      let key = keyByName[name] ?? NameKey.key(name)
      keyByName[name] = key
      sortNames.add(sortName, ofArtist: key)
    }
  }

  private mutating func genre(_ text: String) -> Int {
    if latest?.genre == text, let genre = genreOfSong.last { return Int(genre) }
    if let known = genreByText[text] { return known }
    genreTexts.append(text)
    genreByText[text] = genreTexts.count - 1
    return genreTexts.count - 1
  }
}
