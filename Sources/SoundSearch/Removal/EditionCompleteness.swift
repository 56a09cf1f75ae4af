internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// The editions of albums in a library, and whether they are complete.
struct EditionCompleteness {
  /// An edition of an album, see ``AlbumEdition``.
  struct Key: Hashable, Comparable {
    var albumID: Int64
    var edition: String

    static func < (left: Key, right: Key) -> Bool { (left.albumID, left.edition) < (right.albumID, right.edition) }
  }

  struct Edition {
    var key: Key
    /// As its files have it.
    var title: String
    /// Files of one number count once.
    var trackCount: Int
    /// Whether nothing shows that a track is missing. A single file is no album.
    var isComplete: Bool

    /// A complete album comes before all others, of which the one with more tracks is first.
    var rank: Int { isComplete ? .max : trackCount }
  }

  private let store: MediaStore
  private var editions: [Key: Edition] = [:]
  private var known: Set<Int64> = []

  init(_ store: MediaStore) { self.store = store }

  /// nil for a file without an album.
  mutating func edition(of labels: FileLabels) throws -> Edition? {
    guard let key = Self.key(of: labels) else { return nil }
    if known.insert(key.albumID).inserted {
      let files = try store.files.labels(ofAlbum: key.albumID)
      for (key, files) in Dictionary(grouping: files, by: Self.key) {
        guard let key else { continue }
        editions[key] = Edition(
          key: key, title: files.lazy.compactMap(\.album).first ?? "", trackCount: Self.trackCount(files),
          isComplete: Self.isComplete(files))
      }
    }
    return editions[key]
  }

  private static func key(of labels: FileLabels) -> Key? {
    guard let album = labels.albumID, let edition = labels.edition else { return nil }
    return Key(albumID: album, edition: edition)
  }

  private static func trackCount(_ files: [FileLabels]) -> Int {
    let numbered = files.compactMap { file in file.track.map { [file.disc ?? 1, $0] } }
    return Set(numbered).count + files.count - numbered.count
  }

  /// Tracks count up from 1 on each disc without a gap, to the stated totals if there are any. Without numbers nothing shows
  /// that one is missing.
  static func isComplete(_ files: [FileLabels]) -> Bool {
    guard files.count > 1 else { return false }
    let discs = Dictionary(grouping: files.filter { $0.track != nil }) { $0.disc ?? 1 }
    if let discTotal = files.compactMap(\.discTotal).max(), discTotal > 1, discs.count < discTotal { return false }
    return discs.values.allSatisfy { files in
      let tracks = Set(files.compactMap(\.track))
      let last = max(tracks.max() ?? 0, files.compactMap(\.trackTotal).max() ?? 0)
      // Numbers of tracks are what files say.
      return tracks.count >= last && tracks.allSatisfy { $0 >= 1 }
    }
  }
}
