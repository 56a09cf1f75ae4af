internal import Base
internal import MediaStore

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
        guard let song = try library.songs([try library.fileID(ofSong: id)]).first else {
          throw SubsonicError.notFound("song")
        }
        return .holding("song", song)
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
      let folders = try library.store.roots().map { root in
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
  private static func letters(
    _ library: SubsonicLibrary, _ rootID: Int64?, _ document: (Int) -> SubsonicObject
  ) -> [SubsonicObject] {
    var letters: [(name: String, artists: [SubsonicObject])] = []
    let catalogue = library.catalogue
    for (place, artist) in catalogue.artists.enumerated() {
      guard artist.albums.contains(where: { rootID == nil || catalogue.albums[$0].rootID == rootID }) else { continue }
      let first = artist.sortName.first.map { $0.isLetter ? String($0).uppercased() : "#" } ?? "#"
      if letters.last?.name != first, let known = letters.firstIndex(where: { $0.name == first }) {
        letters[known].artists.append(document(place))
      } else if letters.last?.name == first {
        letters[letters.count - 1].artists.append(document(place))
      } else {
        letters.append((first, [document(place)]))
      }
    }
    return letters.map { letter in
      var index = SubsonicObject()
      index.add("name", letter.name)
      index.add("artist", letter.artists)
      return index
    }
  }

  private static func artists(_ call: SubsonicCall) throws -> SubsonicObject {
    try call.reading { library in
      var artists = SubsonicObject()
      artists.add("ignoredArticles", Catalogue.ignoredArticles)
      artists.add(
        "index", letters(library, try library.rootID(call.parameters)) { ArtistDocument.object($0, library) })
      return .holding("artists", artists)
    }
  }

  private static func indexes(_ call: SubsonicCall) throws -> SubsonicObject {
    let since = try call.parameters.integer("ifModifiedSince", in: 0...Int64.max)
    return try call.reading { library in
      // In milliseconds.
      let modified = (try library.store.status().lastScan?.startedAt ?? 0) &* 1000
      var indexes = SubsonicObject()
      indexes.add("ignoredArticles", Catalogue.ignoredArticles)
      indexes.add("lastModified", modified)
      let isKnown = since.map { $0 > 0 && $0 >= modified } ?? false
      indexes.add(
        "index",
        isKnown ? [] : letters(library, try library.rootID(call.parameters)) { ArtistDocument.folder($0, library) })
      return .holding("indexes", indexes)
    }
  }

  private static func artist(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      let place = try library.artist(id)
      var artist = ArtistDocument.object(place, library)
      artist.add("album", try library.albums(albums(ofArtist: place, library)))
      return .holding("artist", artist)
    }
  }

  /// Its own albums, then those on which it is a guest.
  private static func albums(ofArtist place: Int, _ library: SubsonicLibrary) -> [Int] {
    library.catalogue.artists[place].albums + library.catalogue.artists[place].guestAlbums
  }

  // MARK: - Albums

  private static func album(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      let place = try library.album(id)
      guard var album = try library.albums([place]).first else { throw SubsonicError.notFound("album") }
      album.add("song", try library.songs(ofAlbum: place).map { library.document(of: $0) })
      return .holding("album", album)
    }
  }

  /// A folder of older clients: an artist with albums, an album with songs, or everything.
  private static func directory(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      let catalogue = library.catalogue
      var directory = SubsonicObject()
      directory.add("id", id)
      if let place = catalogue.artist(id: id) {
        directory.add("name", catalogue.artists[place].name)
        directory.add("starred", library.marks(ofArtist: place).starredAt)
        let places = albums(ofArtist: place, library)
        let covers = try library.store.artworkHashes(ofFiles: places.map { catalogue.firstFileID(ofAlbum: $0) })
        directory.add("child", zip(places, covers).map { AlbumDocument.folder($0, cover: $1, library) })
      } else if let place = catalogue.album(id: id) {
        directory.add("parent", catalogue.artists[catalogue.albums[place].artist].id)
        directory.add("name", catalogue.albums[place].name)
        directory.add("starred", library.marks(ofAlbum: place).starredAt)
        directory.add("child", try library.songs(ofAlbum: place).map { library.document(of: $0) })
      } else if let root = try library.store.roots().first(where: { String($0.id) == id }) {
        directory.add("name", root.path.lastComponent.displayString)
        directory.add("child", folders(in: root.id, library))
      } else {
        throw SubsonicError.notFound("folder")
      }
      return .holding("directory", directory)
    }
  }

  private static func folders(in rootID: Int64, _ library: SubsonicLibrary) -> [SubsonicObject] {
    let catalogue = library.catalogue
    return catalogue.artists.enumerated().compactMap { place, artist in
      guard artist.albums.contains(where: { catalogue.albums[$0].rootID == rootID }) else { return nil }
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
      let genres = library.catalogue.genres.sorted { $0.name < $1.name }.map { genre in
        var object = SubsonicObject()
        object.add("songCount", genre.songs.count)
        object.add("albumCount", genre.albumCount)
        object.add("value", genre.name)
        return object
      }
      return .holding("genres", "genre", genres)
    }
  }

  // MARK: - What others know

  /// Nothing is known of artists but what tags say.
  private static func artistInfo(_ call: SubsonicCall, _ name: String) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      if library.catalogue.artist(id: id) == nil, library.catalogue.album(id: id) == nil {
        _ = try library.fileID(ofSong: id)
      }
      return .holding(name, SubsonicObject())
    }
  }

  private static func albumInfo(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    return try call.reading { library in
      if library.catalogue.album(id: id) == nil { _ = try library.fileID(ofSong: id) }
      return .holding("albumInfo", SubsonicObject())
    }
  }

  /// The songs of an artist that the person has heard most often.
  private static func topSongs(_ call: SubsonicCall) throws -> SubsonicObject {
    let count = Int(try call.parameters.integer("count", in: 0...500) ?? 50)
    let (id, name) = (call.parameters["id"], call.parameters["artist"])
    guard id != nil || name != nil else { throw SubsonicError.missing("artist") }
    return try call.reading { library in
      let catalogue = library.catalogue
      guard let artist = try id.map({ try library.artist($0) }) ?? name.flatMap({ catalogue.artist(named: $0) }),
        let personID = library.personID
      else { return .holding("topSongs", "song", []) }
      let albums = Set(albums(ofArtist: artist, library))
      let heard = try library.store.heardFiles(of: personID).filter { heard in
        catalogue.song(ofFile: heard.fileID).map { albums.contains(Int(catalogue.albumOfSong[$0])) } ?? false
      }.sorted { ($0.count, $0.lastAt, $0.fileID) > ($1.count, $1.lastAt, $1.fileID) }
      let songs = try library.store.songs(heard.map(\.fileID), of: personID).filter { song in
        catalogue.artist(named: song.artist ?? song.albumArtist ?? "") == artist
      }
      return .holding("topSongs", "song", songs.prefix(count).map { library.document(of: $0) })
    }
  }
}
