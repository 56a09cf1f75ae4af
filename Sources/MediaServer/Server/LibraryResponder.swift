internal import Base
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Answers requests: guards them, finds their route, lets it work on a thread of its own, and sends what it replies.
///
/// Only this file and ``LibraryServer`` know Hummingbird.
struct LibraryResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  private static let largestBody = 1 << 20

  /// For calls that only read the library.
  let queue = WorkQueue(width: 4, limit: 512)
  /// For calls that decode.
  private let decoding: WorkQueue
  private let service: LibraryService
  private let guardian: RequestGuard
  private let routes = RouteTable(APIRoutes.all)
  private let page: PageFiles

  init(_ service: LibraryService, options: ServerOptions) {
    self.service = service
    guardian = RequestGuard(names: options.names)
    page = PageFiles(folder: options.pageFolder)
    decoding = WorkQueue(width: service.decoders.limit, limit: 128)
  }

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    let isHead = request.method == .head
    var call = CallRequest(method: isHead ? "GET" : request.method.rawValue, path: "")
    // A header that comes twice is joined; `Cookie` is the only one of ours that browsers may split.
    for field in request.headers {
      let name = field.name.canonicalName
      let separator = name == "cookie" ? "; " : ", "
      call.headers[name] = call.headers[name].map { $0 + separator + field.value } ?? field.value
    }
    var reply: Reply
    do {
      reply = try await answer(&call, request)
    } catch {
      reply = Problem(error).reply
    }
    reply = Compression.applied(to: reply, accepted: call[header: "accept-encoding"])
    return response(reply, isHead: isHead, request)
  }

  private func answer(_ call: inout CallRequest, _ request: Request) async throws -> Reply {
    guard let target = CallRequest.target(request.head.path ?? "") else {
      throw Problem(400, "the address is not valid")
    }
    (call.path, call.query) = target
    let isAPI = call.path == Route.prefix || call.path.hasPrefix(Route.prefix + "/")
    if let refusal = guardian.refusal(of: call, authority: request.head.authority, isPage: !isAPI) { throw refusal }
    guard isAPI else {
      guard call.method == "GET" else { throw Problem(405, "the page is only read", headers: [("Allow", "GET, HEAD")]) }
      return page.reply(to: call)
    }
    switch routes.match(call.method, call.path.dropFirst(Route.prefix.count)) {
    case .nothing: throw Problem(404, "there is no \(call.path)")
    case .otherMethods(let methods):
      throw Problem(
        405, "\(call.path) takes \(methods.map(\.rawValue).joined(separator: ", "))",
        headers: [("Allow", methods.map(\.rawValue).joined(separator: ", "))])
    case .route(let route, let values):
      if let token = service.token, !route.isOpen, !token.isKnown(to: call) {
        throw Problem(401, "log in with the printed address")
      }
      if let name = call.query.map(\.name).first(where: { name in !route.parameters.contains { $0.name == name } }) {
        throw Problem(422, "there is no parameter \(name)")
      }
      if route.method != .get {
        do {
          call.body = Array(buffer: try await request.body.collect(upTo: Self.largestBody))
        } catch is NIOTooManyBytesError {
          throw Problem(413, "the body may have \(Self.largestBody) bytes", headers: [("Connection", "close")])
        }
      }
      return try await handled(route, Call(service: service, request: call, values: values, mayDecode: false))
    }
  }

  private func handled(_ route: Route, _ call: Call) async throws -> Reply {
    do {
      return try await queue.run { try route.handle(call) }
    } catch is NeedsDecoder {
      let call = Call(service: call.service, request: call.request, values: call.values, mayDecode: true)
      return try await decoding.run { try route.handle(call) }
    }
  }

  // MARK: - Sending

  private func response(_ reply: Reply, isHead: Bool, _ request: Request) -> Response {
    var fields = HTTPFields()
    for (name, value) in RequestGuard.headers + reply.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let status = HTTPResponse.Status(code: reply.status)
    if isHead || reply.status == 204 || reply.status == 304 {
      if isHead, let count = reply.byteCount { fields[.contentLength] = String(count) }
      return Response(status: status, headers: fields, body: ResponseBody { try await $0.finish(nil) })
    }
    return Response(status: status, headers: fields, body: body(reply.body, request))
  }

  /// How many bytes are handed over at once; the next follow when the client has taken most of them.
  private static let pieceByteCount = 1 << 16

  private func body(_ body: Reply.Body, _ request: Request) -> ResponseBody {
    switch body {
    case .bytes(let bytes):
      return ResponseBody(contentLength: bytes.count) { writer in
        for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
          try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + Self.pieceByteCount, bytes.count)]))
        }
        try await writer.finish(nil)
      }
    case .file(let file, let range):
      return ResponseBody(contentLength: range.count) { [queue] writer in
        var position = range.lowerBound
        while position < range.upperBound {
          let (start, count) = (position, Int(min(Int64(Self.pieceByteCount) * 4, range.upperBound - position)))
          let bytes = try await queue.run { try DescriptorBytes.bytes(from: file.descriptor, count: count, at: start) }
          guard !bytes.isEmpty else { throw Problem(500, "the file became shorter") }
          try await writer.write(ByteBuffer(bytes: bytes))
          position += Int64(bytes.count)
        }
        try await writer.finish(nil)
      }
    case .events(let subscription):
      return ResponseBody { [service] writer in
        defer { service.events.unsubscribe(subscription.id) }
        try await Self.send(subscription, to: &writer, request)
        try await writer.finish(nil)
      }
    }
  }

  /// Sends events, and a comment now and then, until the client leaves or the server stops.
  private static func send(
    _ subscription: EventSubscription, to writer: inout any ResponseBodyWriter, _ request: Request
  ) async throws {
    try await writer.write(ByteBuffer(string: ": deadwax\n\n"))
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(16))
    let forwarding = Task {
      for await event in subscription.events { continuation.yield(event.bytes) }
      continuation.finish()
    }
    let breathing = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(15))
        continuation.yield(Array(": \n\n".utf8))
      }
    }
    defer {
      forwarding.cancel()
      breathing.cancel()
    }
    for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
  }
}
