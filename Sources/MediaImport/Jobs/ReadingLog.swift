internal import Base
package import Logging
internal import MediaModel
internal import MediaStore

/// What a scan or a reanalysis decides about each file, and its problems.
///
/// The metadata of each entry names the file and the stage. Decisions have the level `info`, problems `warning`, and
/// what concerns the whole run `error`. A file that is neither opened nor changed in the library has no entry.
struct ReadingLog: Sendable {
  enum Stage: String {
    /// Comparing files with what is stored.
    case find
    case open
    /// Which recording it is, and what is to be made of it.
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

  /// A problem of the whole run.
  func error(_ path: BytePath, _ stage: Stage, _ text: String) {
    logger.error("\(text)", metadata: Self.metadata(path, stage))
  }

  private static func metadata(_ path: BytePath, _ stage: Stage) -> Logger.Metadata {
    ["file": .string(path.displayString), "stage": .string(stage.rawValue)]
  }
}

extension Logger {
  /// Discards everything.
  package static var silent: Logger { Logger(label: "deadwax") { _ in SwiftLogNoOpLogHandler() } }
}

/// Reports once that a library's write-ahead log has grown far beyond what a scan needs.
///
/// A program that reads without end keeps SQLite from emptying the log, and the log may then fill the disk.
struct LogGrowth {
  /// The log of a scan without other readers stays below 20 MiB.
  static let defaultLimitInBytes: Int64 = 256 << 20

  private let limitInBytes: Int64
  private var isReported = false

  init(limitInBytes: Int64 = Self.defaultLimitInBytes) { self.limitInBytes = limitInBytes }

  /// Call this after each batch.
  mutating func check(_ store: MediaStore, _ log: ReadingLog) {
    guard !isReported, store.logByteCount > limitInBytes else { return }
    isReported = true
    log.error(
      BytePath(store.path.bytes + Array("-wal".utf8)), .store,
      """
      the log has grown beyond \(limitInBytes >> 20) MiB, because another program keeps reading the library; it \
      shrinks when that program has finished
      """)
  }
}
