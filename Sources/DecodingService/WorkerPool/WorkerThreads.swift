internal import Base
internal import Dispatch
internal import Synchronization

/// Threads that wait for workers, so that several of these have something to do.
package enum WorkerThreads {
  /// The results of a body for all numbers below `count`, in order: found on at most `limit` threads, or on this one if there can be
  /// no others.
  package static func results<Result>(_ count: Int, limit: Int, _ body: (Int) -> Result) -> [Result] {
    guard count > 1, limit > 1, ThreadSupply.canStartThread else { return (0..<count).map(body) }
    var results = [Result?](repeating: nil, count: count)
    let next = Atomic(0)
    results.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let (buffer, body) = (buffer, body)
      DispatchQueue.concurrentPerform(iterations: min(limit, count)) { _ in
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < count else { return }
          buffer[index] = body(index)
        }
      }
    }
    return results.compactMap { $0 }
  }
}
