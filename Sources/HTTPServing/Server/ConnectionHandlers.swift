internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Closes a connection whose client has not taken the next piece of an answer for too long.
///
/// Hummingbird's idle timeout leaves out connections with an answer under way, so that a stalled download would hold its
/// file, or its worker's frames, for ever. All calls are on the event loop of the connection.
final class WriteTimeoutHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = NIOAny

  private let timeout: TimeAmount
  /// Writes that the kernel has not taken.
  private var waitingCount = 0
  private var lastProgress = NIODeadline.distantPast
  private var check: Scheduled<Void>?

  init(timeout: TimeAmount) { self.timeout = timeout }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let written = promise ?? context.eventLoop.makePromise()
    if waitingCount == 0 { lastProgress = context.eventLoop.now }
    waitingCount += 1
    written.futureResult.assumeIsolated().whenComplete { [self] _ in
      waitingCount -= 1
      lastProgress = context.eventLoop.now
    }
    if check == nil { scheduleCheck(context) }
    context.write(data, promise: written)
  }

  private func scheduleCheck(_ context: ChannelHandlerContext) {
    check = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastProgress + timeout) { [self] in
      check = nil
      guard waitingCount > 0 else { return }
      if context.eventLoop.now - lastProgress < timeout { scheduleCheck(context) } else { context.close(promise: nil) }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    check?.cancel()
    check = nil
  }
}

/// Answers `Expect: 100-continue` at once, so that programs send a body without waiting (RFC 9110, section 10.1.1). One that
/// is announced to be too large for everything is waited for in vain: its request is refused.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let request) = unwrapInboundIn(data), request.headerFields[.expect]?.lowercased() == "100-continue",
      request.headerFields[.contentLength].flatMap(Int.init).map({ $0 <= BodyLimit.sound.byteCount }) ?? true
    {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    context.fireChannelRead(data)
  }
}

/// Frames answers as their requests need it, where SwiftNIO looks at nothing but the answers: those to HTTP/1.0 have no chunks,
/// which it does not know, and end with the connection (RFC 9112, section 6.3); those to HEAD have no body, and so no last chunk
/// (RFC 9110, section 9.3.2).
///
/// It adds itself before the codec, behind which nobody knows the version of a request.
final class FramingHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let gate: Gate
  /// Those that are not answered, in their order: a client may send the next one before it has an answer.
  private var requests: [(isHead: Bool, isOld: Bool)] = []

  private init(_ gate: Gate) { self.gate = gate }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let isOld = head.version.major == 1 && head.version.minor == 0
    requests.append((head.method == .HEAD, isOld))
    if isOld { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where requests.first?.isOld == true:
      head.version = .http1_0
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where !requests.isEmpty:
      // The encoder writes the last chunk before this returns.
      gate.isClosed = requests.removeFirst().isHead
      context.write(data, promise: promise)
      gate.isClosed = false
    default: context.write(data, promise: promise)
    }
  }

  /// Stands behind the encoder; while it is closed, nothing is written.
  private final class Gate: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    var isClosed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      context.write(isClosed ? wrapOutboundOut(.byteBuffer(ByteBuffer())) : data, promise: promise)
    }
  }

  /// A handler whose only work is to put these where they belong.
  final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      guard let encoder = try? pipeline.handler(type: HTTPResponseEncoder.self),
        let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      else { return }
      let gate = Gate()
      try? pipeline.addHandler(gate, position: .before(encoder))
      try? pipeline.addHandler(FramingHandler(gate), position: .before(codec))
    }
  }
}
