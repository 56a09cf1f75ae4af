package import Base
package import DecodingService
internal import Dispatch
internal import Foundation
package import HTTPServing
internal import LibraryTracks
package import MediaImport
internal import MediaModel
internal import MediaStore
internal import Synchronization

/// The scan that a client has started, if there is one, and those that follow it.
package final class ScanControl: Sendable {
  /// What a scan covers.
  private struct Extent {
    /// Whether it is every root, whatever the folders are.
    var isAll = false
    var folders: [BytePath] = []

    var isEmpty: Bool { !isAll && folders.isEmpty }

    mutating func add(_ other: Extent) {
      isAll = isAll || other.isAll
      folders += other.folders.filter { !folders.contains($0) }
    }
  }

  private struct Running {
    let request: StopRequest
    let extent: Extent
    var progress = ScanProgress()
    var shownAt = 0.0
  }

  private struct State {
    var running: Running?
    /// What is scanned next.
    var waiting = Extent()
    /// Is signalled when the scan has ended that makes way for a change of folders.
    var resting: DispatchSemaphore?

    mutating func takeNext(_ request: StopRequest) {
      running = Running(request: request, extent: waiting)
      waiting = Extent()
    }
  }

  private static let longestRestInSeconds = 30.0

  private let state = Mutex(State())
  /// Held while folders are changed.
  private let changing = Mutex(())
  private let workers: WorkerPool.Configuration
  private let library: LibraryAccess
  private let events: EventHub

  package init(_ library: LibraryAccess, workers: WorkerPool.Configuration, events: EventHub) {
    self.library = library
    self.workers = workers
    self.events = events
  }

  /// Where the scan stands; nil if none was started here.
  package var progress: ScanProgress? { state.withLock { $0.running?.progress } }

  /// Starts a scan of all roots on a thread of its own.
  ///
  /// - Throws: ``HTTPProblem`` if one runs or cannot begin.
  package func start() throws {
    guard library.canWrite else { throw StoreError.readOnly(library.path) }
    guard try begin(Extent(isAll: true), followsAnother: false) else {
      throw HTTPProblem(409, "a scan is already running")
    }
  }

  /// Scans a folder in a root, now or as soon as the scan that was started here has ended.
  package func scan(_ folder: BytePath) throws {
    guard library.canWrite else { throw StoreError.readOnly(library.path) }
    _ = try begin(Extent(folders: [folder]), followsAnother: true)
  }

  /// Stops the scan that was started here, and those that would follow it; what it has read is stored.
  ///
  /// - Returns: whether there was one.
  package func stop() -> Bool {
    state.withLock { state in
      state.waiting = Extent()
      state.running?.request.send()
      return state.running != nil
    }
  }

  /// Calls `body` while no scan that was started here runs: one that runs is stopped, and goes on afterwards with what
  /// it has not read.
  ///
  /// - Throws: What `body` throws; ``HTTPProblem`` if the scan does not end in time.
  package func resting<Value>(_ body: () throws -> Value) throws -> Value {
    try changing.withLock { _ in
      let ended = state.withLock { state -> DispatchSemaphore? in
        guard let running = state.running else { return nil }
        let ended = DispatchSemaphore(value: 0)
        state.resting = ended
        state.waiting.add(running.extent)
        running.request.send()
        return ended
      }
      guard let ended else { return try body() }
      let isOver = ended.wait(timeout: .now() + Self.longestRestInSeconds) == .success
      defer { resume() }
      guard isOver else { throw HTTPProblem(503, "the scan is busy with a file; try again") }
      return try body()
    }
  }

  /// Goes on with what waits, unless the scan that was to end has not done so: then it does that itself.
  private func resume() {
    let (hasEnded, waits) = state.withLock { state in
      state.resting = nil
      return (state.running == nil, !state.waiting.isEmpty)
    }
    guard hasEnded else { return }
    // It may have been stopped meanwhile.
    let goesOn = waits && (try? begin(Extent(), followsAnother: true)) != nil
    if !goesOn { events.send(ScanDocument.event(nil, failure: nil)) }
  }

  // MARK: - The thread

  /// - Returns: false if one runs, and this one is not to follow it.
  private func begin(_ extent: Extent, followsAnother: Bool) throws -> Bool {
    let request = try StopRequest()
    let (isTaken, isFirst) = state.withLock { state in
      let isFree = state.running == nil && state.resting == nil
      guard isFree || followsAnother else { return (false, false) }
      state.waiting.add(extent)
      if isFree { state.takeNext(request) }
      return (true, isFree)
    }
    guard isFirst else { return isTaken }
    let thread = Thread { [self] in runAll() }
    thread.stackSize = 8 << 20
    thread.start()
    return true
  }

  private func runAll() {
    var failure: String?
    while let running = state.withLock({ $0.running }) {
      failure = run(running)
      let request = try? StopRequest()
      let isOver = state.withLock { state in
        state.running = nil
        if let resting = state.resting {
          resting.signal()
          return false
        }
        guard !state.waiting.isEmpty, let request else { return true }
        state.takeNext(request)
        return false
      }
      if isOver { events.send(ScanDocument.event(nil, failure: failure)) }
    }
  }

  /// - Returns: why it ended early, as a sentence.
  private func run(_ running: Running) -> String? {
    do {
      let store = try MediaStore(at: library.path, access: .readWrite)
      defer { try? store.close() }
      var options = ScanOptions(workers: workers)
      if !running.extent.isAll {
        // A folder that was removed meanwhile would become a root again.
        let roots = try store.roots.all()
        options.folders = running.extent.folders.filter { folder in
          roots.contains { folder.isBelowOrEqual(to: $0.path) }
        }
        guard !options.folders.isEmpty else { return nil }
      }
      let scan = LibraryScan(store: store, options: options, stop: running.request.signal) { [self] in show($0) }
      let report = try scan.run()
      return report.safetyStops.first.map { "\($0.root.displayString): \($0.reason)" }
    } catch {
      return "\(error)"
    }
  }

  /// At most four times a second, and when the reading begins.
  private func show(_ progress: ScanProgress) {
    let now = monotonicSeconds()
    let isDue = state.withLock { state in
      let isNext = state.running?.progress.phase != progress.phase
      state.running?.progress = progress
      guard let last = state.running?.shownAt, isNext || now - last >= 0.25 else { return false }
      state.running?.shownAt = now
      return true
    }
    if isDue { events.send(ScanDocument.event(progress, failure: nil)) }
  }
}

/// What is told of a scan while it runs.
package enum ScanDocument {
  /// - Parameter progress: nil at the end.
  static func event(_ progress: ScanProgress?, failure: String?) -> ServerEvent {
    ServerEvent(
      name: "scan",
      data: .object(
        [.init("running", .bool(progress != nil)), .init("mine", .bool(true)), .init("error", .string(failure))]
          + members(progress)))
  }

  static func members(_ progress: ScanProgress?) -> [JSONValue.Member] {
    let reading = progress.flatMap { $0.phase == .reading ? $0 : nil }
    return [
      .init("found", .integer(progress?.foundCount)), .init("new", .integer(reading?.newCount)),
      .init("done", .integer(reading?.doneCount)), .init("total", .integer(reading?.totalCount)),
      .init("decoded_files", .integer(reading?.decodedCount)), .init("problems", .integer(reading?.problemCount)),
      .init("audio_seconds", .number(reading?.decodedSeconds)),
      .init("elapsed_seconds", .number(reading?.elapsedInSeconds)),
      .init("remaining_seconds", .number(progress?.remainingSeconds)), .init("reading", .string(path(progress))),
    ]
  }

  /// The file that was opened last, for people.
  package static func path(_ progress: ScanProgress?) -> String? {
    progress?.currentPath?.displayString.cut(toByteCount: Song.largestPathByteCount)
  }
}
