internal import Dispatch
internal import Foundation
internal import Synchronization

/// A sound file on its way to one client: encoded on a thread of its own, never more than two pieces ahead of the client.
///
/// Encoding ends when the client leaves or takes nothing for a while, and what it holds is released then: the decoder, and
/// the place among those that may encode at once.
final class StreamedBody: @unchecked Sendable {
  typealias Encoding = (_ append: ([UInt8]) throws -> Void) throws -> Void

  /// Why an encoding ended before the sound did.
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
  private let patienceInSeconds: Double
  private let waiting: AsyncThrowingStream<[UInt8], any Error>.Continuation
  /// Begins at 0: Dispatch traps if a semaphore ends below where it began.
  private let room = DispatchSemaphore(value: 0)
  private let hasLeft = Mutex(false)
  /// nil when it has ended; only the encoding thread touches it after the start.
  private var encoding: Encoding?
  private var place: InFlightLimiter.Share?

  /// - Parameters:
  ///   - byteCount: Of the whole file, if that is known.
  ///   - range: The bytes to send; nil for all. Those before are encoded, too, because effects depend on all that was before.
  ///   - place: Held until the encoding has ended.
  ///   - patienceInSeconds: How long a client may take nothing.
  init(
    byteCount: Int64?, range: Range<Int64>? = nil, place: InFlightLimiter.Share? = nil, patienceInSeconds: Double = 60,
    _ encoding: @escaping Encoding
  ) {
    self.byteCount = range.map { Int64($0.count) } ?? byteCount
    self.range = range
    self.place = place
    self.patienceInSeconds = patienceInSeconds
    self.encoding = encoding
    (pieces, waiting) = AsyncThrowingStream.makeStream()
    for _ in 0..<2 { room.signal() }
  }

  /// Begins to encode; call it once.
  ///
  /// The thread is none of Dispatch's, which adds one only while fewer run than there are cores: as long as some encode, a
  /// stream more would wait for another one to end.
  func start() {
    let thread = Thread { [self] in
      do {
        try encode()
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

  private func encode() throws {
    defer {
      encoding = nil
      place = nil
    }
    var position: Int64 = 0
    do {
      try encoding? { bytes in
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
    guard room.wait(timeout: .now() + patienceInSeconds) == .success else { throw .clientStalled }
    guard !hasLeft.withLock({ $0 }) else { throw .clientLeft }
    waiting.yield(Array(bytes))
  }
}
