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
    help: ArgumentHelp("Which tracks: ids, paths of files, or a query.", valueName: "query"))
  var words: [String] = []

  func validate() throws {
    let hasWords = words.contains { !$0.isEmpty }
    if scope == .default || all, hasWords { throw ValidationError("--default and --all take no query") }
    if scope == .default, all { throw ValidationError("--default and --all exclude each other") }
    if scope != .default, !all, !hasWords {
      throw ValidationError("Which tracks? Name a query, --all of them one by one, or --default for the library.")
    }
  }

  /// - Throws: `TrackError` where nothing is found that can have a preset.
  func subjects(in store: MediaStore) throws -> [PresetSubject] {
    let scope: PresetScope =
      switch self.scope {
      case .album: .album
      case .artist: .artist
      case .default: .library
      case nil: .track
      }
    let query = try store.query(naming: words)
    let subjects = try store.presetSubjects(scope, of: query)
    guard subjects.isEmpty, !all else { return subjects }
    let text = words.joined(separator: " ")
    let hasTracks = try scope != .track && !store.presetSubjects(.track, of: query).isEmpty
    throw hasTracks ? TrackError.untagged(text, field: scope.rawValue) : .nothingMatches(text)
  }

  /// `3 tracks`, or the one that is meant.
  static func text(_ subjects: [PresetSubject]) -> String {
    guard let first = subjects.first, subjects.count != 1 else { return subjects.first?.description ?? "nothing" }
    return NumberText.count(subjects.count, first.scope.rawValue)
  }
}
