internal import MediaStore
internal import Synchronization

/// Whether the client of a call has left: nobody waits for its answer then, and what reads the library for it ends.
final class Departure: Sendable {
  /// That of the client for whom this thread works, if somebody notices it.
  @TaskLocal static var current: Departure?

  private struct State {
    var hasLeft = false
    /// What reads for the client now.
    var store: MediaStore?
  }

  private let state = Mutex(State())

  var hasHappened: Bool { state.withLock(\.hasLeft) }

  func leave() {
    state.withLock { state in
      state.hasLeft = true
      // Under the lock: a moment later somebody else may use the connection.
      state.store?.interrupt()
    }
  }

  /// Calls `body`, which ends with an error if the client leaves meanwhile.
  ///
  /// - Throws: `CancellationError` if the client has left before, and what `body` throws.
  func watching<Value>(_ store: MediaStore, _ body: (MediaStore) throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.hasLeft { throw CancellationError() }
      state.store = store
    }
    defer { state.withLock { $0.store = nil } }
    return try body(store)
  }
}
