internal import Base
internal import Glibc
package import MediaModel

/// A number of workers, each busy with at most one file, all served by one thread.
///
/// Start files with ``start(_:)`` while ``hasIdleWorker`` is true, then take the events from
/// ``wait(upTo:alsoWatching:)``. A worker that dies, hangs or sends an invalid message costs its file and no other one:
/// it is replaced.
package final class WorkerPool {
  package struct Configuration: Sendable {
    /// The command that understands `worker`.
    package var executable: String
    package var workerCount: Int
    /// Seconds without a sign of life after which a worker is killed, counted as ``StallTimeout`` says.
    package var stallLimitInSeconds: Double
    package var limits: InspectionLimits
    /// Whether workers load what they need for fingerprints.
    package var makesFingerprints: Bool

    package init(
      executable: String = WorkerProgram.path, workerCount: Int, stallLimitInSeconds: Double = 20,
      limits: InspectionLimits = InspectionLimits(), makesFingerprints: Bool = true
    ) {
      self.executable = executable
      self.workerCount = workerCount
      self.stallLimitInSeconds = stallLimitInSeconds
      self.limits = limits
      self.makesFingerprints = makesFingerprints
    }
  }

  /// An open file to read. The descriptor belongs to the caller and must stay open until ``start(_:)`` returns.
  package struct Job: Sendable {
    package var id: Int
    package var descriptor: Int32
    package var byteCount: Int64
    package var pathExtension: String

    package init(id: Int, descriptor: Int32, byteCount: Int64, pathExtension: String) {
      self.id = id
      self.descriptor = descriptor
      self.byteCount = byteCount
      self.pathExtension = pathExtension
    }
  }

  package enum Event: Sendable {
    /// The worker waits for ``WorkerPool/answer(jobID:kinds:verifies:)``.
    case identified(jobID: Int, StreamIdentity)
    case progress(jobID: Int, decodedSeconds: Double)
    case finished(jobID: Int, Extraction)
    /// The worker is lost, or could not read all of a stream that it had identified. The extraction has the state, the
    /// reason, and what is certain of what was found before.
    case failed(jobID: Int, Extraction, wasKilledFromOutside: Bool)
  }

  private final class Slot {
    let process: WorkerProcess
    var isReady = false
    var jobID: Int?
    var partial = Extraction(state: .ok)
    var isWaitingForAnswer = false
    var stall = StallCounter()

    init(_ process: WorkerProcess) { self.process = process }

    /// What was received of products that are not passed on yet.
    var heldByteCount: Int {
      partial.products.reduce(process.bufferedByteCount) { $0 + $1.bytes.count }
    }
  }

  /// The code of the problem of a file whose worker showed no progress: a pause may be the reason, so that it is worth
  /// another attempt.
  package static let stalledCode = "stalled"
  private static let maximumStuckCount = 4
  /// While the products of unfinished files take as much, only the file that has most of them is received further.
  static let heldByteLimit = 32 << 20

  private let configuration: Configuration
  private let timeout: StallTimeout
  private var ticks: TickSource
  private var slots: [Slot] = []
  private var stuckCount = 0
  private var consecutiveStartFailureCount = 0
  /// As the first worker reported it; nil until then.
  package private(set) var status: WorkerStatus?

  package init(_ configuration: Configuration) {
    var configuration = configuration
    timeout = StallTimeout(limitInSeconds: configuration.stallLimitInSeconds)
    ticks = TickSource(intervalInSeconds: timeout.tickInSeconds, now: monotonicSeconds())
    configuration.limits.signIntervalInSeconds = timeout.tickInSeconds
    self.configuration = configuration
  }

  /// What was received of products that are not passed on yet, of all workers.
  var heldByteCount: Int { slots.reduce(0) { $0 + $1.heldByteCount } }

  /// Of the processes that run, for tests.
  var workerIDs: [pid_t] { slots.map(\.process.processID) }

  package var hasIdleWorker: Bool {
    slots.count { $0.jobID != nil } < configuration.workerCount
  }

  /// Gives a file to an idle worker, starting one if needed.
  package func start(_ job: Job) throws(WorkerError) {
    while true {
      let slot = try idleSlot()
      let request = WorkerRequest.inspect(
        byteCount: job.byteCount, pathExtension: job.pathExtension, limits: configuration.limits)
      do throws(WorkerChannel.Failure) {
        try slot.process.send(request, descriptor: job.descriptor)
        slot.jobID = job.id
        slot.partial = Extraction(state: .ok)
        slot.stall.noteSign()
        return
      } catch {
        // It died while idle: nothing is lost, another worker takes the file.
        discard(slot)
        if !slot.isReady { try noteStartFailure("\(error)") }
      }
    }
  }

  /// Tells the worker that identified a file which products to make.
  ///
  /// - Parameter verifies: see ``WorkerRequest/analyse(kinds:verifies:)``.
  package func answer(jobID: Int, kinds: Set<ProductKind>, verifies: Bool = false) {
    guard let slot = slots.first(where: { $0.jobID == jobID }) else { return }
    slot.isWaitingForAnswer = false
    slot.stall.noteSign()
    // If the worker is gone by now, the next wait notices.
    try? slot.process.send(.analyse(kinds: kinds, verifies: verifies))
  }

  /// Waits until something happens, at most `seconds`; returns early when `descriptor` becomes readable, and at each
  /// tick of its ``StallTimeout``.
  ///
  /// - Throws: Also if too many workers hang in the kernel, but only after all earlier events were returned.
  package func wait(upTo seconds: Double, alsoWatching descriptor: Int32 = -1) throws(WorkerError) -> [Event] {
    if stuckCount >= Self.maximumStuckCount { throw .tooManyStuck(stuckCount) }
    let heard = heardSlot
    var entries = slots.map { slot in
      // poll(2) ignores descriptors below 0.
      pollfd(fd: heard == nil || heard === slot ? slot.process.descriptor : -1, events: Int16(POLLIN), revents: 0)
    }
    entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    let rest = min(seconds, 60, ticks.secondsToNextTick(at: monotonicSeconds()))
    let ready = poll(&entries, nfds_t(entries.count), Int32((max(0, rest) * 1000).rounded(.up)))
    var events: [Event] = []
    for (slot, entry) in zip(slots, entries) where ready > 0 && entry.revents != 0 {
      try receive(from: slot, into: &events)
    }
    if ticks.isTick(at: monotonicSeconds()) {
      for slot in slots where slot.jobID != nil && !slot.isWaitingForAnswer {
        if let heard, heard !== slot {
          // Its signs of life wait in the socket.
          slot.stall.noteSign()
          continue
        }
        if let reason = slot.stall.tick(slot.process.status, timeout: timeout) {
          lose(slot, state: .timeout, code: Self.stalledCode, reason: reason, into: &events)
        }
      }
    }
    return events
  }

  /// Kills all workers; the files they were reading are forgotten.
  package func stop() {
    for slot in slots { slot.process.beginStop() }
    // One deadline for all that the kernel does not let go.
    let deadline = WorkerProcess.stopDeadline
    for slot in slots { slot.process.stop(until: deadline) }
    slots.removeAll()
  }

  /// The only worker that is received from, because the products of all take too much; nil if they do not.
  private var heardSlot: Slot? {
    guard heldByteCount >= Self.heldByteLimit else { return nil }
    return slots.max { $0.heldByteCount < $1.heldByteCount }
  }

  private func idleSlot() throws(WorkerError) -> Slot {
    if let slot = slots.first(where: { $0.jobID == nil }) { return slot }
    while true {
      do throws(SystemError) {
        let process = try WorkerProcess(
          executable: configuration.executable, makesFingerprints: configuration.makesFingerprints)
        process.lowerPriority()
        let slot = Slot(process)
        slots.append(slot)
        return slot
      } catch {
        try noteStartFailure(error.description)
      }
    }
  }

  private func noteStartFailure(_ reason: String) throws(WorkerError) {
    consecutiveStartFailureCount += 1
    guard consecutiveStartFailureCount < 5 else { throw .cannotStart(reason: reason) }
  }

  private func receive(from slot: Slot, into events: inout [Event]) throws(WorkerError) {
    do throws(WorkerChannel.Failure) {
      for message in try slot.process.receiveMessages() { try accept(message, from: slot, into: &events) }
    } catch {
      switch error {
      case .malformed(let reason):
        lose(
          slot, state: .crashed, code: "protocol", reason: "the worker sent an invalid message: \(reason)",
          into: &events)
      case .closed, .system:
        try loseDead(slot, into: &events)
      }
    }
  }

  private func accept(_ message: WorkerMessage, from slot: Slot, into events: inout [Event]) throws(WorkerChannel
    .Failure)
  {
    slot.stall.noteSign()
    if case .ready(let version, let status) = message {
      guard version == WorkerProtocol.version, !slot.isReady else { throw .malformed("version \(version)") }
      slot.isReady = true
      consecutiveStartFailureCount = 0
      self.status = self.status ?? status
      return
    }
    guard let jobID = slot.jobID else { throw .malformed("an answer without a request") }
    switch message {
    case .ready: break
    case .identified(let identity):
      guard slot.partial.stream == nil else { throw .malformed("a second identity") }
      slot.partial.stream = identity
      slot.isWaitingForAnswer = true
      events.append(.identified(jobID: jobID, identity))
    case .progress(let decodedSeconds):
      events.append(.progress(jobID: jobID, decodedSeconds: decodedSeconds))
    case .artwork(let artwork):
      guard slot.partial.artwork.count < WorkerProtocol.maximumPictureCount else {
        throw .malformed("too many pictures")
      }
      slot.partial.artwork.append(artwork)
    case .product(let product):
      guard slot.partial.products.allSatisfy({ $0.kind != product.kind }) else {
        throw .malformed("the same product twice")
      }
      slot.partial.products.append(product)
    case .opened, .samples: throw .malformed("samples without a request")
    case .reduced, .planned: throw .malformed("an answer without a request")
    case .finished(var extraction):
      extraction.stream = slot.partial.stream
      extraction.artwork = slot.partial.artwork
      extraction.products = slot.partial.products
      slot.jobID = nil
      slot.partial = Extraction(state: .ok)
      slot.isWaitingForAnswer = false
      guard extraction.state == .unreadable, extraction.stream != nil else {
        return events.append(.finished(jobID: jobID, extraction))
      }
      // What is stored of the file stays, and no other file with this recording waits for it.
      let rest = Extraction(state: .unreadable, problem: extraction.problem, notes: extraction.notes)
      events.append(.failed(jobID: jobID, rest, wasKilledFromOutside: false))
    }
  }

  /// Removes a worker that ended by itself.
  private func loseDead(_ slot: Slot, into events: inout [Event]) throws(WorkerError) {
    guard slot.jobID != nil else {
      discard(slot)
      // A worker that was ready was killed from outside, perhaps because memory was short.
      if !slot.isReady { try noteStartFailure("a worker exited before it had work") }
      return
    }
    switch slot.process.end() {
    case .signal(let number) where !slot.isReady && number != SIGKILL:
      try fail(slot, "a worker was killed by signal \(number) (\(signalName(number))) before it was ready")
    case .exit(let status) where !slot.isReady:
      try fail(slot, slot.process.missingLibrary ?? "a worker exited with status \(status) before it was ready")
    case .signal(SIGXCPU):
      let limit = configuration.limits.maximumCPUSeconds
      lose(
        slot, state: .timeout, code: "cpu-limit", reason: "more than \(limit) s of processor time", into: &events)
    case .signal(let number):
      let reason = "signal \(number) (\(signalName(number)))"
      if number != SIGKILL, let limit = WorkerProcess.tighterMemoryLimit {
        lose(
          slot, state: .unreadable, code: "memory-limit",
          reason: "\(reason) where only \(limit >> 20) MiB are allowed (ulimit)", into: &events)
      } else {
        lose(
          slot, state: .crashed, code: "signal", reason: reason, into: &events,
          wasKilledFromOutside: number == SIGKILL)
      }
    case .exit(let status):
      lose(slot, state: .crashed, code: "exit", reason: "the worker exited with status \(status)", into: &events)
    case .stuck:
      lose(slot, state: .timeout, code: "stuck", reason: "hangs in the kernel", into: &events)
    }
    if !slot.isReady { try noteStartFailure("a worker exited before it was ready") }
  }

  /// Gives up because of a worker that knows nothing of its file yet: the file is not the cause.
  private func fail(_ slot: Slot, _ reason: String) throws(WorkerError) -> Never {
    discard(slot)
    throw .cannotStart(reason: reason)
  }

  private func lose(
    _ slot: Slot, state: FileState, code: String, reason: String, into events: inout [Event],
    wasKilledFromOutside: Bool = false
  ) {
    discard(slot)
    guard let jobID = slot.jobID else { return }
    // Of what came before the end only the identity is complete.
    let extraction = Extraction(
      state: state, problem: Problem(code: code, reason: reason), stream: slot.partial.stream)
    events.append(.failed(jobID: jobID, extraction, wasKilledFromOutside: wasKilledFromOutside))
  }

  private func discard(_ slot: Slot) {
    if slot.process.end() == .stuck { stuckCount += 1 }
    slots.removeAll { $0 === slot }
  }
}

private func signalName(_ number: Int32) -> String {
  String(cString: strsignal(number))
}

/// Why no file can be read by a worker: a bad file is never a reason.
package enum WorkerError: Error, Hashable, CustomStringConvertible {
  /// Workers cannot be started, or die before they get a file.
  case cannotStart(reason: String)
  /// So many workers hang in the kernel that new ones would only hang as well.
  case tooManyStuck(Int)

  package var description: String {
    switch self {
    case .cannotStart(let reason): "cannot start worker processes: \(reason)"
    case .tooManyStuck(let count): "\(count) workers hang in the kernel; is a network disk gone?"
    }
  }
}
