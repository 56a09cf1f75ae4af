package import Base
package import MediaDrawing
package import MediaModel

/// Why a track does not give what was asked for.
///
/// Says what happened; what a user can do about it in a program's own commands and options is for that program to add.
package enum RenderingError: Error, Hashable, CustomStringConvertible {
  /// A zoom of a waveform that is not possible; `reason` names the allowed range.
  case zoom(reason: String)
  /// Bands or columns of a spectrum that are not possible; `reason` names the allowed range.
  case spectrum(reason: String)
  /// A spectrogram that would not fit into memory.
  case tooManyLevels(columnCount: Int, bandCount: Int)
  /// The track has no frames in the part that was asked for; a file of peaks has no path.
  case nothingInRange(BytePath?, durationInSeconds: Double)
  /// A style that only pictures have was asked for in a terminal.
  case needsPicture(WaveformPicture.Style)
  /// A style that shows levels was asked for of a file that has only peaks.
  case onlyPeaks
  /// Only the tags of the track are known: its recording was not decoded.
  case noRecording(BytePath?)
  /// The recording was decoded, but this product of it is not stored.
  case notStored(ProductKind, BytePath?)
  case noFingerprint(id: Int64)
  case noTempo(id: Int64)
  /// Its tags have no picture.
  case noArtwork(BytePath?)
  /// A picture beside files, which is no longer the one that was scanned.
  case pictureGone(BytePath)
  case noPreset(id: Int64)
  /// Tracks with these numbers of channels cannot be in one file.
  case differentChannels(Int, Int)
  /// The file ends this many frames too early.
  case missingFrames(Int64)

  package var description: String {
    switch self {
    case .zoom(let reason): "zoom: \(reason)"
    case .spectrum(let reason): "spectrum: \(reason)"
    case .tooManyLevels(let columnCount, let bandCount):
      "spectrum: \(columnCount) columns of \(bandCount) bands are too many"
    case .nothingInRange(let path, let duration):
      Self.prefix(path) + "this part is empty: the track lasts \(DecimalText.number(duration, places: 3)) s"
    case .needsPicture(let style): "the style \(style.rawValue) is for pictures"
    case .onlyPeaks: "a file of peaks has no band levels"
    case .noRecording(let path): Self.prefix(path) + "its recording was not decoded"
    case .notStored(let kind, let path): Self.prefix(path) + "its \(kind.rawValue) is not stored"
    case .noFingerprint(let id):
      "track \(id) has no fingerprint: it is silent, too short or not decoded, or was indexed without Chromaprint"
    case .noTempo(let id): "track \(id) has no tempo: it has no steady beat, is too short, or was not decoded"
    case .noArtwork(let path): Self.prefix(path) + "it has no picture, and none can be engraved"
    case .pictureGone(let path): "\(path.displayString): the picture is gone or was changed; scan its folder again"
    case .noPreset(let id): "track \(id) is played without a preset"
    case .differentChannels(let one, let other):
      "tracks with \(one) and \(other) channels cannot be joined into one file"
    case .missingFrames(let count):
      "the file ends \(count) frames before the end of the segment: it has changed since it was scanned"
    }
  }

  /// Whether the request itself is wrong; otherwise the request is fine, but the track does not have what it needs.
  package var isInvalidRequest: Bool {
    switch self {
    case .zoom, .spectrum, .tooManyLevels, .nothingInRange, .needsPicture, .onlyPeaks, .differentChannels: true
    case .noRecording, .notStored, .noFingerprint, .noTempo, .noArtwork, .pictureGone, .noPreset, .missingFrames: false
    }
  }

  /// Whether the description begins with the path of the track's file.
  package var namesFile: Bool {
    switch self {
    case .nothingInRange(let path, _), .noRecording(let path), .notStored(_, let path), .noArtwork(let path):
      path != nil
    case .pictureGone: true
    case .zoom, .spectrum, .tooManyLevels, .needsPicture, .onlyPeaks, .noFingerprint, .noTempo, .noPreset,
      .differentChannels,
      .missingFrames:
      false
    }
  }

  private static func prefix(_ path: BytePath?) -> String { path.map { $0.displayString + ": " } ?? "" }
}
