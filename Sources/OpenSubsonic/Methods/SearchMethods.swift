internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore

/// Searches; one for nothing gives everything, page by page, which is how clients copy the library.
enum SearchMethods {
  static let all: [String: SubsonicMethod] = [
    "search3": SubsonicMethod(.listen) { try search($0, "searchResult3", isByTags: true) },
    "search2": SubsonicMethod(.listen) { try search($0, "searchResult2", isByTags: false) },
  ]

  private static func search(_ call: SubsonicCall, _ name: String, isByTags: Bool) throws -> SubsonicObject {
    let words = words(of: call.parameters["query"] ?? "")
    let parameters = call.parameters
    let artists = try parameters.page("artistCount", "artistOffset", default: 20, limit: 10_000)
    let albums = try parameters.page("albumCount", "albumOffset", default: 20, limit: 10_000)
    let songs = try parameters.page("songCount", "songOffset", default: 20, limit: 10_000)
    return try call.reading { library in
      let rootID = try library.rootID(parameters)
      let browseIndex = library.browseIndex
      var result = SubsonicObject()
      let foundArtists = artists.count == 0 ? [] : self.artists(words, rootID, browseIndex)
      result.add(
        "artist",
        library.artists(foundArtists.dropFirst(artists.offset).prefix(artists.count), isByTags: isByTags))
      let foundAlbums = albums.count == 0 ? [] : self.albums(words, rootID, browseIndex)
      result.add(
        "album", library.albums(foundAlbums.dropFirst(albums.offset).prefix(albums.count), isByTags: isByTags))
      result.add("song", library.songs(try self.songs(words, rootID, songs, library)))
      return .holding(name, result)
    }
  }

  /// The folded words of a query, each of which may be a part of one. Some clients quote the empty query, and some write for
  /// Lucene, with which the first servers searched: `title:moo*`, `+artist:(an* bee*)`.
  static func words(of query: String) -> [String] {
    let marks: Set<Character> = ["\"", "(", ")"]
    return query.split { $0.isWhitespace || marks.contains($0) }.flatMap { text -> [String] in
      var word = text
      if ["AND", "&&"].contains(word) { return [] }
      let isPrefix = word.last == "*"
      // A name can end so, too, but not be nothing else.
      if word.contains(where: { !"*~".contains($0) }) {
        while let last = word.last, "*~".contains(last) { word.removeLast() }
      }
      if word.first == "+", word.count > 1, isPrefix || word.contains(":") { word = word.dropFirst() }
      for field in ["title:", "artist:", "album:", "any:"] where word.lowercased().hasPrefix(field) {
        word = word.dropFirst(field.count)
        if word.first == "*" { return [] }
      }
      return TextFolding.fold(String(word)).split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  private static func artists(_ words: [String], _ rootID: Int64?, _ browseIndex: BrowseIndex) -> [Int] {
    let places = words.isEmpty ? Array(browseIndex.artists.indices) : browseIndex.artistNames.places(containing: words)
    guard let rootID else { return places.filter { !browseIndex.artists[$0].albums.isEmpty } }
    return places.filter { browseIndex.isArtist($0, inRoot: rootID) }
  }

  private static func albums(_ words: [String], _ rootID: Int64?, _ browseIndex: BrowseIndex) -> [Int] {
    let places = words.isEmpty ? Array(browseIndex.albums.indices) : browseIndex.albumNames.places(containing: words)
    return rootID.map { rootID in places.filter { browseIndex.isAlbum($0, inRoot: rootID) } } ?? places
  }

  private static func songs(
    _ words: [String], _ rootID: Int64?, _ page: (count: Int, offset: Int), _ library: SubsonicLibrary
  ) throws -> [Int64] {
    let browseIndex = library.browseIndex
    guard rootID != nil || browseIndex.hasCopies else {
      return try words.isEmpty
        ? Array(browseIndex.fileIDs.dropFirst(page.offset).prefix(page.count))
        : library.store.songs.fileIDs(containing: words, from: page.offset, limit: page.count)
    }
    guard words.isEmpty else {
      let found = try library.store.songs.fileIDs(containing: words, from: 0, limit: .max)
      return Array(
        found.lazy.filter { file in
          browseIndex.song(ofFile: file).map { browseIndex.isListed($0, inRoot: rootID) } ?? (rootID == nil)
        }
        .dropFirst(page.offset).prefix(page.count))
    }
    let places = browseIndex.fileIDs.indices.lazy.filter { browseIndex.isListed($0, inRoot: rootID) }
    return places.dropFirst(page.offset).prefix(page.count).map { browseIndex.fileIDs[$0] }
  }
}
