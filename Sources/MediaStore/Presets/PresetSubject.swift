package import MediaModel

/// What a preset is assigned to.
///
/// A recording is meant by its hash, an album and an artist by their names in the tags, letter by letter: so a recording
/// keeps its preset whatever becomes of its files and tags, and a new track of an album has that of the album at once.
package enum PresetSubject: Hashable, Sendable {
  /// - Parameter label: What the track is called, for people; it is no part of what is meant.
  case track(ContentHash, label: String)
  /// - Parameter artist: The album artist, or the artist where there is none.
  case album(String, artist: String)
  case artist(String)
  case library

  package var scope: PresetScope {
    switch self {
    case .track: .track
    case .album: .album
    case .artist: .artist
    case .library: .library
    }
  }
}

/// From the most specific to the least.
package enum PresetScope: String, CaseIterable, Hashable, Sendable {
  case track, album, artist, library
}

extension PresetSubject: CustomStringConvertible {
  /// As in `assigned to …`.
  package var description: String {
    switch self {
    case .track(let hash, let label): label.isEmpty ? "the track \(hash)" : "the track '\(label)'"
    case .album(let album, let artist): "the album '\(album)'" + (artist.isEmpty ? "" : " by '\(artist)'")
    case .artist(let artist): "the artist '\(artist)'"
    case .library: "the library"
    }
  }
}
