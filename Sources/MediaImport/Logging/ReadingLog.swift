package import Logging
internal import MediaModel

/// What a scan or a reanalysis decides about each file, and what goes wrong with it: for those who ask why.
///
/// Every entry names the file and the stage in its metadata. Decisions are of the level `info`, problems of `warning`, what
/// concerns the whole run of `error`; a file that is neither opened nor changed in the library has no entry.
struct ReadingLog: Sendable {
  enum Stage: String {
    /// Comparing what is there with what is known.
    case find
    case open
    /// Whose sound it is, and what is to be made of it.
    case identify
    case decode
    /// The process that reads the file.
    case worker
    case store
  }

  let logger: Logger

  func decided(_ path: BytePath, _ stage: Stage, _ text: () -> String) {
    guard logger.logLevel <= .info else { return }
    logger.info("\(text())", metadata: Self.metadata(path, stage))
  }

  func failed(_ path: BytePath, _ stage: Stage, _ problem: Problem) {
    guard logger.logLevel <= .warning else { return }
    let place = problem.positionInSeconds.map { " (at \(DurationText.clock($0)))" } ?? ""
    logger.warning("\(problem.reason)\(place)", metadata: Self.metadata(path, stage))
  }

  /// What the whole run suffers from: also for those who did not ask.
  func error(_ path: BytePath, _ stage: Stage, _ text: String) {
    logger.error("\(text)", metadata: Self.metadata(path, stage))
  }

  private static func metadata(_ path: BytePath, _ stage: Stage) -> Logger.Metadata {
    ["file": .string(path.displayString), "stage": .string(stage.rawValue)]
  }
}

extension Logger {
  /// Keeps nothing.
  package static var silent: Logger { Logger(label: "deadwax") { _ in SwiftLogNoOpLogHandler() } }
}
