internal import Base
internal import MediaModel
internal import MediaStore

/// The library for one call: a connection, the catalogue, and who asks.
struct SubsonicLibrary {
  let store: MediaStore
  let catalogue: Catalogue
  /// nil if nothing is known of the person yet.
  let personID: Int64?
  private let opinions: Opinions

  /// What a person says about albums and artists, by their places in the catalogue.
  private struct Opinions {
    var albums: [Int: Marks] = [:]
    var artists: [Int: Marks] = [:]
  }

  struct Marks {
    /// In ISO 8601.
    var starredAt: String?
    /// 0 to 100.
    var rating: Double?
  }

  init(_ store: MediaStore, _ catalogue: Catalogue, personID: Int64?) throws {
    self.store = store
    self.catalogue = catalogue
    self.personID = personID
    var opinions = Opinions()
    for attribute in try personID.map({ try store.groupAttributes(of: $0) }) ?? [] {
      func set(_ marks: inout Marks?) {
        var new = marks ?? Marks()
        if attribute.name == Opinion.starred.rawValue { new.starredAt = attribute.value }
        if attribute.name == Opinion.rating.rawValue { new.rating = Double(attribute.value) }
        marks = new
      }
      switch attribute.group {
      case .artist(let name): if let place = catalogue.artist(named: name) { set(&opinions.artists[place]) }
      case .album(let name, let artist):
        if let place = catalogue.album(named: name, artist: artist) { set(&opinions.albums[place]) }
      }
    }
    self.opinions = opinions
  }

  func marks(ofAlbum album: Int) -> Marks { opinions.albums[album] ?? Marks() }
  func marks(ofArtist artist: Int) -> Marks { opinions.artists[artist] ?? Marks() }

  /// The albums with a star, the latest first.
  var starredAlbums: [Int] { Self.starred(opinions.albums) }
  var starredArtists: [Int] { Self.starred(opinions.artists) }
  var ratedAlbums: [Int] {
    opinions.albums.filter { $0.value.rating != nil }
      .sorted { ($0.value.rating ?? 0, $1.key) > ($1.value.rating ?? 0, $0.key) }.map(\.key)
  }

  private static func starred(_ marks: [Int: Marks]) -> [Int] {
    marks.filter { $0.value.starredAt != nil }
      .sorted { ($0.value.starredAt ?? "", $1.key) > ($1.value.starredAt ?? "", $0.key) }.map(\.key)
  }

  // MARK: - Ids

  /// - Throws: ``SubsonicError`` if there is no such song.
  func fileID(ofSong id: String) throws -> Int64 {
    guard let key = ContentHash(hexadecimal: id), let file = try store.fileID(key: key) else {
      throw SubsonicError.notFound("song")
    }
    return file
  }

  func recordingID(ofSong id: String) throws -> Int64 {
    guard let recording = try store.recordingID(ofFile: try fileID(ofSong: id)) else {
      throw SubsonicError.notFound("song")
    }
    return recording
  }

  func album(_ id: String) throws(SubsonicError) -> Int {
    guard let place = catalogue.album(id: id) else { throw .notFound("album") }
    return place
  }

  func artist(_ id: String) throws(SubsonicError) -> Int {
    guard let place = catalogue.artist(id: id) else { throw .notFound("artist") }
    return place
  }

  /// The track of a song, as the rest of the program names it.
  func track(ofSong id: String) throws -> (reference: TrackReference, file: FileDetail) {
    let fileID = try fileID(ofSong: id)
    guard let recording = try store.recordingID(ofFile: fileID),
      var reference = try store.namedTrack(BytePath(String(recording))),
      let index = reference.fileDetails.firstIndex(where: { $0.id == fileID })
    else { throw SubsonicError.notFound("song") }
    let file = reference.fileDetails.remove(at: index)
    reference.fileDetails.insert(file, at: 0)
    return (reference, file)
  }

  // MARK: - Documents

  /// The songs of some files, in their order.
  func songs(_ fileIDs: [Int64]) throws -> [SubsonicObject] {
    try store.songs(fileIDs, of: personID).map { document(of: $0) }
  }

  func document(of song: Song) -> SubsonicObject { SongDocument.object(song, in: catalogue) }

  /// The songs of an album, by disc and track.
  func songs(ofAlbum album: Int) throws -> [Song] {
    try store.songs(catalogue.fileIDs(ofAlbum: album), of: personID).sorted {
      ($0.disc ?? 1, $0.track ?? 0, $0.path) < ($1.disc ?? 1, $1.track ?? 0, $1.path)
    }
  }

  func albums(_ places: some Sequence<Int>) throws -> [SubsonicObject] {
    let places = Array(places)
    let covers = try store.artworkHashes(ofFiles: places.map { catalogue.firstFileID(ofAlbum: $0) })
    return zip(places, covers).map { AlbumDocument.object($0, cover: $1, self) }
  }

  func artists(_ places: some Sequence<Int>) -> [SubsonicObject] { places.map { ArtistDocument.object($0, self) } }

  /// The root that a parameter asks for; nil for all.
  func rootID(_ parameters: SubsonicParameters) throws(SubsonicError) -> Int64? {
    try parameters.integer("musicFolderId", in: 0...Int64.max)
  }
}
