internal import Base
internal import LibraryTracks
internal import MediaModel

/// Files on their way into a ``BrowseIndex``: every text is kept once.
///
/// Files with an album artist belong to the album of that name and artist. Files without one belong together if their
/// album and folder are the same: then the album's artist is theirs, or, if they have several, various artists.
struct BrowseIndexDraft {
  struct Album {
    var name: String
    var artist: String
    var foldedArtist: String
    var durationInSeconds: Double
    var year: Int?
    var addedAt: Int64
  }

  private struct GroupKey: Hashable {
    let album: String
    let artist: String
    /// Empty if the album artist is known.
    let folder: String
  }

  private struct Group {
    var album: Album
    var hasSeveralArtists = false
  }

  private(set) var fileIDs: [Int64] = []
  private(set) var years: [Int16] = []
  private(set) var roots: [Int32] = []
  private(set) var groupOfSong: [Int32] = []
  /// In ``artistNames``.
  private(set) var artistOfSong: [Int32] = []
  /// In ``genreTexts``.
  private(set) var genreOfSong: [Int32] = []
  private(set) var artistNames: [String] = []
  private(set) var genreTexts: [String] = []

  private var groups: [Group] = []
  private var groupByKey: [GroupKey: Int] = [:]
  private var artistByName: [String: Int] = [:]
  private var genreByText: [String: Int] = [:]
  /// The entry before, because the next one is often like it.
  private var latest: (entry: BrowseEntry, folder: String)?

  mutating func add(_ entry: BrowseEntry) {
    let folder = entry.albumArtist.isEmpty && !entry.album.isEmpty ? AlbumEdition.folder(ofFile: entry.path) : ""
    let group = group(of: entry, in: folder)
    let artist = artist(entry.artist)
    let genre = genre(entry.genre)
    fileIDs.append(entry.fileID)
    years.append(Int16(clamping: entry.year ?? 0))
    roots.append(Int32(clamping: entry.rootID))
    groupOfSong.append(Int32(group))
    artistOfSong.append(Int32(artist))
    genreOfSong.append(Int32(genre))
    count(entry, in: group)
    latest = (entry, folder)
  }

  private func isLikeLatest(_ entry: BrowseEntry, _ folder: String) -> Bool {
    guard let latest else { return false }
    return latest.entry.album == entry.album && latest.entry.albumArtist == entry.albumArtist
      && latest.entry.artist == entry.artist && latest.folder == folder
  }

  private mutating func group(of entry: BrowseEntry, in folder: String) -> Int {
    if isLikeLatest(entry, folder), let group = groupOfSong.last { return Int(group) }
    let album = entry.album.isEmpty ? BrowseIndex.unknownAlbum : entry.album
    let named = entry.albumArtist.isEmpty ? entry.artist : entry.albumArtist
    let artist = named.isEmpty ? BrowseIndex.unknownArtist : named
    let foldedArtist = TextFolding.fold(artist)
    let key = GroupKey(album: TextFolding.fold(album), artist: folder.isEmpty ? foldedArtist : "", folder: folder)
    if let known = groupByKey[key] {
      if groups[known].album.foldedArtist != foldedArtist { groups[known].hasSeveralArtists = true }
      return known
    }
    groups.append(
      Group(
        album: Album(
          name: album, artist: artist, foldedArtist: foldedArtist, durationInSeconds: 0, addedAt: .max)))
    groupByKey[key] = groups.count - 1
    return groups.count - 1
  }

  private mutating func count(_ entry: BrowseEntry, in group: Int) {
    groups[group].album.durationInSeconds += entry.durationInSeconds
    groups[group].album.addedAt = min(groups[group].album.addedAt, entry.addedAt)
    if let year = entry.year, year < groups[group].album.year ?? .max { groups[group].album.year = year }
  }

  private mutating func artist(_ name: String) -> Int {
    if latest?.entry.artist == name, let artist = artistOfSong.last { return Int(artist) }
    if let known = artistByName[name] { return known }
    artistNames.append(name)
    artistByName[name] = artistNames.count - 1
    return artistNames.count - 1
  }

  private mutating func genre(_ text: String) -> Int {
    if latest?.entry.genre == text, let genre = genreOfSong.last { return Int(genre) }
    if let known = genreByText[text] { return known }
    genreTexts.append(text)
    genreByText[text] = genreTexts.count - 1
    return genreTexts.count - 1
  }

  /// The albums, each with its final artist, and to which of them the groups of songs belong.
  borrowing func finishedAlbums() -> (albums: [Album], albumOfGroup: [Int]) {
    var albums: [Album] = []
    var known: [GroupKey: Int] = [:]
    var albumOfGroup: [Int] = []
    albumOfGroup.reserveCapacity(groups.count)
    for group in groups {
      var album = group.album
      if group.hasSeveralArtists {
        album.artist = BrowseIndex.variousArtists
        album.foldedArtist = TextFolding.fold(album.artist)
      }
      let key = GroupKey(album: TextFolding.fold(album.name), artist: album.foldedArtist, folder: "")
      if let place = known[key] {
        albums[place].durationInSeconds += album.durationInSeconds
        albums[place].addedAt = min(albums[place].addedAt, album.addedAt)
        if let year = album.year { albums[place].year = min(year, albums[place].year ?? year) }
        albumOfGroup.append(place)
      } else {
        known[key] = albums.count
        albumOfGroup.append(albums.count)
        albums.append(album)
      }
    }
    return (albums, albumOfGroup)
  }
}
