internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// The editions of albums in a library, and whether they are complete.
struct AlbumShelf {
  /// An edition: album, artist, folder and codec, see ``AlbumEdition``.
  struct Key: Hashable, Comparable {
    var album: String
    var artist: String
    var edition: String

    static func < (left: Key, right: Key) -> Bool {
      (left.album, left.artist, left.edition) < (right.album, right.artist, right.edition)
    }

    func hasSameAlbum(as other: Key) -> Bool {
      CopyJudge.folded(album) == CopyJudge.folded(other.album)
        && (artist.isEmpty || other.artist.isEmpty || CopyJudge.folded(artist) == CopyJudge.folded(other.artist))
    }
  }

  struct Edition {
    var key: Key
    /// Files of one number count once.
    var trackCount: Int
    /// Whether nothing shows that a track is missing. A single file is no album.
    var isComplete: Bool

    /// A complete album comes before all others, of which the one with more tracks is first.
    var rank: Int { isComplete ? .max : trackCount }
  }

  private let store: MediaStore
  private var editions: [Key: Edition] = [:]
  private var known: Set<String> = []

  init(_ store: MediaStore) { self.store = store }

  /// nil for a file whose tags name no album.
  mutating func edition(of labels: FileLabels) throws -> Edition? {
    guard let album = labels.album, let key = Self.key(of: labels) else { return nil }
    if known.insert(album).inserted {
      let files = try store.files.labels(ofAlbum: album)
      for (key, files) in Dictionary(grouping: files, by: Self.key) {
        guard let key else { continue }
        editions[key] = Edition(key: key, trackCount: Self.trackCount(files), isComplete: Self.isComplete(files))
      }
    }
    return editions[key]
  }

  private static func key(of labels: FileLabels) -> Key? {
    guard let album = labels.album, let edition = labels.edition else { return nil }
    return Key(album: album, artist: labels.albumArtist ?? "", edition: edition)
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
