internal import ArgumentParser
internal import LibraryTracks
internal import MediaStore

/// The tracks of a command that changes what users decide: ids, paths of files or folders, or a query.
struct TracksArgument: ParsableArguments {
  @Flag(help: "All tracks of the library.")
  var all = false

  @Argument(
    help: ArgumentHelp("The tracks: ids, paths of files, or a query.", valueName: "query"),
    completion: Completions.query)
  var words: [String] = []

  func validate() throws {
    let hasWords = words.contains { !$0.isEmpty }
    if all, hasWords { throw ValidationError("--all takes no query") }
    if !all, !hasWords { throw ValidationError("name the tracks with ids, paths or a query, or use --all") }
  }

  /// The recordings in the order of the ids or paths, or of the query.
  ///
  /// - Throws: `TrackError` if nothing is found.
  func recordingIDs(in store: MediaStore) throws -> [Int64] {
    let ids = try store.tracks.recordingIDs(naming: words)
    guard !ids.isEmpty || all else { throw TrackError.nothing(named: words) }
    return ids
  }
}
