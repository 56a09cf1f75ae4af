internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// Which tracks, albums or artists a command about assignments means.
struct PresetTargetOptions: ParsableArguments {
  enum Scope: String, EnumerableFlag {
    case album, artist, `default`

    static func help(for value: Scope) -> ArgumentHelp? {
      switch value {
      case .album: "The albums of what the query finds, with all tracks that they have and will have."
      case .artist: "The artists of what the query finds."
      case .default: "The library: for everything that has nothing of its own."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var scope: Scope?

  @Flag(help: "Every track of the library, one by one.")
  var all = false

  @Argument(
    help: ArgumentHelp("Which tracks: an id, the path of a file, or a query.", valueName: "query"))
  var words: [String] = []

  func validate() throws {
    let hasWords = words.contains { !$0.isEmpty }
    if scope == .default || all, hasWords { throw ValidationError("--default and --all take no query") }
    if scope == .default, all { throw ValidationError("--default and --all exclude each other") }
    if scope != .default, !all, !hasWords {
      throw ValidationError("Which tracks? Name a query, --all of them one by one, or --default for the library.")
    }
  }

  /// - Throws: `TrackError.nothingMatches` where the query finds nothing that has a preset.
  func subjects(in store: MediaStore) throws -> [PresetSubject] {
    let scope: PresetScope =
      switch self.scope {
      case .album: .album
      case .artist: .artist
      case .default: .library
      case nil: .track
      }
    let text = words.joined(separator: " ")
    var query = Query.everything
    if !text.isEmpty {
      if words.count == 1, let track = try store.namedTrack(BytePath(argument: text)) {
        query = try store.query("id:\(track.recordingID)")
      } else {
        query = try store.query(text)
      }
    }
    let subjects = try store.presetSubjects(scope, of: query)
    guard !subjects.isEmpty || all else { throw TrackError.nothingMatches(text) }
    return subjects
  }

  /// `3 tracks`, or the one that is meant.
  static func text(_ subjects: [PresetSubject]) -> String {
    guard let first = subjects.first, subjects.count != 1 else { return subjects.first?.description ?? "nothing" }
    return PlainText.count(subjects.count, first.scope.rawValue)
  }
}
