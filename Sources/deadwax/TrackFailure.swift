internal import MediaModel

/// Why nothing can be made of a track.
enum TrackFailure: Error, CustomStringConvertible {
  /// Only tags are known of it: no decoder could take its sound.
  case noSound(BytePath?)
  /// It has a sound, of which this is not stored.
  case notStored(ProductKind, BytePath)
  case noFingerprint(id: Int64)
  case noPreset(id: Int64)
  /// Of it lies nothing in the part that was asked for.
  case nothingInRange(BytePath?)
  /// Its file ends so many frames too early.
  case missingFrames(Int64)

  var description: String {
    switch self {
    case .noSound(let path): Self.prefix(path) + "its sound was not decoded; `deadwax problems` says why"
    case .notStored(let kind, let path):
      Self.prefix(path) + "its \(kind.rawValue) is not stored; `deadwax reanalyze --missing` makes it"
    case .noFingerprint(let id):
      "track \(id) has no fingerprint: it is silent, too short or not decoded, or was indexed without Chromaprint; "
        + "`reanalyze --missing` makes those that are possible"
    case .noPreset(let id): "track \(id) is heard without a preset; `deadwax preset of \(id)` says why"
    case .nothingInRange(let path): Self.prefix(path) + "nothing lies between --start and --end"
    case .missingFrames(let count):
      "the file ends \(count) frames before the end of the segment: it has changed since it was scanned"
    }
  }

  private static func prefix(_ path: BytePath?) -> String { path.map { $0.displayString + ": " } ?? "" }
}
