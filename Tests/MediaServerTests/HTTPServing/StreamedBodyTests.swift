import Synchronization
import Testing

@testable import HTTPServing

struct StreamedBodyTests {
  /// Pieces of ten bytes, numbered from 0.
  private func stream(
    pieceCount: Int, range: Range<Int64>? = nil, place: InFlightLimiter.Share? = nil,
    stallTimeoutInSeconds: Double = 60,
    madeCount: Counter = Counter()
  ) -> StreamedBody {
    StreamedBody(
      byteCount: Int64(pieceCount * 10), range: range, place: place, stallTimeoutInSeconds: stallTimeoutInSeconds
    ) { append in
      for piece in 0..<pieceCount {
        madeCount.add()
        try append(Array(repeating: UInt8(piece), count: 10))
      }
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  private func bytes(of stream: StreamedBody) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    stream.start()
    for try await piece in stream.pieces {
      bytes += piece
      stream.sent()
    }
    return bytes
  }

  @Test func `all pieces arrive in order`() async throws {
    let expected = (0..<20).flatMap { Array(repeating: UInt8($0), count: 10) }
    #expect(try await bytes(of: stream(pieceCount: 20)) == expected)
  }

  @Test(arguments: [0..<1, 5..<15, 10..<20, 19..<200, 0..<200] as [Range<Int64>])
  func `a range is cut out of the whole, and nothing is encoded after it`(range: Range<Int64>) async throws {
    let made = Counter()
    let expected = (0..<20).flatMap { Array(repeating: UInt8($0), count: 10) }
    let stream = stream(pieceCount: 20, range: range, madeCount: made)
    #expect(stream.byteCount == Int64(range.count))
    #expect(try await bytes(of: stream) == Array(expected[Int(range.lowerBound)..<Int(range.upperBound)]))
    #expect(made.value == (Int(range.upperBound) + 9) / 10)
  }

  // Faults: 126
  @Test func `a client that takes nothing ends the encoding, and its place is free again`() async throws {
    let places = InFlightLimiter(capacity: 1)
    let made = Counter()
    let stream = stream(pieceCount: 1000, place: places.share(of: 1), stallTimeoutInSeconds: 0, madeCount: made)
    #expect(places.share(of: 1) == nil)
    stream.start()
    await #expect(throws: StreamedBody.Interruption.clientStalled) {
      // Takes what was made, but sends none of it.
      for try await _ in stream.pieces {}
    }
    #expect(made.value == 3)
    #expect(places.share(of: 1) != nil)
  }

  @Test func `a client that leaves ends the encoding, and its place is free again`() async throws {
    let places = InFlightLimiter(capacity: 1)
    let made = Counter()
    let stream = stream(pieceCount: 1000, place: places.share(of: 1), madeCount: made)
    stream.start()
    await #expect(throws: StreamedBody.Interruption.clientLeft) {
      for try await _ in stream.pieces { stream.leave() }
    }
    #expect(made.value <= 4)
    #expect(places.share(of: 1) != nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `clients that listen slowly, while others compute, do not keep the next one waiting`() async throws {
    let isOver = Mutex(false)
    let slow = (0..<64).map { _ in stream(pieceCount: 1000) }
    let computing = (0..<4).map { _ in
      StreamedBody(byteCount: nil) { _ in while !isOver.withLock({ $0 }) {} }
    }
    for stream in slow + computing { stream.start() }
    #expect(try await bytes(of: stream(pieceCount: 3)).count == 30)
    isOver.withLock { $0 = true }
    for stream in slow { stream.leave() }
  }

  @Test func `an error of the encoder arrives after what was made before`() async throws {
    struct Failure: Error {}
    let stream = StreamedBody(byteCount: nil) { append in
      try append([1, 2])
      throw Failure()
    }
    stream.start()
    var bytes: [UInt8] = []
    await #expect(throws: Failure.self) {
      for try await piece in stream.pieces { bytes += piece }
    }
    #expect(bytes == [1, 2])
  }
}
