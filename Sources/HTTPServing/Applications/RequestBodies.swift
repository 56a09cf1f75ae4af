internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// How large a body may be.
package enum BodyLimit: Sendable {
  /// 1 MiB: documents.
  case document
  /// 8 MiB: forms and playlists, which may name as many songs as a list has; 1 MiB of those who are not known.
  case form
  /// 32 MiB: sound files.
  case sound

  package var byteCount: Int {
    switch self {
    case .document: 1 << 20
    case .form: 8 << 20
    case .sound: 32 << 20
    }
  }

  func byteCount(for client: Client) -> Int {
    if case (.form, .stranger) = (self, client) { Self.document.byteCount } else { byteCount }
  }
}

/// A body, and what it holds of the budget until it was used.
package struct ReceivedBody: Sendable {
  package let bytes: [UInt8]
  fileprivate let share: InFlightLimiter.Share?
}

/// Reads the bodies of requests: what has arrived counts, not what is announced, and little of it before it is known who
/// sends it.
struct RequestBodies: Sendable {
  /// So much of each body is always read: forms of players are smaller. Connections are few enough for it.
  static let freeByteCount = 16 << 10
  private static let longestTimeInSeconds = 30

  /// Of those who are known, and of others.
  private let known = InFlightLimiter(capacity: 64 << 20, ofClient: 24 << 20)
  private let strange = InFlightLimiter(capacity: 32 << 20, ofClient: 8 << 20)
  /// The same for sounds.
  private let knownSounds = InFlightLimiter(capacity: 66 << 20, ofClient: 33 << 20)
  private let strangeSounds = InFlightLimiter(capacity: 66 << 20, ofClient: 33 << 20)

  /// The body, which must arrive whole within a time.
  ///
  /// - Parameters:
  ///   - client: Who sends it, as far as that is known without it.
  ///   - identify: Says who sends it by what has arrived; called once, if that is more than ``freeByteCount``.
  /// - Throws: ``HTTPProblem``.
  func received(
    of request: Request, _ limit: BodyLimit, for client: Client,
    identify: @escaping @Sendable ([UInt8]) async -> Client?
  ) async throws -> ReceivedBody {
    let tooLarge = HTTPProblem(413, "the body may have \(limit.byteCount) bytes", headers: [("Connection", "close")])
    // One that says so is not waited for.
    if let length = request.headers[.contentLength].flatMap(Int.init), length > limit.byteCount { throw tooLarge }
    return try await withThrowingTaskGroup(of: ReceivedBody.self) { tasks in
      defer { tasks.cancelAll() }
      tasks.addTask {
        var bytes: [UInt8] = []
        var share: InFlightLimiter.Share?
        var largest = limit.byteCount
        do {
          for try await piece in request.body {
            guard bytes.count + piece.readableBytes <= largest else { throw tooLarge }
            bytes.append(contentsOf: piece.readableBytesView)
            guard bytes.count > Self.freeByteCount else { continue }
            if let share {
              guard share.grow(by: piece.readableBytes) else { throw Self.busy }
            } else {
              let sender = await identify(bytes) ?? client
              largest = limit.byteCount(for: sender)
              share = budget(limit, sender).share(of: bytes.count, for: sender)
              guard share != nil else { throw Self.busy }
            }
          }
          return ReceivedBody(bytes: bytes, share: share)
        } catch let problem as HTTPProblem {
          throw problem
        } catch {
          // The client has left, or what it sent is not as long as it said.
          throw HTTPProblem(400, "the body is not complete", headers: [("Connection", "close")])
        }
      }
      tasks.addTask {
        try await Task.sleep(for: .seconds(Self.longestTimeInSeconds))
        throw HTTPProblem(
          408, "the body did not arrive within \(Self.longestTimeInSeconds) seconds",
          headers: [("Connection", "close")])
      }
      return try await tasks.next() ?? ReceivedBody(bytes: [], share: nil)
    }
  }

  private static let busy = HTTPProblem(
    503, "too much is being sent at once; try again", headers: [("Retry-After", "1"), ("Connection", "close")])

  private func budget(_ limit: BodyLimit, _ client: Client) -> InFlightLimiter {
    var isStranger = false
    if case .stranger = client { isStranger = true }
    return switch (limit, isStranger) {
    case (.document, false), (.form, false): known
    case (.document, true), (.form, true): strange
    case (.sound, false): knownSounds
    case (.sound, true): strangeSounds
    }
  }
}
