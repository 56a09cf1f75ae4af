internal import Base
internal import UserData

/// Files indexed by the ends of their paths, to find a file whose folders have other names on the machine that a path
/// comes from.
struct PathEnds {
  private struct Part: Equatable {
    let text: String
    let folded: String

    init(_ text: Substring) {
      self.text = String(text)
      folded = TextFolding.fold(self.text)
    }
  }

  /// A file whose path may end like one that is looked for.
  struct File {
    let path: BytePath
    /// nil if it has no recording.
    let recordingID: Int64?
    let title: String?
    let artist: String?
    let durationInSeconds: Double?
  }

  /// The number of components that must agree, including the file name.
  private static let leastCount = 2
  /// The same for a recording that another track is certain to be: `Greatest Hits/01.mp3` exists more than once.
  private static let leastCountOfTaken = 3

  private let wanted: Set<String>
  private let taken: Set<Int64>
  /// The components of paths, last first, by folded file name.
  private var files: [String: [(parts: [Part], file: File)]] = [:]

  /// - Parameters:
  ///   - paths: all paths that will be looked up.
  ///   - taken: recordings that certainly belong to other tracks.
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

  /// The recording of the file whose path shares the longest end with a path of the track: at least two components,
  /// without a contradiction to what is known of the track. nil if files of several recordings agree equally well.
  ///
  /// Case, accents and their encoding count only to choose among several files.
  func recordingID(of track: TrackDescription) -> Int64? {
    track.paths.lazy.compactMap { recordingID(at: $0, of: track) }.first
  }

  /// The recording of the only files with the bare name of the track, unless it is certainly another track's, or what is
  /// known of the track contradicts.
  func recordingID(byNameOf track: TrackDescription) -> Int64? {
    track.bareNames.lazy.compactMap { recordingID(named: $0, of: track) }.first
  }

  private func recordingID(named name: String, of track: TrackDescription) -> Int64? {
    guard let found = files[TextFolding.fold(name)]?.map(\.file), Set(found.map(\.recordingID)).count == 1,
      let id = found[0].recordingID, !taken.contains(id)
    else { return nil }
    let isPossible = found.contains {
      !track.contradicts(title: $0.title, artist: $0.artist, durationInSeconds: $0.durationInSeconds)
    }
    return isPossible ? id : nil
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

/// Recordings indexed by their tags, to find tracks of a playlist whose paths are not on this machine.
struct TaggedRecordings {
  private struct Candidate {
    let recordingID: Int64
    let artist: String
    let durationInSeconds: Double?
  }

  /// Titles, folded.
  private let wanted: Set<String>
  private var candidates: [String: [Candidate]] = [:]

  /// - Parameter tracks: all tracks that will be looked up.
  init(wanted tracks: [TrackDescription]) {
    wanted = Set(tracks.compactMap { $0.title.map(TextFolding.fold) }).subtracting([""])
  }

  mutating func add(_ recordingID: Int64, title: String, artist: String?, durationInSeconds: Double?) {
    guard !wanted.isEmpty, case let title = TextFolding.fold(title), wanted.contains(title) else { return }
    let candidate = Candidate(
      recordingID: recordingID, artist: TextFolding.fold(artist ?? ""), durationInSeconds: durationInSeconds)
    candidates[title, default: []].append(candidate)
  }

  /// The recording with the same title and artist, ignoring case and accents. Of several, the one whose length is
  /// closest, within 3 s; nil if none fits, or if the length is unknown and there are several.
  func recordingID(of track: TrackDescription) -> Int64? {
    guard let title = track.title, let known = candidates[TextFolding.fold(title)] else { return nil }
    let artist = track.artist.map(TextFolding.fold) ?? ""
    let found = known.filter { artist.isEmpty || $0.artist == artist }
    guard let duration = track.durationInSeconds else {
      return Set(found.map(\.recordingID)).count == 1 ? found[0].recordingID : nil
    }
    return found.compactMap { candidate in
      candidate.durationInSeconds.map { (difference: abs($0 - duration), id: candidate.recordingID) }
    }
    .filter { $0.difference <= TrackDescription.toleranceInSeconds }.min { $0 < $1 }?.id
  }
}
