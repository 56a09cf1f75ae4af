internal import ArgumentParser
internal import AudioEffects
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import Glibc
internal import MediaDrawing
internal import MediaExchange
internal import MediaImport
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaServer
internal import MediaStore
internal import QueryLanguage
internal import SoundIndex
internal import SoundSearch

/// Turns errors into one line on standard error and an exit status.
enum CommandFailure {
  /// Reports an error and returns the exit status; help and version are not failures and go to standard output.
  static func report(_ error: any Error) -> Int32 {
    if let error = error as? StandardOutput.Failure {
      if error.isClosedByReader { return 0 }
      StandardError.line("write error: \(error)")
      return 1
    }
    // Results that were collected before the error are still written.
    var unwritten: Int32 = 0
    do { try StandardOutput.flush() } catch { unwritten = report(error) }
    let status = write(error)
    return status == 0 ? unwritten : status
  }

  /// Writes the message of an error and returns its status.
  private static func write(_ error: any Error) -> Int32 {
    if let status = status(of: error) {
      StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      return status
    }
    // The rest comes from the parser: wrong usage, help, version, exit codes.
    let code = Deadwax.exitCode(for: error)
    // It may repeat what the user typed.
    let text = UsageText.wrapped(Deadwax.fullMessage(for: error), toWidth: min(Terminal.width, 100))
    let message = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    guard !message.isEmpty else { return code.rawValue }
    if code == .success {
      do {
        try StandardOutput.write(message + "\n")
        try StandardOutput.flush()
      } catch { return report(error) }
    } else {
      StandardError.line(String(message.trimmingPrefix("Error: ")))
    }
    return code.rawValue
  }

  /// nil for errors of the parser.
  static func status(of error: any Error) -> Int32? {
    switch error {
    case let error as StoreError: storeStatus(error)
    case let error as ScanError:
      switch error {
      case .store(let error): storeStatus(error)
      case .notAFolder: ExitStatus.safetyStop
      case .refusedRoot, .containsRoot: ExitStatus.wrongUsage
      case .workers, .exhausted: 1
      }
    // Errors of the parser itself come wrapped, with the usage of their command; for these it would print that of the
    // root.
    case is QueryError, is PresetError, is ValidationError: ExitStatus.wrongUsage
    case AccountError.unreadable: 1
    case is AccountError: ExitStatus.wrongUsage
    case is Pruning.Refusal: ExitStatus.safetyStop
    case TrackError.noRecording: 1
    case is TrackError: ExitStatus.wrongUsage
    case let error as RenderingError: error.isInvalidRequest ? ExitStatus.wrongUsage : 1
    case let error as InputFile.Failure: error.isAbsent ? ExitStatus.wrongUsage : 1
    case is AcoustIDKey.Failure: ExitStatus.wrongUsage
    case DrawingError.pictureSize, is TemplateError: ExitStatus.wrongUsage
    case is OutputError, is AudioEncodingError, is ExchangeError, is DrawingError, is SystemError,
      is WorkerError, is SegmentReadingError, is ServerError, is PlayingError, is EffectError,
      is ByteReader.Failure, is SoundIndexError, is ExcerptError, is AcoustIDError:
      1
    default: nil
    }
  }

  private static func storeStatus(_ error: StoreError) -> Int32 {
    switch error {
    case .scanRunning, .watchRunning: ExitStatus.scanRunning
    case .fewerUserRows, .damagedLibrary: ExitStatus.safetyStop
    case .noSuchFile, .sameLibrary, .overlappingRoots, .unsuitableRoot, .noSuchRoot, .noSuchPreset, .presetExists,
      .builtInPreset, .tooDeepQuery, .noSuchList, .listExists, .invalidListName, .listIsQuery, .invalidAttribute:
      ExitStatus.wrongUsage
    case .tookTooLong, .sql, .damagedProduct, .shard, .unsuitableShard, .presetInUse, .unreadablePreset, .nothingToUndo,
      .notABeetsLibrary:
      1
    case .missingLibrary, .notALibrary, .newerSchema, .olderSchema, .corrupt, .readOnly, .diskFull, .locked,
      .inputOutput:
      ExitStatus.libraryUnusable
    }
  }
}
