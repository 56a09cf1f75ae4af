package import Base
internal import Synchronization

/// An event of the stream, with its data as JSON.
package struct ServerEvent: Sendable {
  let name: String
  let data: JSONValue

  package init(name: String, data: JSONValue) {
    self.name = name
    self.data = data
  }

  /// As server-sent events are written (HTML standard, section 9.2).
  var bytes: [UInt8] { Array("event: \(name)\ndata: \(data.text)\n\n".utf8) }
}

/// The events for one client.
package struct EventSubscription: Sendable {
  fileprivate let id: Int
  fileprivate let hub: EventHub
  let events: AsyncStream<ServerEvent>

  /// Ends the stream.
  func end() { hub.unsubscribe(id) }
}

/// Passes on events to the clients that listen.
package final class EventHub: Sendable {
  /// How many streams there can be at once, and of one client.
  static let limit = 64
  private static let limitOfClient = 48

  private struct State {
    var next = 0
    var streams: [Int: (client: Client, events: AsyncStream<ServerEvent>.Continuation)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var clientCount: Int { state.withLock { $0.streams.count } }

  /// nil if there are too many streams.
  package func subscribe(for client: Client) -> EventSubscription? {
    // A client that does not read loses the oldest events; the newest say all.
    let (stream, continuation) = AsyncStream.makeStream(of: ServerEvent.self, bufferingPolicy: .bufferingNewest(16))
    return state.withLock { state in
      let ownCount = state.streams.values.count { $0.client == client }
      guard state.streams.count < Self.limit, ownCount < Self.limitOfClient else { return nil }
      state.next += 1
      state.streams[state.next] = (client, continuation)
      return EventSubscription(id: state.next, hub: self, events: stream)
    }
  }

  fileprivate func unsubscribe(_ id: Int) {
    state.withLock { $0.streams.removeValue(forKey: id) }?.events.finish()
  }

  package func send(_ event: ServerEvent) {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.events.yield(event) }
  }

  /// Ends all streams.
  package func close() {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.events.finish() }
  }
}
