package import MediaModel

/// Why a user's word for a track does not lead to one.
package enum TrackError: Error, Hashable, Sendable, CustomStringConvertible {
  case noTrack(id: Int64)
  case notInLibrary(BytePath)
  /// The library knows the file, but could not read its sound.
  case noSound(BytePath, FileState, reason: String?)
  case nothingMatches(String)
  /// As many ids where one track is asked for.
  case severalTracks(Int)
  /// What is found has no such tag.
  case untagged(String, field: String)
  /// - Parameter examples: some of what matches, as `17 Nora Vale - Slow Tide`.
  case ambiguous(String, count: Int, examples: [String])

  package var description: String {
    switch self {
    case .noTrack(let id): "no track \(id)"
    case .notInLibrary(let path): "\(path.displayString): not in the library"
    case .noSound(let path, let state, let reason):
      "\(path.displayString): \(state.rawValue)" + (reason.map { ": \($0)" } ?? "")
    case .severalTracks(let count): "one track is asked for, not \(count)"
    case .nothingMatches(let text): "no track matches '\(text)'"
    case .untagged(let text, let field): "nothing that '\(text)' finds has a tag for \(field)"
    case .ambiguous(let text, let count, let examples):
      "\(count) tracks match '\(text)': " + examples.joined(separator: "; ")
        + (count > examples.count ? "; …" : "")
    }
  }
}
