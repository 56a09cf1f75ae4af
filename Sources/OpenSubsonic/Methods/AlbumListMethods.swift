internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore
internal import Scrobbling
internal import UserData

/// Lists of albums and songs in some order.
struct AlbumListMethods {
  let nowPlaying: NowPlaying

  var all: [String: SubsonicMethod] {
    [
      "getAlbumList2": SubsonicMethod(.listen) { call in
        try call.reading { library in
          .holding("albumList2", "album", library.albums(try places(call, library)))
        }
      },
      "getAlbumList": SubsonicMethod(.listen) { call in
        try call.reading { library in
          .holding("albumList", "album", library.albums(try places(call, library), isByTags: false))
        }
      },
      "getRandomSongs": SubsonicMethod(.listen, randomSongs),
      "getSongsByGenre": SubsonicMethod(.listen, songsByGenre),
      "getNowPlaying": SubsonicMethod(.listen, heardNow),
      "getStarred2": SubsonicMethod(.listen) { try starred($0, "starred2") },
      "getStarred": SubsonicMethod(.listen) { try starred($0, "starred") },
    ]
  }

  /// The orders of the specification.
  private enum Order: String {
    case random, newest, highest, frequent, recent, alphabeticalByName, alphabeticalByArtist, starred, byYear, byGenre
  }

  /// A page of the albums in the order that is asked for.
  private func places(_ call: SubsonicCall, _ library: SubsonicLibrary) throws -> [Int] {
    let type = try call.parameters.required("type")
    guard let order = Order(rawValue: type) else { throw SubsonicError.invalid("type", type) }
    let page = try call.parameters.page("size", "offset", default: 10)
    let rootID = try library.rootID(call.parameters)
    if order == .random { return randomPlaces(page.count, rootID, library.browseIndex) }
    let all = try places(in: order, call.parameters, library)
    guard let rootID else { return Array(all.dropFirst(page.offset).prefix(page.count)) }
    return Array(
      all.lazy.filter { library.browseIndex.isAlbum($0, inRoot: rootID) }.dropFirst(page.offset).prefix(page.count))
  }

  private func randomPlaces(_ count: Int, _ rootID: Int64?, _ browseIndex: BrowseIndex) -> [Int] {
    let albums = browseIndex.albums
    guard rootID != nil || albums.count < 4 * count else {
      var chosen: Set<Int> = []
      while chosen.count < count { chosen.insert(Int.random(in: albums.indices)) }
      return chosen.shuffled()
    }
    let places = albums.indices.filter { place in rootID.map { browseIndex.isAlbum(place, inRoot: $0) } ?? true }
    return Array(places.shuffled().prefix(count))
  }

  private func places(
    in order: Order, _ parameters: Fields, _ library: SubsonicLibrary
  ) throws -> AnyRandomAccessCollection<Int> {
    let browseIndex = library.browseIndex
    switch order {
    case .random, .alphabeticalByName: return AnyRandomAccessCollection(browseIndex.albums.indices)
    case .alphabeticalByArtist: return AnyRandomAccessCollection(browseIndex.albumsByArtist.lazy.map { Int($0) })
    case .newest: return AnyRandomAccessCollection(browseIndex.newestAlbums.lazy.map { Int($0) })
    case .highest: return AnyRandomAccessCollection(library.ratedAlbums)
    case .starred: return AnyRandomAccessCollection(library.starredAlbums)
    case .frequent:
      return AnyRandomAccessCollection(
        try heardAlbums(library).sorted { ($1.count, $1.lastAt, $0.place) < ($0.count, $0.lastAt, $1.place) }.map(
          \.place))
    case .recent:
      return AnyRandomAccessCollection(
        try heardAlbums(library).sorted { ($1.lastAt, $0.place) < ($0.lastAt, $1.place) }.map(\.place))
    case .byYear:
      guard let from = try parameters.integer("fromYear", in: 0...9999) else { throw SubsonicError.missing("fromYear") }
      guard let to = try parameters.integer("toYear", in: 0...9999) else { throw SubsonicError.missing("toYear") }
      let years = Int(min(from, to))...Int(max(from, to))
      let found = browseIndex.albums.indices.filter { browseIndex.albums[$0].year.map(years.contains) ?? false }
      let sorted = found.sorted { (browseIndex.albums[$0].year ?? 0, $0) < (browseIndex.albums[$1].year ?? 0, $1) }
      return AnyRandomAccessCollection(from > to ? sorted.reversed() : sorted)
    case .byGenre:
      guard let genre = browseIndex.genre(named: try parameters.required("genre")) else {
        return AnyRandomAccessCollection([])
      }
      return AnyRandomAccessCollection(
        browseIndex.albums.indices.filter { browseIndex.albums[$0].genres.contains(genre) })
    }
  }

  private func heardAlbums(_ library: SubsonicLibrary) throws -> [(place: Int, count: Int, lastAt: Int64)] {
    guard let personID = library.personID else { return [] }
    let heard = try Dictionary(
      uniqueKeysWithValues: library.store.albums.heard(by: personID).map { ($0.albumID, ($0.count, $0.lastAt)) })
    guard !heard.isEmpty else { return [] }
    let albums = library.browseIndex.albums
    return albums.indices.compactMap { place in
      heard[albums[place].libraryID].map { (place, $0.0, $0.1) }
    }
  }

  // MARK: - Songs

  private func heardNow(_ call: SubsonicCall) throws -> SubsonicObject {
    let entries = nowPlaying.entries
    let ages = entries.map { Int($0.ageInSeconds / 60) }
    return try call.reading { library in
      let songs = library.songs(entries.map(\.fileID)) { place, song, view in
        let entry = entries[place]
        var object = SubsonicObject()
        object.add("username", entry.player.user)
        object.add("minutesAgo", ages[place])
        object.add("playerId", entry.number)
        object.add("playerName", entry.player.name)
        object.add("state", entry.state)
        object.add("positionMs", entry.positionInMilliseconds)
        return SubsonicObject(SongDocument.object(song, view), object)
      }
      return .holding("nowPlaying", "entry", songs)
    }
  }

  private func randomSongs(_ call: SubsonicCall) throws -> SubsonicObject {
    let count = Int(try call.parameters.integer("size", in: 0...500) ?? 10)
    let years = try (
      call.parameters.integer("fromYear", in: 0...9999), call.parameters.integer("toYear", in: 0...9999)
    )
    let genreName = call.parameters["genre"]
    return try call.reading { library in
      let browseIndex = library.browseIndex
      let rootID = try library.rootID(call.parameters)
      func fits(_ song: Int) -> Bool {
        let year = Int64(browseIndex.yearOfSong[song])
        return browseIndex.isListed(song, inRoot: rootID)
          && year >= years.0 ?? .min && (years.1 == nil || year > 0 && year <= years.1 ?? .max)
      }
      let source: [Int]
      if let genreName {
        source = browseIndex.genre(named: genreName).map { browseIndex.genres[$0].songs.map { Int($0) } } ?? []
      } else if years.0 == nil, years.1 == nil, rootID == nil, browseIndex.listedSongCount > 4 * count {
        var chosen: Set<Int> = []
        while chosen.count < count {
          let song = Int.random(in: browseIndex.fileIDs.indices)
          if browseIndex.isListed(song) { chosen.insert(song) }
        }
        source = Array(chosen)
      } else {
        source = Array(browseIndex.fileIDs.indices)
      }
      let chosen = source.filter(fits).shuffled().prefix(count)
      return .holding("randomSongs", "song", library.songs(chosen.map { browseIndex.fileIDs[$0] }))
    }
  }

  private func songsByGenre(_ call: SubsonicCall) throws -> SubsonicObject {
    let name = try call.parameters.required("genre")
    let page = try call.parameters.page("count", "offset", default: 10)
    return try call.reading { library in
      let browseIndex = library.browseIndex
      let rootID = try library.rootID(call.parameters)
      let songs = browseIndex.genre(named: name).map { browseIndex.genres[$0].songs } ?? []
      let found = songs.lazy.filter { browseIndex.isListed(Int($0), inRoot: rootID) }
        .dropFirst(page.offset).prefix(page.count)
      return .holding("songsByGenre", "song", library.songs(found.map { browseIndex.fileIDs[Int($0)] }))
    }
  }

  private func starred(_ call: SubsonicCall, _ name: String) throws -> SubsonicObject {
    try call.reading { library in
      let rootID = try library.rootID(call.parameters)
      let browseIndex = library.browseIndex
      let artists = library.starredArtists.filter { place in
        guard let rootID else { return true }
        let artist = browseIndex.artists[place]
        return (artist.albums + artist.guestAlbums).contains { browseIndex.isAlbum($0, inRoot: rootID) }
      }
      let albums = library.starredAlbums.filter { place in
        rootID.map { browseIndex.isAlbum(place, inRoot: $0) } ?? true
      }
      let recordings = try library.personID.map {
        try library.store.attributes.recordings(with: Opinion.starred.rawValue, of: $0).sorted { $0.value > $1.value }
      }
      let files = try library.store.songs.fileIDs(ofRecordings: recordings?.map(\.recordingID) ?? []).filter { file in
        guard let rootID else { return true }
        return browseIndex.song(ofFile: file).map { browseIndex.isSong($0, inRoot: rootID) } ?? false
      }
      let isByTags = name == "starred2"
      var starred = SubsonicObject()
      starred.add("artist", library.artists(artists, isByTags: isByTags))
      starred.add("album", library.albums(albums, isByTags: isByTags))
      starred.add("song", library.songs(files))
      return .holding(name, starred)
    }
  }
}
