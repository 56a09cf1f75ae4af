internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

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
