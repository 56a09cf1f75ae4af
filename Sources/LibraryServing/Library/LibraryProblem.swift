internal import AudioEncoding
internal import Base
internal import DecodingService
package import HTTPServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import SoundIndex

extension HTTPProblem {
  /// The problem that an error of the other modules is to a client; paths stay out of it.
  package init(_ error: any Error) {
    switch error {
    case let problem as HTTPProblem: self = problem
    case let error as QueryError: self.init(400, error.message, column: error.column)
    case let error as StoreError: self.init(Self.status(of: error), error.message)
    case TrackError.noTrack(let id): self.init(404, "there is no track \(id)")
    case is TrackError: self.init(404, "there is no such track")
    case let error as AudioEncodingError: self.init(422, error.reason)
    case let error as RenderingError: self.init(error.isInvalidRequest ? 422 : 404, error.detail)
    case SegmentReadingError.changed: self.init(409, "the file has changed since it was scanned; scan it again")
    case SegmentReadingError.file(_, let reason): self.init(404, "the file cannot be read: \(reason)")
    case SegmentReadingError.worker(let reason): self.init(503, "the worker failed: \(reason)")
    case let error as SoundIndexError: self.init(503, "the sound index cannot be used: \(error.reason)")
    default: self.init(500, "\(error)")
    }
  }

  private static func status(of error: StoreError) -> Int {
    switch error {
    case .scanRunning, .watchRunning, .listExists, .presetExists, .nothingToUndo, .listIsQuery, .presetInUse,
      .outputExists:
      409
    case .noSuchList, .noSuchPreset, .noSuchRoot: 404
    case .invalidListName, .invalidAttribute, .tooDeepQuery: 422
    case .readOnly, .builtInPreset: 403
    case .locked, .missingLibrary, .noSuchFile, .sameLibrary, .notALibrary, .newerSchema, .olderSchema, .corrupt,
      .diskFull, .inputOutput, .tookTooLong, .damagedLibrary, .fewerUserRows, .shard, .unsuitableShard:
      503
    case .sql, .damagedProduct, .overlappingRoots, .unsuitableRoot, .unreadablePreset, .notABeetsLibrary: 500
    }
  }
}

extension SoundIndexError {
  /// The description without the path of the file.
  fileprivate var reason: String {
    switch self {
    case .damaged(_, let reason): reason
    case .system(_, let code): SystemError(call: "", code: code).description
    case .output(let error): error.description
    }
  }
}

extension RenderingError {
  /// The description without the path of the file.
  fileprivate var detail: String {
    switch self {
    case .nothingInRange(_, let duration): Self.nothingInRange(nil, durationInSeconds: duration).description
    case .noRecording: "the recording was not decoded"
    case .notStored(let kind, _): "the \(kind.rawValue) is not stored"
    case .noArtwork: "the track has no picture"
    case .pictureGone: "the picture is gone or was changed"
    default: description
    }
  }
}
