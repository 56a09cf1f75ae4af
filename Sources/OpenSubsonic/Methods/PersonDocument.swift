internal import LibraryServing
internal import LibraryTracks
internal import MediaStore

/// Somebody who is no artist of the index, with the albums for which they did something (`ArtistWithAlbumsID3`).
enum PersonDocument {
  /// - Throws: ``SubsonicError`` if no song names them.
  static func object(_ name: String, id: String, _ library: SubsonicLibrary) throws -> SubsonicObject {
    let songs = try library.store.songs.fileIDs(ofContributor: name).compactMap { library.browseIndex.song(ofFile: $0) }
    guard !songs.isEmpty else { throw SubsonicError.notFound("artist") }
    let places = Set(songs.map { Int(library.browseIndex.albumOfSong[$0]) })
    var artist = SubsonicObject()
    artist.add("id", id)
    artist.add("name", name)
    artist.add("albumCount", places.count)
    artist.add("album", library.albums(places.sorted()))
    return artist
  }
}
