internal import MediaModel

/// Files by the ends of their paths: how one is found whose folders are called otherwise where a path comes from.
struct PathEnds {
  private struct Part: Equatable {
    let text: String
    let folded: String

    init(_ text: Substring) {
      self.text = String(text)
      folded = TextFolding.fold(self.text)
    }
  }

  /// A file, of which a part of the path may be what is asked for.
  struct File {
    let path: BytePath
    /// nil where it has no sound.
    let recordingID: Int64?
    let title: String?
    let artist: String?
    let durationInSeconds: Double?
  }

  /// Components that must agree, the file's name among them.
  private static let leastCount = 2
  /// The same for a sound that another track has for certain: `Greatest Hits/01.mp3` exists more than once.
  private static let leastCountOfTaken = 3

  private let wanted: Set<String>
  private let taken: Set<Int64>
  /// By the folded name of the file: the components of paths, the last one first.
  private var files: [String: [(parts: [Part], file: File)]] = [:]

  /// - Parameters:
  ///   - paths: All that will be asked for.
  ///   - taken: Sounds of which it is certain that other tracks are them.
  init(wanted paths: [BytePath], taken: Set<Int64>) {
    wanted = Set(paths.compactMap { Self.parts(of: $0).first?.folded })
    self.taken = taken
  }

  /// Whether a file of this name may be found.
  func wants(_ name: String) -> Bool { wanted.contains(TextFolding.fold(name)) }

  mutating func add(_ file: File) {
    let parts = Self.parts(of: file.path)
    guard let name = parts.first?.folded, wanted.contains(name) else { return }
    files[name, default: []].append((parts, file))
  }

  /// The sound of the file whose path agrees longest from its end with one of a track, at least in two components, and of
  /// which nothing contradicts what is said of the track; nil where files of several sounds agree as long.
  ///
  /// Case, accents and how they are encoded do not count, unless they decide among several.
  func recordingID(of track: TrackDescription) -> Int64? {
    track.paths.lazy.compactMap { recordingID(at: $0, of: track) }.first
  }

  private func recordingID(at path: BytePath, of track: TrackDescription) -> Int64? {
    let parts = Self.parts(of: path)
    guard let name = parts.first?.folded, let candidates = files[name] else { return nil }
    var best = (count: 0, exactCount: 0)
    var found: [File] = []
    for (others, file) in candidates {
      let same = zip(parts, others).prefix { $0.folded == $1.folded }
      let agreement = (count: same.count, exactCount: same.count { $0.text == $1.text })
      if agreement > best { (best, found) = (agreement, []) }
      if agreement == best { found.append(file) }
    }
    guard Set(found.map(\.recordingID)).count == 1, let id = found[0].recordingID,
      best.count >= (taken.contains(id) ? Self.leastCountOfTaken : Self.leastCount)
    else { return nil }
    let isPossible = found.contains {
      !track.contradicts(title: $0.title, artist: $0.artist, durationInSeconds: $0.durationInSeconds)
    }
    return isPossible ? id : nil
  }

  private static func parts(of path: BytePath) -> [Part] {
    path.displayString.split(separator: "/").reversed().map(Part.init)
  }
}
