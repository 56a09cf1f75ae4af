internal import Base
internal import Synchronization

/// An event of the stream, with its data as JSON.
struct ServerEvent: Sendable {
  let name: String
  let data: JSONValue

  /// As server-sent events are written (HTML standard, section 9.2).
  var bytes: [UInt8] { Array("event: \(name)\ndata: \(data.text)\n\n".utf8) }
}

/// The events for one client.
struct EventSubscription: Sendable {
  let id: Int
  let events: AsyncStream<ServerEvent>
}

/// Passes on events to the clients that listen.
final class EventHub: Sendable {
  /// How many clients can listen at once.
  static let limit = 64

  private struct State {
    var next = 0
    var clients: [Int: AsyncStream<ServerEvent>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var clientCount: Int { state.withLock { $0.clients.count } }

  /// nil if too many clients listen.
  func subscribe() -> EventSubscription? {
    // A client that does not read loses the oldest events; the newest say all.
    let (stream, continuation) = AsyncStream.makeStream(of: ServerEvent.self, bufferingPolicy: .bufferingNewest(16))
    return state.withLock { state in
      guard state.clients.count < Self.limit else { return nil }
      state.next += 1
      state.clients[state.next] = continuation
      return EventSubscription(id: state.next, events: stream)
    }
  }

  func unsubscribe(_ id: Int) {
    state.withLock { $0.clients.removeValue(forKey: id) }?.finish()
  }

  func send(_ event: ServerEvent) {
    for client in state.withLock({ Array($0.clients.values) }) { client.yield(event) }
  }

  /// Ends all streams.
  func close() {
    for client in state.withLock({ Array($0.clients.values) }) { client.finish() }
  }
}
