internal import LibraryTracks
internal import MasterComparison
package import MediaDrawing

extension TrackComparison {
  private static let width = 960
  private static let height = 560

  /// What is left of each third octave, and the gain over time.
  package var picture: ComparisonPicture {
    get throws {
      ComparisonPicture(
        size: try PictureSize(width: Self.width, height: Self.height),
        bands: comparison.bands.map {
          ComparisonPicture.Band(
            centerInHz: $0.centerInHz, afterGainInDB: $0.afterGainInDB, afterFilterInDB: $0.afterFilterInDB,
            filterInDB: $0.filterInDB)
        }, gains: comparison.gains,
        title: "\(first.track.label) / \(second.track.label): \(comparison.relation.rawValue)")
    }
  }
}
