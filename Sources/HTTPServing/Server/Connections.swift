internal import Base
internal import NIOCore
internal import Synchronization

/// The open connections: if there are too many, those that wait for a request make room, first those of the address with
/// the most. So idle connections of one client shut nobody else out.
final class Connections: Sendable {
  fileprivate struct Entry {
    let channel: any Channel
    let address: NetworkAddress
    /// Requests that are being answered; without any, the connection waits, perhaps for the rest of a request.
    var answerCount = 0
    /// Monotonic seconds.
    var waitsSince: Double
  }

  /// A request that is being answered, until it is released.
  final class Answer: Sendable {
    private let id: ObjectIdentifier
    private let connections: Connections

    fileprivate init(_ id: ObjectIdentifier, _ connections: Connections) {
      self.id = id
      self.connections = connections
    }

    deinit { connections.change(id) { $0.answerCount -= 1 } }
  }

  private let limit: Int
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.withLock { $0.count } }

  func answer(on channel: any Channel) -> Answer {
    let id = ObjectIdentifier(channel)
    change(id) { $0.answerCount += 1 }
    return Answer(id, self)
  }

  private func change(_ id: ObjectIdentifier, _ body: (inout Entry) -> Void) {
    entries.withLock { entries in
      guard var entry = entries[id] else { return }
      body(&entry)
      entry.waitsSince = monotonicSeconds()
      entries[id] = entry
    }
  }

  fileprivate func add(_ channel: any Channel) {
    let victim = entries.withLock { entries -> (any Channel)? in
      entries[ObjectIdentifier(channel)] = Entry(
        channel: channel, address: NetworkAddress(channel.remoteAddress?.ipAddress), waitsSince: monotonicSeconds())
      guard entries.count > limit, let id = Self.victim(among: entries, for: ObjectIdentifier(channel)) else {
        return nil
      }
      return entries.removeValue(forKey: id)?.channel
    }
    victim?.close(promise: nil)
  }

  fileprivate func remove(_ channel: any Channel) {
    _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// The connection that has waited longest of the address with the most that wait; without any that waits, an answer of an
  /// address that has more than half of all connections.
  private static func victim(
    among entries: [ObjectIdentifier: Entry], for new: ObjectIdentifier
  ) -> ObjectIdentifier? {
    let others = entries.filter { $0.key != new }
    let waiting = others.filter { $0.value.answerCount == 0 }
    let candidates = waiting.isEmpty ? others : waiting
    let byAddress = Dictionary(grouping: candidates, by: \.value.address)
    guard let most = byAddress.values.max(by: { $0.count < $1.count }) else { return nil }
    if waiting.isEmpty, most.count <= others.count / 2 { return nil }
    return most.min { $0.value.waitsSince < $1.value.waitsSince }?.key
  }
}

/// Notes a connection for as long as it is open.
final class NotedConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let connections: Connections

  init(_ connections: Connections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) { connections.add(context.channel) }

  func handlerRemoved(context: ChannelHandlerContext) { connections.remove(context.channel) }
}
