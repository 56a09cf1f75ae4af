internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

/// What a call needs of the library besides a connection: the browse index, and who asks. It stays the same while a long answer
/// is sent.
struct SubsonicView: Sendable {
  let library: LibraryAccess
  let browseIndex: BrowseIndex
  /// nil if nothing is known of the person yet.
  let personID: Int64?
  let hearing: SongHearing
  fileprivate let opinions: Opinions

  /// What a person says about albums and artists, by their places in the browse index.
  fileprivate struct Opinions: Sendable {
    var albums: [Int: Marks] = [:]
    var artists: [Int: Marks] = [:]
  }

  struct Marks: Sendable {
    /// In ISO 8601.
    var starredAt: String?
    /// 0 to 100.
    var rating: Double?
  }

  init(
    _ store: MediaStore, of library: LibraryAccess, _ browseIndex: BrowseIndex, personID: Int64?, account: Account?
  ) throws {
    self.library = library
    hearing = try SongHearing(account, in: store)
    self.browseIndex = browseIndex
    self.personID = personID
    var opinions = Opinions()
    for attribute in try personID.map({ try store.attributes.ofGroups(by: $0) }) ?? [] {
      func set(_ marks: inout Marks?) {
        var new = marks ?? Marks()
        if attribute.name == Opinion.starred.rawValue { new.starredAt = attribute.value }
        if attribute.name == Opinion.rating.rawValue { new.rating = DecimalText.parse(attribute.value) }
        marks = new
      }
      switch attribute.group {
      case .artist(let name): if let place = browseIndex.artist(named: name) { set(&opinions.artists[place]) }
      case .album(let name, let artist):
        if let place = browseIndex.album(AlbumNames(artist: artist, title: name)) { set(&opinions.albums[place]) }
      }
    }
    self.opinions = opinions
  }

  func marks(ofAlbum album: Int) -> Marks { opinions.albums[album] ?? Marks() }
  func marks(ofArtist artist: Int) -> Marks { opinions.artists[artist] ?? Marks() }

  /// Calls `body` with a connection, which is given back behind it.
  func reading<Value>(_ body: (SubsonicLibrary) throws -> Value) throws -> Value {
    try library.reading { try body(SubsonicLibrary($0, self)) }
  }
}

/// The library for one call: a connection, and what is known besides it.
struct SubsonicLibrary {
  let store: MediaStore
  let view: SubsonicView

  init(_ store: MediaStore, _ view: SubsonicView) {
    self.store = store
    self.view = view
  }

  var browseIndex: BrowseIndex { view.browseIndex }
  var personID: Int64? { view.personID }

  /// The albums with a star, the latest first.
  var starredAlbums: [Int] { Self.starred(view.opinions.albums) }
  var starredArtists: [Int] { Self.starred(view.opinions.artists) }
  var ratedAlbums: [Int] {
    view.opinions.albums.filter { $0.value.rating != nil }
      .sorted { ($0.value.rating ?? 0, $1.key) > ($1.value.rating ?? 0, $0.key) }.map(\.key)
  }

  private static func starred(_ marks: [Int: SubsonicView.Marks]) -> [Int] {
    marks.filter { $0.value.starredAt != nil }
      .sorted { ($0.value.starredAt ?? "", $1.key) > ($1.value.starredAt ?? "", $0.key) }.map(\.key)
  }

  // MARK: - Ids

  /// - Throws: ``SubsonicError`` if there is no such song.
  func fileID(ofSong id: String) throws -> Int64 {
    guard let key = ContentHash(hexadecimal: id), let file = try store.songs.fileID(key: key) else {
      throw SubsonicError.notFound("song")
    }
    return file
  }

  func recordingID(ofSong id: String) throws -> Int64 {
    guard let recording = try store.recordings.id(ofFile: try fileID(ofSong: id)) else {
      throw SubsonicError.notFound("song")
    }
    return recording
  }

  func album(_ id: String) throws(SubsonicError) -> Int {
    guard let place = browseIndex.album(id: id) else { throw .notFound("album") }
    return place
  }

  func artist(_ id: String) throws(SubsonicError) -> Int {
    guard let place = browseIndex.artist(id: id) else { throw .notFound("artist") }
    return place
  }

  /// The track of a song, as the rest of the program names it.
  func track(ofSong id: String) throws -> (reference: TrackReference, file: FileDetail) {
    let fileID = try fileID(ofSong: id)
    guard let recording = try store.recordings.id(ofFile: fileID),
      var reference = try store.tracks.named(BytePath(String(recording))),
      let index = reference.fileDetails.firstIndex(where: { $0.id == fileID })
    else { throw SubsonicError.notFound("song") }
    let file = reference.fileDetails.remove(at: index)
    reference.fileDetails.insert(file, at: 0)
    return (reference, file)
  }

  // MARK: - Lists

  /// A list whose objects are made through connections of their own, when they are about to be sent.
  func items(
    _ count: Int,
    _ make: @escaping @Sendable (SubsonicLibrary, _ range: Range<Int>, _ take: SubsonicItems.Take) throws -> Void
  ) -> SubsonicItems {
    SubsonicItems(count: count) { [view] range, take in try view.reading { try make($0, range, take) } }
  }

  /// The songs of some files, in their order.
  func songs(_ fileIDs: [Int64]) -> SubsonicItems {
    songs(fileIDs) { _, song, view in SongDocument.object(song, view) }
  }

  /// The same with an object for each song that has more; nil to leave it out.
  ///
  /// - Parameter object: Gets the place in `fileIDs`, too.
  func songs(
    _ fileIDs: [Int64], _ object: @escaping @Sendable (_ place: Int, Song, SubsonicView) -> SubsonicObject?
  ) -> SubsonicItems {
    items(fileIDs.count) { library, range, take in
      try library.store.songs.forEach(
        in: fileIDs[range], of: library.personID, withPresets: library.view.hearing.hearsPresets,
        albums: library.browseIndex.albumLoudness
      ) { place, song in
        object(place, song, library.view).map { take(place, $0) } ?? true
      }
    }
  }

  /// How long some files are heard, if that is not how long they last; else nil.
  ///
  /// - Complexity: O(files), if a preset changes the speed of anything.
  func heardSeconds(ofFiles fileIDs: @autoclosure () throws -> [Int64]) throws -> Double? {
    guard view.hearing.changesSpeed else { return nil }
    var seconds = 0.0
    try store.songs.forEach(in: fileIDs()[...], of: personID, withPresets: true) { _, song in
      let duration = song.durationInSeconds ?? 0
      seconds += view.hearing.sent(of: song)?.duration(ofSeconds: duration) ?? duration
      return true
    }
    return seconds
  }

  /// The song of a file; nil if it is gone.
  func song(_ fileID: Int64) throws -> Song? {
    try store.songs.all(
      in: [fileID], of: personID, withPresets: view.hearing.hearsPresets, albums: browseIndex.albumLoudness
    ).first
  }

  func document(of song: Song) -> SubsonicObject { SongDocument.object(song, view) }

  /// The files of an album, by disc and track.
  func fileIDs(ofAlbum album: Int) throws -> [Int64] {
    try store.songs.fileIDsByTrackNumber(browseIndex.fileIDs(ofAlbum: album))
  }

  /// - Parameter isByTags: Whether they are albums; else they are folders.
  func albums(_ places: some Sequence<Int>, isByTags: Bool = true) -> SubsonicItems {
    let places = Array(places)
    return items(places.count) { library, range, take in
      for part in range.parts() {
        let ids = places[part].map { library.browseIndex.albums[$0].libraryID }
        for (place, cover) in zip(part, try library.store.pictures.covers(ofAlbums: ids)) {
          let album = places[place]
          let seconds = try library.heardSeconds(ofFiles: library.browseIndex.fileIDs(ofAlbum: album))
          let object =
            isByTags
            ? AlbumDocument.object(album, cover: cover, seconds, library.view)
            : AlbumDocument.folder(album, cover: cover, seconds, library.view)
          guard take(place, object) else { return }
        }
      }
    }
  }

  /// - Parameter isByTags: Whether they are artists; else they are folders.
  func artists(_ places: some Sequence<Int>, isByTags: Bool = true) -> SubsonicItems {
    SubsonicItems(Array(places)) { [view] place in
      isByTags ? ArtistDocument.object(place, view) : ArtistDocument.folder(place, view)
    }
  }

  /// The root that a parameter asks for; nil for all.
  func rootID(_ parameters: Fields) throws(SubsonicError) -> Int64? {
    try parameters.integer("musicFolderId", in: 0...Int64.max)
  }
}
