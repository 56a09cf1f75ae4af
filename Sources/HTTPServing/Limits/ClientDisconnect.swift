internal import Synchronization

/// Whether the client of a call has left, or had to make room for others: nobody waits for its answer then, and what is read for
/// it ends.
package final class ClientDisconnect: Sendable {
  /// That of the client for whom this thread works.
  @TaskLocal package static var current: ClientDisconnect?

  private enum Reason {
    case left, crowdedOut
  }

  private struct State {
    var reason: Reason?
    /// Ends what reads for the client now.
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the call has ended for either reason.
  package var hasHappened: Bool { state.withLock { $0.reason != nil } }

  /// Ends what this thread computes for a client who has left or must make room: to be called between parts of long work.
  ///
  /// - Throws: `CancellationError`.
  package static func check() throws {
    if current?.hasHappened == true { throw CancellationError() }
  }

  package var isCrowdedOut: Bool { state.withLock { $0.reason == .crowdedOut } }

  /// The client has closed the connection.
  func leave() { end(.left) }

  /// The call takes too long while others wait.
  func crowdOut() { end(.crowdedOut) }

  private func end(_ reason: Reason) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
      // Under the lock: a moment later somebody else may use what is interrupted.
      state.interrupt?()
    }
  }

  /// Calls `body`, which ends with an error if the client leaves meanwhile.
  ///
  /// - Parameter interrupt: Makes `body` end; called from another thread while `body` runs.
  /// - Throws: `CancellationError` if the client has left before, and what `body` throws.
  package func interrupting<Value>(
    by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Value
  ) throws -> Value {
    let outer = try state.withLock { state in
      if state.reason != nil { throw CancellationError() }
      defer { state.interrupt = interrupt }
      return state.interrupt
    }
    defer { state.withLock { $0.interrupt = outer } }
    return try body()
  }
}
