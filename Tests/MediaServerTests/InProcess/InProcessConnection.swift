import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded

@testable import HTTPServing
@testable import WebAPI

/// A connection to a responder without a socket: bytes pass through the handlers of a real connection, as if a kernel had
/// received them, and answers come back as bytes.
struct InProcessConnection {
  /// So many bytes arrive at once, as from a socket.
  private static let pieceByteCount = 1 << 16

  private let http: HTTP1Channel
  private let address: String
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// - Parameter address: From which it comes.
  init(_ responder: Responder, _ connections: Connections, from address: String) {
    self.address = address
    http = HTTP1Channel(
      responder: { [logger] (request, writer: consuming ResponseWriter, channel) in
        let context = ConnectionContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        try await writer.write(response: response.head, body: response.body)
      }, configuration: HTTPServer.configuration(of: connections))
  }

  /// Everything that is sent back to some bytes.
  ///
  /// The last request must ask for the end of the connection, or the client must close its side.
  ///
  /// - Parameter delay: After which the client closes its side if it has no answer; nil for never.
  func answer(to bytes: [UInt8], closingItsSideAfter delay: Duration? = nil) async throws -> Data {
    let channel = NIOAsyncTestingChannel()
    let place = try SocketAddress(ipAddress: address, port: 49_152)
    channel.remoteAddress = place
    let value = try await channel.eventLoop.flatSubmit { [http, logger] in
      http.setup(channel: channel, logger: logger)
    }.get()
    try await channel.connect(to: place).get()
    async let serving: Void = http.handle(value: value, logger: logger)
    for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
      // The server answers what cannot be read, and may close the connection before the rest.
      _ = try? await channel.writeInbound(
        ByteBuffer(bytes: bytes[start..<min(start + Self.pieceByteCount, bytes.count)]))
    }
    let closing = delay.map { delay in
      Task {
        try await Task.sleep(for: delay)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
    }
    await serving
    closing?.cancel()
    var answer = Data()
    while let piece = try await channel.readOutbound(as: ByteBuffer.self) { answer += piece.readableBytesView }
    return answer
  }
}
