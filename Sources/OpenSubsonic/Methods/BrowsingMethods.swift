internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore
internal import UserData

/// Artists, albums and songs, by tags; the folders of older clients are artists and albums, too.
enum BrowsingMethods {
  static let all: [String: SubsonicMethod] = [
    "getMusicFolders": SubsonicMethod(.listen, musicFolders),
    "getIndexes": SubsonicMethod(.listen, indexes),
    "getMusicDirectory": SubsonicMethod(.listen, directory),
    "getGenres": SubsonicMethod(.listen, genres),
    "getArtists": SubsonicMethod(.listen, artists),
    "getArtist": SubsonicMethod(.listen, artist),
    "getAlbum": SubsonicMethod(.listen, album),
    "getSong": SubsonicMethod(.listen) { call in
      let id = try call.parameters.required("id")
      return try call.reading { library in
        guard let song = try library.song(try library.fileID(ofSong: id)) else { throw SubsonicError.notFound("song") }
        return .holding("song", library.document(of: song))
      }
    },
    "getArtistInfo": SubsonicMethod(.listen) { try artistInfo($0, "artistInfo") },
    "getArtistInfo2": SubsonicMethod(.listen) { try artistInfo($0, "artistInfo2") },
    "getAlbumInfo": SubsonicMethod(.listen, albumInfo),
    "getAlbumInfo2": SubsonicMethod(.listen, albumInfo),
    "getTopSongs": SubsonicMethod(.listen, topSongs),
  ]

  private static func musicFolders(_ call: SubsonicCall) throws -> SubsonicObject {
    try call.reading { library in
      let folders = try library.store.roots.all().map { root in
        var folder = SubsonicObject()
        folder.add("id", root.id)
        folder.add("name", root.path.lastComponent.displayString)
        return folder
      }
      return .holding("musicFolders", "musicFolder", folders)
    }
  }

  // MARK: - Artists

  /// The artists with albums, by first letter.
  private static func letters(_ library: SubsonicLibrary, _ rootID: Int64?, isByTags: Bool) -> SubsonicItems {
    var letters: [(name: String, artists: [Int])] = []
    var placeOfLetter: [String: Int] = [:]
    let browseIndex = library.browseIndex
    for (place, artist) in browseIndex.artists.enumerated() {
      guard rootID.map({ browseIndex.isArtist(place, inRoot: $0) }) ?? !artist.albums.isEmpty else { continue }
      let name = letter(artist.sortName)
      if let known = placeOfLetter[name] {
        letters[known].artists.append(place)
      } else {
        placeOfLetter[name] = letters.count
        letters.append((name, [place]))
      }
    }
    return SubsonicItems(letters) { letter in
      var index = SubsonicObject()
      index.add("name", letter.name)
      index.add("artist", library.artists(letter.artists, isByTags: isByTags))
      return index
    }
  }

  /// The letter below which a name is; a hostile one can begin with thousands of accents.
  private static func letter(_ name: String) -> String {
    guard let first = name.first, first.isLetter else { return "#" }
    return first.utf8.count <= 16 ? first.uppercased() : "#"
  }

  private static func artists(_ call: SubsonicCall) throws -> SubsonicObject {
    try call.reading { library in
      var artists = SubsonicObject()
      artists.add("ignoredArticles", BrowseIndex.ignoredArticles)
      artists.add("index", letters(library, try library.rootID(call.parameters), isByTags: true))
      return .holding("artists", artists)
    }
  }

  private static func indexes(_ call: SubsonicCall) throws -> SubsonicObject {
    let since = try call.parameters.integer("ifModifiedSince", in: 0...Int64.max)
    return try call.reading { library in
      // In milliseconds.
      let modified = (try library.store.status().lastScan?.startedAt ?? 0) &* 1000
      var indexes = SubsonicObject()
      indexes.add("ignoredArticles", BrowseIndex.ignoredArticles)
      indexes.add("lastModified", modified)
      let isKnown = since.map { $0 > 0 && $0 >= modified } ?? false
      if isKnown {
        indexes.add("index", [])
      } else {
        indexes.add("index", letters(library, try library.rootID(call.parameters), isByTags: false))
      }
      return .holding("indexes", indexes)
    }
  }

  private static func artist(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      if let name = PersonID.name(id) {
        return .holding("artist", try PersonDocument.object(name, id: id, library))
      }
      let place = try library.artist(id)
      var artist = ArtistDocument.object(place, library.view)
      artist.add("album", library.albums(albums(ofArtist: place, library)))
      return .holding("artist", artist)
    }
  }

  /// Its own albums, then those on which it is a guest.
  private static func albums(ofArtist place: Int, _ library: SubsonicLibrary) -> [Int] {
    library.browseIndex.artists[place].albums + library.browseIndex.artists[place].guestAlbums
  }

  // MARK: - Albums

  private static func album(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      let place = try library.album(id)
      let cover = try library.store.pictures.covers(ofAlbums: [library.browseIndex.albums[place].libraryID])[0]
      let seconds = try library.heardSeconds(ofFiles: library.browseIndex.fileIDs(ofAlbum: place))
      var album = AlbumDocument.object(place, cover: cover, seconds, library.view)
      album.add("song", library.songs(try library.fileIDs(ofAlbum: place)))
      return .holding("album", album)
    }
  }

  /// A folder of older clients: an artist with albums, an album with songs, or everything.
  private static func directory(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      let browseIndex = library.browseIndex
      var directory = SubsonicObject()
      directory.add("id", id)
      if let place = browseIndex.artist(id: id) {
        directory.add("name", browseIndex.artists[place].name)
        directory.add("starred", library.view.marks(ofArtist: place).starredAt)
        directory.add("child", library.albums(albums(ofArtist: place, library), isByTags: false))
      } else if let place = browseIndex.album(id: id) {
        directory.add("parent", browseIndex.albums[place].artists.first.map { browseIndex.artists[$0].id })
        directory.add("name", browseIndex.albums[place].name)
        directory.add("starred", library.view.marks(ofAlbum: place).starredAt)
        directory.add("child", library.songs(try library.fileIDs(ofAlbum: place)))
      } else if let root = try library.store.roots.all().first(where: { String($0.id) == id }) {
        directory.add("name", root.path.lastComponent.displayString)
        directory.add("child", folders(in: root.id, library))
      } else {
        throw SubsonicError.notFound("folder")
      }
      return .holding("directory", directory)
    }
  }

  private static func folders(in rootID: Int64, _ library: SubsonicLibrary) -> SubsonicItems {
    let browseIndex = library.browseIndex
    let places = browseIndex.artists.indices.filter { browseIndex.isArtist($0, inRoot: rootID) }
    return SubsonicItems(places) { place in
      let artist = browseIndex.artists[place]
      var child = SubsonicObject()
      child.add("id", artist.id)
      child.add("parent", String(rootID))
      child.add("isDir", true)
      child.add("title", artist.name)
      child.add("artist", artist.name)
      return child
    }
  }

  private static func genres(_ call: SubsonicCall) throws -> SubsonicObject {
    try call.reading { library in
      let genres = library.browseIndex.genres
      let places = genres.indices.filter { genres[$0].songCount > 0 }.sorted { genres[$0].name < genres[$1].name }
      let items = SubsonicItems(places) { place in
        var object = SubsonicObject()
        object.add("songCount", genres[place].songCount)
        object.add("albumCount", genres[place].albumCount)
        object.add("value", genres[place].name)
        return object
      }
      return .holding("genres", "genre", items)
    }
  }

  // MARK: - What others know

  /// Nothing is known of artists but what tags say.
  private static func artistInfo(_ call: SubsonicCall, _ name: String) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      if library.browseIndex.artist(id: id) == nil, library.browseIndex.album(id: id) == nil, PersonID.name(id) == nil {
        _ = try library.fileID(ofSong: id)
      }
      return .holding(name, SubsonicObject())
    }
  }

  private static func albumInfo(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      if library.browseIndex.album(id: id) == nil { _ = try library.fileID(ofSong: id) }
      return .holding("albumInfo", SubsonicObject())
    }
  }

  /// The songs of an artist that the person has heard most often.
  private static func topSongs(_ call: SubsonicCall) throws -> SubsonicObject {
    let count = Int(try call.parameters.integer("count", in: 0...500) ?? 50)
    let (id, name) = (call.parameters["id"], call.parameters["artist"])
    guard id != nil || name != nil else { throw SubsonicError.missing("artist") }
    return try call.reading { library in
      let browseIndex = library.browseIndex
      guard let artist = try id.map({ try library.artist($0) }) ?? name.flatMap({ browseIndex.artist(named: $0) }),
        let personID = library.personID
      else { return .holding("topSongs", "song", []) }
      let heard = try library.store.songs.heard(by: personID).filter { heard in
        browseIndex.song(ofFile: heard.fileID).map { browseIndex.artists(ofSong: $0).contains(artist) } == true
      }.sorted { ($0.count, $0.lastAt, $0.fileID) > ($1.count, $1.lastAt, $1.fileID) }
      return .holding("topSongs", "song", library.songs(heard.prefix(count).map(\.fileID)))
    }
  }
}
