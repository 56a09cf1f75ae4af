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
  ///
  /// - Parameter filter: Changes the data.
  func bytes(filteredBy filter: (any DocumentFilter)? = nil) -> [UInt8] {
    var data = Array(data.text.utf8)
    if var filter { data = filter.passed(data) }
    return Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}

/// The events for one client.
package struct EventSubscription: Sendable {
  fileprivate let id: Int
  fileprivate let hub: EventHub
  let events: AsyncStream<ServerEvent>
  /// Changes the data of each event.
  private(set) var filter: (any DocumentFilter)?

  fileprivate init(id: Int, hub: EventHub, events: AsyncStream<ServerEvent>) {
    (self.id, self.hub, self.events) = (id, hub, events)
  }

  func filtered(by filter: any DocumentFilter) -> EventSubscription {
    var subscription = self
    subscription.filter = filter
    return subscription
  }

  /// Ends the stream.
  func end() { hub.unsubscribe(id) }
}

/// Passes on events to the clients that listen.
package final class EventHub: Sendable {
  /// How many streams there can be at once, and of one client.
  static let limit = 64
  private static let limitOfClient = 48

  private struct Stream {
    let client: Client
    let isAllowed: @Sendable () -> Bool
    let events: AsyncStream<ServerEvent>.Continuation
  }

  private struct State {
    var next = 0
    var streams: [Int: Stream] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var clientCount: Int { state.withLock { $0.streams.count } }

  /// - Parameter isAllowed: Whether the client may go on listening, see ``endForbidden()``.
  /// - Returns: nil if there are too many streams.
  package func subscribe(
    for client: Client, while isAllowed: @escaping @Sendable () -> Bool = { true }
  ) -> EventSubscription? {
    // A client that does not read loses the oldest events; the newest say all.
    let (stream, continuation) = AsyncStream.makeStream(of: ServerEvent.self, bufferingPolicy: .bufferingNewest(16))
    return state.withLock { state in
      let ownCount = state.streams.values.count { $0.client == client }
      guard state.streams.count < Self.limit, ownCount < Self.limitOfClient else { return nil }
      state.next += 1
      state.streams[state.next] = Stream(client: client, isAllowed: isAllowed, events: continuation)
      return EventSubscription(id: state.next, hub: self, events: stream)
    }
  }

  fileprivate func unsubscribe(_ id: Int) {
    state.withLock { $0.streams.removeValue(forKey: id) }?.events.finish()
  }

  package func send(_ event: ServerEvent) {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.events.yield(event) }
  }

  /// Ends the streams of clients that may no longer listen, such as those whose session has ended.
  package func endForbidden() {
    let streams = state.withLock { $0.streams }
    for (id, stream) in streams where !stream.isAllowed() { unsubscribe(id) }
  }

  /// Ends all streams.
  package func close() {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.events.finish() }
  }
}
