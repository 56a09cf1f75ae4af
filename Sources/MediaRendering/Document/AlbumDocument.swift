package import Base
package import LibraryTracks
internal import MediaModel

/// What is known of an album, as parts of JSON documents.
package enum AlbumDocument {
  /// The numbers that are missing, double or contradict each other, and files that are not `ok`.
  package static func wrong(_ faults: AlbumFaults) -> JSONValue {
    func places(_ places: [AlbumFaults.Place]) -> JSONValue {
      .array(places.map { .object(["disc": .integer($0.disc), "track": .integer($0.track)]) })
    }
    return .object([
      "missing_discs": .array(faults.missingDiscs.map { .integer($0) }),
      "missing_tracks": places(faults.missingTracks),
      "double_tracks": places(faults.doubleTracks),
      "contradicting_discs": .array(faults.contradictingDiscs.map { .integer($0) }),
      "partly_numbered": .bool(faults.isPartlyNumbered),
      "unplayable": .bool(faults.hasUnplayable),
      "states": .object(
        faults.stateCounts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
          .init($0.key.rawValue, .integer($0.value))
        }),
    ])
  }
}
