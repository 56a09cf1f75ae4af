package import LibraryServing
package import LibraryTracks
internal import MediaModel
import MediaStore
package import UserData

/// Reports plays to the services that a person has chosen (ListenBrainz).
package struct PlayReports: Sendable {
  private let library: LibraryAccess
  private let scrobbler: Scrobbler?

  /// - Parameter scrobbler: nil if plays are reported to no service.
  package init(_ library: LibraryAccess, _ scrobbler: Scrobbler?) {
    self.library = library
    self.scrobbler = scrobbler
  }

  /// Whether a song counts as heard, as ListenBrainz asks: for half of its length, or four minutes.
  package static func isHeard(_ song: Song, forSeconds seconds: Double) -> Bool {
    seconds >= min(240, (song.durationInSeconds ?? 0) / 2)
  }

  /// Tells what somebody has heard, with the start of each song in seconds since 1970.
  ///
  /// - Parameter player: The program that plays; nil if it is not known.
  package func report(_ heard: [(song: Song, startedAt: Int64)], by listener: Listener, player: String?) {
    scrobbler?.note(heard, by: listener, player: player, tags: tags)
  }

  /// Tells what somebody hears now.
  package func report(playing song: Song, by listener: Listener, player: String?) {
    scrobbler?.note(playing: song, by: listener, player: player, tags: tags)
  }

  private func tags(of song: Song) throws -> Tags { try library.reading { try $0.files.tags(ofFile: song.fileID) } }
}
