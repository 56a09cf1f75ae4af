internal import Base
internal import Foundation
internal import Glibc

/// Threads for calls that block, so that the event loops never wait for a disk or a worker.
///
/// Work is shared out among clients: whose turn it is does not depend on how much another client has asked for. A call
/// that takes long gives its place to the next one and goes on beside it; if there are too many such calls, or too many
/// of one client, they are ended while other clients wait.
package final class WorkQueue: @unchecked Sendable {
  struct Limits: Sendable {
    /// How many calls run at once.
    var width: Int
    /// After this time a call is long.
    var longAfterSeconds = 0.1
    /// How many calls may go on beside those once they are long.
    var longWidth = 0
    /// How many of these one client may have.
    var longWidthOfClient = 0
    /// Calls that wait; more are refused.
    var waiting: Int
    /// Calls of one client that wait.
    var waitingOfClient: Int
    /// A call that has waited longer is refused: its answer would come too late.
    var longestWaitInSeconds = Double.infinity
  }

  /// So often is looked for long calls while others wait.
  private static let lookInSeconds = 0.05
  /// After this time a thread without work ends.
  private static let idleTimeInSeconds = 10.0

  private struct Job {
    let client: Client
    let disconnect: ClientDisconnect
    let addedAt: Double
    let body: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }

  private struct Running {
    let client: Client
    let disconnect: ClientDisconnect
    let startedAt: Double
    var isLong = false
  }

  private let limits: Limits
  private let now: @Sendable () -> Double
  private let condition = NSCondition()
  // Behind the condition.
  /// The jobs of each client in the order in which they came.
  private var waiting: [Client: [Job]] = [:]
  /// The clients of these, the next one first.
  private var turns: [Client] = []
  private var waitingCount = 0
  private var running: [Int: Running] = [:]
  private var nextID = 0
  private var longCounts: [Client: Int] = [:]
  private var threadCount = 0
  private var idleThreadCount = 0
  private var isWatched = false

  /// How many calls have not begun.
  var waitingCallCount: Int { condition.withLock { waitingCount } }

  /// - Parameter now: Monotonic seconds.
  init(_ limits: Limits, now: @escaping @Sendable () -> Double = { monotonicSeconds() }) {
    self.limits = limits
    self.now = now
  }

  /// Runs `body` on a thread that may block.
  ///
  /// - Parameters:
  ///   - client: For whom.
  ///   - disconnect: By which the client, or this queue, ends what `body` reads.
  /// - Throws: ``HTTPProblem/busy``, and what `body` throws.
  package func run<Value: Sendable>(
    for client: Client, _ disconnect: ClientDisconnect = ClientDisconnect(),
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job = Job(
        client: client, disconnect: disconnect, addedAt: now(),
        body: {
          let result = ClientDisconnect.$current.withValue(disconnect) { Result(catching: body) }
          // What a call answers that was ended is about its end.
          if disconnect.isCrowdedOut {
            continuation.resume(throwing: HTTPProblem.busy)
          } else {
            continuation.resume(with: result)
          }
        },
        refuse: { continuation.resume(throwing: HTTPProblem.busy) })
      if !add(job) { job.refuse() }
    }
  }

  private func add(_ job: Job) -> Bool {
    condition.withLock {
      let own = waiting[job.client]?.count ?? 0
      guard waitingCount < limits.waiting, own < limits.waitingOfClient, supplyThread(for: waitingCount + 1) else {
        return false
      }
      if own == 0 { turns.append(job.client) }
      waiting[job.client, default: []].append(job)
      waitingCount += 1
      condition.signal()
      watch()
      return true
    }
  }

  // MARK: - Threads

  private var shortCount: Int { running.count - longCount }
  private var longCount: Int { longCounts.values.reduce(0, +) }

  /// Starts a thread if one of some jobs could begin now and no thread waits for it.
  ///
  /// - Returns: false if there is no thread at all, not even for later.
  private func supplyThread(for jobCount: Int) -> Bool {
    let startable = min(jobCount, limits.width - shortCount)
    if idleThreadCount < startable, threadCount < limits.width + limits.longWidth, startThread() {
      threadCount += 1
      idleThreadCount += 1
    }
    return threadCount > 0
  }

  /// Threads of Dispatch are as few as processors while all of them compute, so these are the queue's own.
  private func startThread() -> Bool {
    let queue = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { queue in
        guard let queue else { return nil }
        Unmanaged<WorkQueue>.fromOpaque(queue).takeRetainedValue().work()
        return nil
      }, queue.toOpaque())
    guard code == 0 else {
      queue.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs jobs until there are none for some time.
  private func work() {
    while let (id, job) = next() {
      job.body()
      condition.withLock { end(id) }
    }
  }

  private func next() -> (id: Int, job: Job)? {
    condition.withLock {
      while true {
        if shortCount < limits.width, let job = take() {
          idleThreadCount -= 1
          nextID += 1
          running[nextID] = Running(client: job.client, disconnect: job.disconnect, startedAt: now())
          return (nextID, job)
        }
        let isSignalled = condition.wait(until: Date(timeIntervalSinceNow: Self.idleTimeInSeconds))
        if !isSignalled, waitingCount == 0 {
          idleThreadCount -= 1
          threadCount -= 1
          return nil
        }
      }
    }
  }

  /// The next job of the client whose turn it is.
  private func take() -> Job? {
    while let client = turns.first, var jobs = waiting[client] {
      turns.removeFirst()
      let job = jobs.removeFirst()
      waiting[client] = jobs.isEmpty ? nil : jobs
      if !jobs.isEmpty { turns.append(client) }
      waitingCount -= 1
      if now() - job.addedAt <= limits.longestWaitInSeconds { return job }
      job.refuse()
    }
    return nil
  }

  private func end(_ id: Int) {
    idleThreadCount += 1
    guard let ended = running.removeValue(forKey: id) else { return }
    if ended.isLong {
      let left = (longCounts[ended.client] ?? 1) - 1
      longCounts[ended.client] = left > 0 ? left : nil
    }
  }

  // MARK: - Long calls

  /// Looks after long calls as long as others wait.
  private func watch() {
    guard limits.longAfterSeconds.isFinite, !isWatched else { return }
    isWatched = true
    Task { [self] in
      while look() { try? await Task.sleep(for: .seconds(Self.lookInSeconds)) }
    }
  }

  /// - Returns: whether to look again.
  private func look() -> Bool {
    let ended = condition.withLock { () -> [ClientDisconnect]? in
      guard waitingCount > 0 else {
        isWatched = false
        return nil
      }
      return moveAside()
    }
    ended?.forEach { $0.crowdOut() }
    return ended != nil
  }

  /// Lets the next jobs begin beside long ones.
  ///
  /// - Returns: those that must end instead.
  private func moveAside() -> [ClientDisconnect] {
    let now = now()
    var ended: [ClientDisconnect] = []
    let late = running.filter { !$0.value.isLong && now - $0.value.startedAt >= limits.longAfterSeconds }
    for (id, call) in late.sorted(by: { $0.key < $1.key }) {
      let own = longCounts[call.client] ?? 0
      guard longCount < limits.longWidth, own < limits.longWidthOfClient else {
        if turns.contains(where: { $0 != call.client }) { ended.append(call.disconnect) }
        continue
      }
      running[id]?.isLong = true
      longCounts[call.client] = own + 1
      _ = supplyThread(for: waitingCount)
      condition.signal()
    }
    return ended
  }
}

/// The threads of a server, by what their calls do.
package struct WorkQueues: Sendable {
  /// For calls that only read.
  package let reading = WorkQueue(
    .init(width: 4, longWidth: 12, longWidthOfClient: 4, waiting: 512, waitingOfClient: 256))
  /// For calls that write, which wait for each other, and perhaps for another process.
  let writing = WorkQueue(
    .init(width: 1, longAfterSeconds: .infinity, waiting: 256, waitingOfClient: 64, longestWaitInSeconds: 8))
  /// For calls that decode.
  let decoding: WorkQueue
  /// For the bytes of files, whose disks may be slow.
  let files = WorkQueue(
    .init(width: 4, longWidth: 28, longWidthOfClient: 14, waiting: 512, waitingOfClient: 256))
  /// For passwords: nobody waits for them behind the work of others.
  package let checking = WorkQueue(
    .init(width: 2, longAfterSeconds: .infinity, waiting: 4096, waitingOfClient: 4096))

  /// - Parameter decodingWidth: How many calls may decode at once.
  package init(decodingWidth: Int) {
    decoding = WorkQueue(.init(width: decodingWidth, longAfterSeconds: 3, waiting: 128, waitingOfClient: 64))
  }
}

/// What a call does: it decides which threads it has, and with whom it shares them.
package enum Work: Sendable {
  /// Reads, for a moment.
  case reading
  /// Reads, perhaps for seconds: it ends if the client leaves. The connection is closed behind the answer.
  case searching
  /// Writes: one call after the other.
  case writing
  /// Decodes sound, or waits for what does.
  case decoding
}
