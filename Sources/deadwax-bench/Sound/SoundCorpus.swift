internal import AudioAnalysis
internal import Base
internal import Foundation
internal import MediaModel
internal import SoundIndex

/// Music whose recordings are known, in packages: the folders at the top.
struct SoundCorpus {
  struct Track {
    let path: BytePath
    let package: String
    let hash: ContentHash
    let landmarks: [UInt8]
    let durationInSeconds: Double
  }

  private(set) var tracks: [Track] = []
  let folder: BytePath

  /// Decodes everything; longer tracks are cut off after `seconds`.
  init(at path: BytePath, keepingSeconds seconds: Double) throws {
    folder = path
    for file in try MusicGroup.groups(of: [path]).flatMap(\.files).sorted() {
      let music = try Self.music(file, keepingSeconds: seconds)
      guard music.durationInSeconds >= 20 else { continue }
      var analyzer = TrackAnalyzer(format: music.format, kinds: [.landmarks])
      analyzer.consume(music.samples.span)
      let bytes = analyzer.finish().products.first?.bytes ?? []
      let name = file.relative(to: path)
      let package = name.bytes.split(separator: UInt8(ascii: "/")).first.map { BytePath($0).displayString } ?? ""
      tracks.append(
        Track(
          path: file, package: package, hash: ContentHash(high: 1, low: UInt64(tracks.count)), landmarks: bytes,
          durationInSeconds: min(music.durationInSeconds, seconds)))
    }
  }

  static func music(_ file: BytePath, keepingSeconds seconds: Double) throws -> DecodedMusic {
    try OpenedFile.read(file) { try DecodedMusic(decoding: $0, keeping: seconds) }
  }

  var packages: [String] { Set(tracks.map(\.package)).sorted() }

  /// An index of the tracks that are chosen.
  func index(in folder: BytePath, where isChosen: (Track) -> Bool) throws -> SoundIndex {
    let chosen = Dictionary(uniqueKeysWithValues: tracks.filter(isChosen).map { ($0.hash, $0) })
    let listing = LibraryListing(
      mark: [UInt8](repeating: 1, count: 16), recipeVersion: ProductRecipe.current(.landmarks).version,
      entries: chosen.values.sorted { $0.hash.low < $1.hash.low }.map {
        LibraryListing.Entry(hash: $0.hash, checksum: CRC32.checksum($0.landmarks), productID: Int64($0.hash.low))
      })
    _ = try SoundIndex.update(
      at: folder, to: listing,
      load: { entries in
        entries.compactMap { entry in
          chosen[entry.hash].map {
            NewRecording(hash: entry.hash, landmarkBytes: $0.landmarks, checksum: entry.checksum)
          }
        }
      })
    return try SoundIndex.open(at: folder)
  }
}

/// A rate with its interval.
struct Rate {
  var count = 0
  var total = 0

  mutating func add(_ isHit: Bool) {
    total += 1
    if isHit { count += 1 }
  }

  var value: Double? { total > 0 ? Double(count) / Double(total) : nil }

  /// The interval of Wilson that holds the true rate with 95 % probability.
  var interval: (low: Double, high: Double)? {
    guard total > 0 else { return nil }
    let (n, p, z) = (Double(total), Double(count) / Double(total), 1.96)
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return (max(0, middle - half), min(1, middle + half))
  }
}
