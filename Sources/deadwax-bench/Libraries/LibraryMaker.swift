internal import MediaModel
internal import MediaStore

/// Makes the files of a collection: artist by artist, album by album.
struct LibraryMaker {
  private let rootID: Int64
  private let vocabulary = Vocabulary()
  private var random: BenchRandom
  private var albums: [MadeUpAlbum] = []
  private var trackIndex = 0
  private var nextInAlbum = 0
  /// Folders that are taken: two albums of one name and year would share their paths.
  private var folders: Set<String> = []

  init(seed: UInt64, rootID: Int64) {
    self.rootID = rootID
    random = BenchRandom(seed: seed)
  }

  mutating func next(_ count: Int) -> [FileChange] {
    (0..<count).map { _ in .extracted(nextTrack()) }
  }

  private mutating func nextTrack() -> FileRecord {
    while albums.isEmpty { addArtist() }
    let album = albums[0]
    nextInAlbum += 1
    let track = MadeUpTrack(
      nextInAlbum, on: 1 + nextInAlbum / 15, index: trackIndex, of: album, rootID: rootID, vocabulary, &random)
    trackIndex += 1
    if nextInAlbum >= album.trackCount {
      albums.removeFirst()
      nextInAlbum = 0
    }
    return track.record
  }

  private mutating func addArtist() {
    let script = vocabulary.script(&random)
    let name = vocabulary.phrase(1...3, script, &random)
    for _ in 0...random.rank(below: 40) {
      let album = MadeUpAlbum(by: name, script, vocabulary, &random)
      if folders.insert("\(name)/\(album.year)/\(album.title)").inserted { albums.append(album) }
    }
  }
}
