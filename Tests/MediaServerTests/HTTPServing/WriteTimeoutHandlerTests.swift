import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

struct WriteTimeoutHandlerTests {
  private let channel = EmbeddedChannel(handler: WriteTimeoutHandler(timeout: .seconds(60)))

  init() throws { try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }

  private func pass(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  private func write() { channel.write(ByteBuffer(string: "piece"), promise: nil) }

  // Faults: 126
  @Test func `a connection that takes nothing for the time is closed`() {
    write()
    pass(seconds: 59)
    #expect(channel.isActive)
    pass(seconds: 1)
    #expect(!channel.isActive)
  }

  // Faults: 126
  @Test func `one that takes a piece now and then stays`() {
    for _ in 0..<10 {
      write()
      pass(seconds: 50)
      channel.flush()
    }
    #expect(channel.isActive)
  }

  @Test func `one for which nothing waits stays, and its time begins with the next piece`() {
    write()
    channel.flush()
    pass(seconds: 500)
    #expect(channel.isActive)
    write()
    pass(seconds: 59)
    #expect(channel.isActive)
    pass(seconds: 1)
    #expect(!channel.isActive)
  }
}
