internal import Base
package import DecodingService
internal import Foundation
package import HTTPServing
package import MediaImport
internal import MediaModel
internal import MediaStore
internal import Synchronization

/// The scan that a client has started, if there is one.
package final class ScanControl: Sendable {
  private struct Running {
    let request: StopRequest
    var progress = ScanProgress()
    var shownAt = 0.0
  }

  private let running = Mutex<Running?>(nil)
  private let workers: WorkerPool.Configuration
  private let library: LibraryAccess
  private let events: EventHub

  package init(_ library: LibraryAccess, workers: WorkerPool.Configuration, events: EventHub) {
    self.library = library
    self.workers = workers
    self.events = events
  }

  /// Where the scan stands; nil if none was started here.
  package var progress: ScanProgress? { running.withLock { $0?.progress } }

  /// Starts a scan of all roots on a thread of its own.
  ///
  /// - Throws: ``HTTPProblem`` if one runs or cannot begin.
  package func start() throws {
    guard library.canWrite else { throw StoreError.readOnly(library.path) }
    let request = try StopRequest()
    let isFirst = running.withLock { running in
      guard running == nil else { return false }
      running = Running(request: request)
      return true
    }
    guard isFirst else { throw HTTPProblem(409, "a scan is already running") }
    let thread = Thread { [self] in
      let failure = run(request)
      running.withLock { $0 = nil }
      events.send(ScanDocument.event(nil, failure: failure))
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Stops the scan that was started here; what it has read is stored.
  ///
  /// - Returns: whether there was one.
  package func stop() -> Bool {
    running.withLock { running in
      running?.request.send()
      return running != nil
    }
  }

  /// - Returns: why it ended early, as a sentence.
  private func run(_ request: StopRequest) -> String? {
    do {
      let store = try MediaStore(at: library.path, access: .readWrite)
      let scan = LibraryScan(store: store, options: ScanOptions(workers: workers), stop: request.signal) { [self] in
        show($0)
      }
      let report = try scan.run()
      try store.close()
      return report.safetyStops.first.map { "\($0.root.displayString): \($0.reason)" }
    } catch {
      return "\(error)"
    }
  }

  /// At most four times a second.
  private func show(_ progress: ScanProgress) {
    let now = monotonicSeconds()
    let isDue = running.withLock { running in
      running?.progress = progress
      guard let last = running?.shownAt, now - last >= 0.25 else { return false }
      running?.shownAt = now
      return true
    }
    if isDue { events.send(ScanDocument.event(progress, failure: nil)) }
  }
}

/// What is told of a scan while it runs.
enum ScanDocument {
  /// - Parameter progress: nil at the end.
  static func event(_ progress: ScanProgress?, failure: String?) -> ServerEvent {
    ServerEvent(
      name: "scan",
      data: .object(
        [.init("running", .bool(progress != nil)), .init("mine", .bool(true)), .init("error", .string(failure))]
          + members(progress)))
  }

  static func members(_ progress: ScanProgress?) -> [JSONValue.Member] {
    let isReading = progress?.phase == .reading
    return [
      .init("found", .integer(progress?.foundCount)), .init("done", .integer(isReading ? progress?.doneCount : nil)),
      .init("total", .integer(isReading ? progress?.totalCount : nil)),
      .init("remaining_seconds", .number(progress?.remainingSeconds)),
    ]
  }
}
