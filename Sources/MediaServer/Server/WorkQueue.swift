internal import Base
internal import Foundation

/// Threads for calls that block, so that the event loops never wait for a disk or a worker.
final class WorkQueue: Sendable {
  private let queue = OperationQueue()
  /// Calls that run or wait; more are refused.
  private let limit: Int

  init(width: Int, limit: Int) {
    queue.maxConcurrentOperationCount = width
    self.limit = limit
  }

  /// - Throws: ``Problem/busy``, and what `body` throws.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard queue.operationCount < limit else { throw Problem.busy }
    return try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result(catching: body)) }
    }
  }
}
