internal import MediaModel

/// Sounds by what their tags call them: how one is found where a playlist names no path that is here.
struct TaggedSounds {
  private struct Sound {
    let recordingID: Int64
    let artist: String
    let durationInSeconds: Double?
  }

  /// Titles, folded.
  private let wanted: Set<String>
  private var sounds: [String: [Sound]] = [:]

  /// - Parameter tracks: All that will be asked for.
  init(wanted tracks: [TrackDescription]) {
    wanted = Set(tracks.compactMap { $0.title.map(TextFolding.fold) }).subtracting([""])
  }

  mutating func add(_ recordingID: Int64, title: String, artist: String?, durationInSeconds: Double?) {
    guard !wanted.isEmpty, case let title = TextFolding.fold(title), wanted.contains(title) else { return }
    let sound = Sound(
      recordingID: recordingID, artist: TextFolding.fold(artist ?? ""), durationInSeconds: durationInSeconds)
    sounds[title, default: []].append(sound)
  }

  /// The sound whose title and artist are the same but for case and accents: of several the one whose length fits best,
  /// within 3 s; nil where none does, or where the length is not known and there are several.
  func recordingID(of track: TrackDescription) -> Int64? {
    guard let title = track.title, let known = sounds[TextFolding.fold(title)] else { return nil }
    let artist = track.artist.map(TextFolding.fold) ?? ""
    let found = known.filter { artist.isEmpty || $0.artist == artist }
    guard let duration = track.durationInSeconds else {
      return Set(found.map(\.recordingID)).count == 1 ? found[0].recordingID : nil
    }
    return found.compactMap { sound in
      sound.durationInSeconds.map { (difference: abs($0 - duration), id: sound.recordingID) }
    }
    .filter { $0.difference <= TrackDescription.toleranceInSeconds }.min { $0 < $1 }?.id
  }
}
