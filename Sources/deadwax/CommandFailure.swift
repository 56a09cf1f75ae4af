internal import ArgumentParser
internal import AudioEffects
internal import Glibc
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// From errors to one line on standard error and an exit status.
enum CommandFailure {
  static let wrongUsage: Int32 = 64
  static let problemsUnderStrict: Int32 = 3
  static let safetyStop: Int32 = 4
  static let libraryUnusable: Int32 = 5
  static let scanRunning: Int32 = 75

  /// Says what went wrong and returns the exit status; help and version are no failures and go to standard output.
  static func report(_ error: any Error) -> Int32 {
    if let error = error as? StandardOutput.Failure {
      if error.isClosedByReader { return 0 }
      StandardError.line("write error: \(error)")
      return 1
    }
    // Results that came before count, and are all there is where a status other than 0 is no failure.
    var unwritten: Int32 = 0
    do { try StandardOutput.flush() } catch { unwritten = report(error) }
    let status = tell(error)
    return status == 0 ? unwritten : status
  }

  /// Says what went wrong, but for what was not written.
  private static func tell(_ error: any Error) -> Int32 {
    if let status = status(of: error) {
      StandardError.line(TerminalText.escaped("\(error)"))
      return status
    }
    // What is left belongs to the parser: wrong usage, help, version, exit codes.
    let code = Deadwax.exitCode(for: error)
    // It may repeat what was typed.
    let message = Deadwax.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
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

  /// nil for what the parser throws.
  private static func status(of error: any Error) -> Int32? {
    switch error {
    case let error as StoreError: storeStatus(error)
    case let error as ScanError:
      switch error {
      case .store(let error): storeStatus(error)
      case .notAFolder: safetyStop
      case .refusedRoot: wrongUsage
      case .workers, .exhausted: 1
      }
    // The parser's own mistakes come wrapped, with the usage of the command; of ours it would know none but the root's.
    case is QueryError, is PresetError, is ValidationError: wrongUsage
    case is PruneStop: safetyStop
    case TrackError.noSound: 1
    case is TrackError, is ListError: wrongUsage
    case ExportError.zoom, ExportError.pictureSize, ExportError.template, ExportError.spectrum: wrongUsage
    case is ExportError, is SystemError, is SoundReadingError, is TrackFailure, is EffectError,
      is InputFile.Failure, is BeetsLibrary.Failure, is ByteReader.Failure:
      1
    default: nil
    }
  }

  private static func storeStatus(_ error: StoreError) -> Int32 {
    switch error {
    case .scanRunning: scanRunning
    case .fewerUserRows, .damagedLibrary: safetyStop
    case .overlappingRoots, .unsuitableRoot, .noSuchRoot, .noSuchPreset, .presetExists, .builtInPreset,
      .tooDeepQuery:
      wrongUsage
    case .tookTooLong, .sql, .damagedProduct, .presetInUse, .unreadablePreset, .nothingToUndo: 1
    case .missingLibrary, .notALibrary, .newerSchema, .olderSchema, .corrupt, .readOnly, .diskFull, .locked,
      .inputOutput:
      libraryUnusable
    }
  }
}
