internal import MediaStore
internal import Synchronization

/// Whether the client of a call has left, or had to make room for others: nobody waits for its answer then, and what reads
/// the library for it ends.
final class ClientDisconnect: Sendable {
  /// That of the client for whom this thread works.
  @TaskLocal static var current: ClientDisconnect?

  private enum Reason {
    case left, crowdedOut
  }

  private struct State {
    var reason: Reason?
    /// What reads for the client now.
    var store: MediaStore?
  }

  private let state = Mutex(State())

  /// Whether the call has ended for either reason.
  var hasHappened: Bool { state.withLock { $0.reason != nil } }

  /// Ends what this thread computes for a client who has left or must make room: to be called between parts of long work.
  ///
  /// - Throws: `CancellationError`.
  static func check() throws {
    if current?.hasHappened == true { throw CancellationError() }
  }

  var isCrowdedOut: Bool { state.withLock { $0.reason == .crowdedOut } }

  /// The client has closed the connection.
  func leave() { end(.left) }

  /// The call takes too long while others wait.
  func crowdOut() { end(.crowdedOut) }

  private func end(_ reason: Reason) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
      // Under the lock: a moment later somebody else may use the connection.
      state.store?.interrupt()
    }
  }

  /// Calls `body`, which ends with an error if the client leaves meanwhile.
  ///
  /// - Throws: `CancellationError` if the client has left before, and what `body` throws.
  func watching<Value>(_ store: MediaStore, _ body: (MediaStore) throws -> Value) throws -> Value {
    let outer = try state.withLock { state in
      if state.reason != nil { throw CancellationError() }
      defer { state.store = store }
      return state.store
    }
    defer { state.withLock { $0.store = outer } }
    return try body(store)
  }
}
