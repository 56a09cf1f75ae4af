import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

// Faults: 214
/// Which connections make room for others.
struct ConnectionsTests {
  private func connect(_ connections: Connections, from address: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
    try channel.pipeline.syncOperations.addHandler(NotedConnection(connections))
    channel.pipeline.fireChannelActive()
    try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
    return channel
  }

  @Test func `idle connections of one address shut nobody else out`() throws {
    let connections = Connections(limit: 20)
    let idle = try (0..<50).map { _ in try connect(connections, from: "192.0.2.1") }
    let other = try connect(connections, from: "192.0.2.2")
    #expect(connections.count <= 20)
    #expect(other.isActive)
    #expect(idle.filter(\.isActive).count < 20)
    // The latest ones are kept.
    #expect(idle.last?.isActive == true && idle.first?.isActive == false)
  }

  @Test func `a connection with a request is not closed for one without`() throws {
    let connections = Connections(limit: 5)
    let busy = try connect(connections, from: "192.0.2.1")
    let answer = connections.answer(on: busy)
    for _ in 0..<20 { _ = try connect(connections, from: "192.0.2.1") }
    #expect(busy.isActive)
    withExtendedLifetime(answer) {}
  }

  @Test func `after its answer a connection waits like others`() throws {
    let connections = Connections(limit: 5)
    let first = try connect(connections, from: "192.0.2.1")
    do {
      let answer = connections.answer(on: first)
      withExtendedLifetime(answer) {}
    }
    for _ in 0..<20 { _ = try connect(connections, from: "192.0.2.1") }
    #expect(!first.isActive)
  }

  @Test func `if all are being answered, the address with more than half of them gives one up`() throws {
    let connections = Connections(limit: 10)
    let greedy = try (0..<8).map { _ in try connect(connections, from: "192.0.2.1") }
    let modest = try (0..<2).map { _ in try connect(connections, from: "192.0.2.2") }
    let answers = (greedy + modest).map { connections.answer(on: $0) }
    let new = try connect(connections, from: "192.0.2.3")
    #expect(greedy.filter(\.isActive).count == 7 && modest.allSatisfy(\.isActive) && new.isActive)
    withExtendedLifetime(answers) {}
  }

  @Test func `what is closed is forgotten`() throws {
    let connections = Connections(limit: 5)
    let channel = try connect(connections, from: "192.0.2.1")
    #expect(connections.count == 1)
    _ = try channel.finish(acceptAlreadyClosed: true)
    #expect(connections.count == 0)
  }
}
