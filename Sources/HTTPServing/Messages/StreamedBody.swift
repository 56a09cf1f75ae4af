internal import Dispatch
internal import Foundation
internal import Synchronization

/// A body that is produced while it is sent, such as a sound file that is encoded: on a thread of its own, never more than
/// two pieces ahead of the client.
///
/// Producing ends when the client leaves or takes nothing for a while, and what it holds is released then: a decoder, and
/// the place among those that may work at once.
package final class StreamedBody: @unchecked Sendable {
  package typealias Production = (_ append: ([UInt8]) throws -> Void) throws -> Void

  /// Why a production ended before its end.
  enum Interruption: Error {
    case clientLeft, clientStalled
  }

  /// The end of the part that was asked for; no error.
  private struct Enough: Error {}

  /// Of what is sent; nil if nobody knows yet.
  let byteCount: Int64?
  /// What is to be sent; call ``sent()`` after each.
  let pieces: AsyncThrowingStream<[UInt8], any Error>

  private let range: Range<Int64>?
  private let stallTimeoutInSeconds: Double
  private let waiting: AsyncThrowingStream<[UInt8], any Error>.Continuation
  /// Begins at 0: Dispatch traps if a semaphore ends below where it began.
  private let room = DispatchSemaphore(value: 0)
  private let hasLeft = Mutex(false)
  /// nil when it has ended; only its thread touches it after the start.
  private var production: Production?
  private var place: (any Sendable)?

  /// - Parameters:
  ///   - byteCount: Of the whole file, if that is known.
  ///   - range: The bytes to send; nil for all. Those before are produced, too: what follows may depend on them.
  ///   - place: Held until the production has ended.
  ///   - stallTimeoutInSeconds: How long a client may take nothing.
  package init(
    byteCount: Int64?, range: Range<Int64>? = nil, place: (any Sendable)? = nil, stallTimeoutInSeconds: Double = 60,
    _ production: @escaping Production
  ) {
    self.byteCount = range.map { Int64($0.count) } ?? byteCount
    self.range = range
    self.place = place
    self.stallTimeoutInSeconds = stallTimeoutInSeconds
    self.production = production
    (pieces, waiting) = AsyncThrowingStream.makeStream()
    for _ in 0..<2 { room.signal() }
  }

  /// Begins to produce; call it once.
  ///
  /// The thread is none of Dispatch's, which adds one only while fewer run than there are cores: as long as some work, a
  /// stream more would wait for another one to end.
  func start() {
    let thread = Thread { [self] in
      do {
        try produce()
        waiting.finish()
      } catch {
        waiting.finish(throwing: error)
      }
    }
    thread.name = "stream"
    thread.start()
  }

  /// A piece was sent: there is room for another one.
  func sent() { room.signal() }

  /// Nobody needs the rest.
  func leave() {
    hasLeft.withLock { $0 = true }
    room.signal()
  }

  private func produce() throws {
    defer {
      production = nil
      place = nil
    }
    var position: Int64 = 0
    do {
      try production? { bytes in
        let end = position + Int64(bytes.count)
        defer { position = end }
        guard !hasLeft.withLock({ $0 }) else { throw Interruption.clientLeft }
        let wanted = (range ?? 0..<Int64.max).clamped(to: position..<end)
        if !wanted.isEmpty { try pass(bytes[Int(wanted.lowerBound - position)..<Int(wanted.upperBound - position)]) }
        if let range, end >= range.upperBound { throw Enough() }
      }
    } catch is Enough {}
  }

  private func pass(_ bytes: ArraySlice<UInt8>) throws(Interruption) {
    guard room.wait(timeout: .now() + stallTimeoutInSeconds) == .success else { throw .clientStalled }
    guard !hasLeft.withLock({ $0 }) else { throw .clientLeft }
    waiting.yield(Array(bytes))
  }
}
