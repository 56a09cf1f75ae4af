internal import ArgumentParser
internal import AudioEffects
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaDrawing
internal import MediaExchange
internal import MediaImport
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import SoundIndex
internal import SoundSearch

/// An error of the command itself, which says with what status it ends it.
protocol CommandError: Error {
  var exitStatus: Int32 { get }
}

extension ExitStatus {
  /// nil for errors of the parser.
  static func of(_ error: any Error) -> Int32? {
    switch error {
    case let error as StoreError: storeStatus(error)
    case let error as ScanError:
      switch error {
      case .store(let error): storeStatus(error)
      case .notAFolder: safetyStop
      case .refusedRoot, .containsRoot: wrongUsage
      case .workers, .exhausted: 1
      }
    // Errors of the parser itself come wrapped, with the usage of their command; for these it would print that of the
    // root.
    case is QueryError, is PresetError, is ValidationError, is CorrectionField.InvalidValue, is CorrectionFieldError:
      wrongUsage
    case AccountError.unreadable: 1
    case is AccountError: wrongUsage
    case is Pruning.Refusal: safetyStop
    case TrackError.noRecording: 1
    case is TrackError: wrongUsage
    case let error as RenderingError: error.isInvalidRequest ? wrongUsage : 1
    case let error as any CommandError: error.exitStatus
    case DrawingError.pictureSize, is TemplateError: wrongUsage
    case is OutputError, is AudioEncodingError, is ExchangeError, is DrawingError, is SystemError,
      is WorkerError, is SegmentReadingError, is ServerError, is PlayingError, is EffectError,
      is ByteReader.Failure, is SoundIndexError, is AcoustIDError:
      1
    default: nil
    }
  }

  private static func storeStatus(_ error: StoreError) -> Int32 {
    switch error {
    case .scanRunning, .watchRunning: scanRunning
    case .fewerUserRows, .damagedLibrary: safetyStop
    case .noSuchFile, .sameLibrary, .overlappingRoots, .unsuitableRoot, .noSuchRoot, .noSuchPreset, .presetExists,
      .builtInPreset, .tooDeepQuery, .noSuchList, .listExists, .invalidListName, .listIsQuery, .invalidAttribute:
      wrongUsage
    case .tookTooLong, .sql, .damagedProduct, .shard, .unsuitableShard, .presetInUse, .unreadablePreset, .nothingToUndo,
      .notABeetsLibrary, .outputExists:
      1
    case .missingLibrary, .notALibrary, .newerSchema, .olderSchema, .corrupt, .readOnly, .diskFull, .locked,
      .inputOutput:
      libraryUnusable
    }
  }
}
