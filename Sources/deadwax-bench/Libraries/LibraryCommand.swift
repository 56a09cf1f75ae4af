internal import ArgumentParser
internal import Base
internal import Foundation
internal import LibraryScanning
internal import LibraryTracks
internal import MediaStore

/// `deadwax-bench library`: creates a large library for queries, without any audio.
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Create a library of made-up tracks with realistic names, tags and measures, and no audio.",
    discussion: "The same options give the same library. A million tracks take some minutes and 3 GB.")

  @Option(help: ArgumentHelp("The number of tracks.", valueName: "count"))
  var tracks = 1_000_000

  @Option(help: ArgumentHelp("Each number gives another library.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Give each track landmarks like those of this library, for sound search; 4 KB more a track.", valueName: "file"))
  var landmarks: String?

  @Option(name: [.short, .long], help: ArgumentHelp("The library to create; it must not exist.", valueName: "file"))
  var output: String

  func validate() throws {
    if !(1...10_000_000).contains(tracks) { throw ValidationError("--tracks takes a number from 1 to 10000000") }
  }

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else { throw BenchFailure("\(output) already exists") }
    let store = try MediaStore(at: BytePath(output), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: nil)
    let example = try landmarks.map { try SyntheticLandmarks(like: BytePath(URL(filePath: $0).path)) }
    var maker = LibraryMaker(seed: seed, rootID: root.id, landmarks: example)
    let elapsed = try BenchClock.wall.measure {
      var remaining = tracks
      while remaining > 0 {
        let batch = maker.next(min(remaining, 5_000))
        try store.scans.apply(batch)
        remaining -= batch.count
      }
      try store.close()
    }
    print("\(tracks) tracks in \(Int(elapsed)) s")
  }
}

/// Makes up the files of a collection, artist by artist and album by album.
struct LibraryMaker {
  private let rootID: Int64
  private let vocabulary = Vocabulary()
  private let landmarks: SyntheticLandmarks?
  private var random: BenchRandom
  private var albums: [SyntheticAlbum] = []
  private var trackIndex = 0
  private var nextInAlbum = 0
  /// Folders in use: two albums of one artist, title and year would share their paths.
  private var folders: Set<String> = []

  init(seed: UInt64, rootID: Int64, landmarks: SyntheticLandmarks?) {
    self.rootID = rootID
    self.landmarks = landmarks
    random = BenchRandom(seed: seed)
  }

  mutating func next(_ count: Int) -> [FileChange] {
    (0..<count).map { _ in .extracted(nextTrack()) }
  }

  private mutating func nextTrack() -> FileRecord {
    while albums.isEmpty { addArtist() }
    let album = albums[0]
    nextInAlbum += 1
    let track = SyntheticTrack(
      nextInAlbum, on: 1 + nextInAlbum / 15, index: trackIndex, of: album, rootID: rootID, vocabulary, landmarks,
      &random)
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
      let album = SyntheticAlbum(by: name, script, vocabulary, &random)
      if folders.insert("\(name)/\(album.year)/\(album.title)").inserted { albums.append(album) }
    }
  }
}
