internal import Dispatch
internal import Synchronization

/// Threads for calls that block, so that the event loops never wait for a disk or a worker.
final class WorkQueue: Sendable {
  private typealias Job = @Sendable () -> Void

  private struct State {
    var runningCount = 0
    /// In the order in which they came.
    var waiting: [Job] = []
  }

  private let width: Int
  /// Calls that run or wait; more are refused.
  private let limit: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "deadwax.work", attributes: .concurrent)

  /// - Parameter width: How many calls run at once.
  init(width: Int, limit: Int) {
    self.width = width
    self.limit = limit
  }

  /// - Throws: ``Problem/busy``, and what `body` throws.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isAccepted = add { continuation.resume(with: Result(catching: body)) }
      if !isAccepted { continuation.resume(throwing: Problem.busy) }
    }
  }

  private func add(_ job: @escaping Job) -> Bool {
    let needsThread: Bool? = state.withLock { state in
      guard state.runningCount + state.waiting.count < limit else { return nil }
      state.waiting.append(job)
      guard state.runningCount < width else { return false }
      state.runningCount += 1
      return true
    }
    if needsThread == true { queue.async { self.work() } }
    return needsThread != nil
  }

  /// Runs jobs until none waits.
  private func work() {
    while let job = next() { job() }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.runningCount -= 1
      return nil
    }
  }
}
