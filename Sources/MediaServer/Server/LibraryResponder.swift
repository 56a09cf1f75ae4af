internal import Base
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Answers requests: guards them, finds their route, lets it work on a thread of its own, and sends what it replies.
///
/// Only this file and ``LibraryServer`` know Hummingbird.
struct LibraryResponder: HTTPResponder {
  typealias Context = CallContext

  /// For calls that only read the library.
  let queue = WorkQueue(width: 4, limit: 512)
  /// For calls that decode.
  private let decoding: WorkQueue
  private let budget = SendBudget(capacity: 256 << 20)
  private let answers: SendBudget
  private let service: LibraryService
  private let guardian: RequestGuard
  private let routes = RouteTable(APIRoutes.all)
  private let page: PageFiles

  /// - Parameter answers: Has a byte for each answer until it was sent.
  init(_ service: LibraryService, options: ServerOptions, answers: SendBudget) {
    self.service = service
    self.answers = answers
    guardian = RequestGuard(names: options.names)
    page = PageFiles(folder: options.pageFolder)
    decoding = WorkQueue(width: service.decoders.limit, limit: 128)
  }

  func respond(to request: Request, context: CallContext) async throws -> Response {
    let running = answers.share(of: 1)
    let isHead = request.method == .head
    var call = CallRequest(method: isHead ? "GET" : request.method.rawValue, path: "", isHead: isHead)
    call.remoteAddress = context.remoteAddress
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
    var share: SendBudget.Share?
    if case .bytes(let bytes) = reply.body, bytes.count > Self.pieceByteCount {
      share = budget.share(of: bytes.count)
      if share == nil { reply = Problem.busy.reply }
    }
    reply = Compression.applied(to: reply, accepted: call[header: "accept-encoding"])
    return response(reply, [running, share].compactMap { $0 }, isHead: isHead, request)
  }

  private func answer(_ call: inout CallRequest, _ request: Request) async throws -> Reply {
    guard let target = CallRequest.target(request.head.path ?? "") else {
      throw Problem(400, "the address is not valid")
    }
    (call.path, call.query) = target
    if call.path == SubsonicRequest.prefix || call.path.hasPrefix(SubsonicRequest.prefix + "/") {
      return try await subsonicAnswer(&call, request)
    }
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
        guard let share = budget.share(of: route.body.largestByteCount) else { throw Problem.busy }
        defer { withExtendedLifetime(share) {} }
        call.body = try await Self.body(of: request, route.body)
        return try await handled(route, Call(service: service, request: call, values: values, mayDecode: false))
      }
      let call = Call(service: service, request: call, values: values, mayDecode: false)
      return route.isLong ? try await handledWhileWaiting(route, call, request) : try await handled(route, call)
    }
  }

  // MARK: - OpenSubsonic

  /// An answer of the protocol, whose clients prove with each call who they are: no page of others can do that, so they may
  /// come from anywhere.
  private func subsonicAnswer(_ call: inout CallRequest, _ request: Request) async throws -> Reply {
    var reply = SubsonicRequest.preflight
    if call.method != "OPTIONS" { reply = try await subsonicReply(&call, request) }
    reply.headers += SubsonicRequest.headers
    return reply
  }

  private func subsonicReply(_ call: inout CallRequest, _ request: Request) async throws -> Reply {
    if call.method == "POST" {
      guard let share = budget.share(of: Route.Body.document.largestByteCount) else { throw Problem.busy }
      defer { withExtendedLifetime(share) {} }
      let body = try await Self.body(of: request, .document)
      guard let text = String(validating: body, as: UTF8.self), let fields = CallRequest.fields(text[...]) else {
        throw Problem(400, "the body is not a form")
      }
      call.query += fields
    } else if call.method != "GET" {
      throw Problem(405, "\(call.path) takes GET, POST", headers: [("Allow", "GET, POST, OPTIONS")])
    }
    let subsonic = SubsonicRequest(call)
    do {
      let method = try subsonic.method()
      let account = method.right == nil ? nil : try await account(of: subsonic)
      let service = service
      do {
        return try await queue.run { try subsonic.answer(method, by: account, service, mayDecode: false) }
      } catch is NeedsDecoder {
        return try await decoding.run { try subsonic.answer(method, by: account, service, mayDecode: true) }
      }
    } catch let error as SubsonicError {
      return subsonic.reply(error)
    }
  }

  /// Who calls. A wrong password is answered late, without holding a thread.
  private func account(of subsonic: SubsonicRequest) async throws -> Account {
    let address = GuessLimit.Address(subsonic.request.remoteAddress)
    guard !service.guesses.refuses(address) else {
      throw Problem(429, "too many wrong passwords from this address", headers: [("Retry-After", "5")])
    }
    let proof = try SubsonicProof(subsonic.parameters)
    let service = service
    let accounts = try await queue.run { () throws -> Accounts in
      do { return try service.accounts?.accounts() ?? Accounts() } catch {
        throw SubsonicError(.general, "the passwords of this server cannot be read")
      }
    }
    if let account = proof.account(among: accounts) {
      service.guesses.forget(address)
      return account
    }
    let delay = service.guesses.delay(afterWrongPasswordFrom: address)
    defer { service.guesses.noteAnswer(to: address) }
    if delay > 0 { try await Task.sleep(for: .seconds(delay)) }
    throw proof.refusal
  }

  /// The body, which must arrive whole within a time.
  private static func body(of request: Request, _ body: Route.Body) async throws -> [UInt8] {
    let tooLarge = Problem(413, "the body may have \(body.largestByteCount) bytes", headers: [("Connection", "close")])
    // One that says so is not waited for.
    if let length = request.headers[.contentLength].flatMap(Int.init), length > body.largestByteCount { throw tooLarge }
    return try await withThrowingTaskGroup(of: [UInt8].self) { tasks in
      defer { tasks.cancelAll() }
      tasks.addTask {
        do {
          return Array(buffer: try await request.body.collect(upTo: body.largestByteCount))
        } catch is NIOTooManyBytesError {
          throw tooLarge
        } catch {
          // The client has left, or what it sent is not as long as it said.
          throw Problem(400, "the body is not complete", headers: [("Connection", "close")])
        }
      }
      tasks.addTask {
        try await Task.sleep(for: .seconds(30))
        throw Problem(408, "the body did not arrive within 30 seconds", headers: [("Connection", "close")])
      }
      return try await tasks.next() ?? []
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

  /// Ends the work if the client leaves.
  private func handledWhileWaiting(_ route: Route, _ call: Call, _ request: Request) async throws -> Reply {
    let departure = Departure()
    var reply = try await request.body.consumeWithInboundCloseHandler { _ in
      try await queue.run {
        do {
          return try Departure.$current.withValue(departure) { try route.handle(call) }
        } catch {
          guard departure.hasHappened else { throw error }
          // Who has closed only the side that sends can read it.
          throw Problem(400, "the connection was closed before the answer was ready")
        }
      }
    } onInboundClosed: {
      departure.leave()
    }
    reply.headers.append(("Connection", "close"))
    return reply
  }

  // MARK: - Sending

  private func response(_ reply: Reply, _ shares: [SendBudget.Share], isHead: Bool, _ request: Request) -> Response {
    var fields = HTTPFields()
    let own = Set(reply.headers.map(\.0))
    for (name, value) in RequestGuard.headers.filter({ !own.contains($0.0) }) + reply.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let status = HTTPResponse.Status(code: reply.status)
    if isHead || reply.status == 204 || reply.status == 304 {
      if isHead, let count = reply.byteCount { fields[.contentLength] = String(count) }
      return Response(status: status, headers: fields, body: ResponseBody { try await $0.finish(nil) })
    }
    return Response(status: status, headers: fields, body: body(reply.body, shares, request))
  }

  /// How many bytes are handed over at once; the next follow when the client has taken most of them.
  private static let pieceByteCount = 1 << 16

  private func body(_ body: Reply.Body, _ shares: [SendBudget.Share], _ request: Request) -> ResponseBody {
    switch body {
    case .bytes(let bytes):
      return ResponseBody(contentLength: bytes.count) { writer in
        for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
          try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + Self.pieceByteCount, bytes.count)]))
        }
        try await writer.finish(nil)
        withExtendedLifetime(shares) {}
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
        withExtendedLifetime(shares) {}
      }
    case .stream(let stream):
      return ResponseBody(contentLength: stream.byteCount.map { Int($0) }) { writer in
        defer { stream.leave() }
        stream.start()
        // Writing alone notices late that a client has left: megabytes go into buffers before.
        try await request.body.consumeWithInboundCloseHandler { _ in
          for try await piece in stream.pieces {
            try await writer.write(ByteBuffer(bytes: piece))
            stream.sent()
          }
        } onInboundClosed: {
          stream.leave()
        }
        try await writer.finish(nil)
        withExtendedLifetime(shares) {}
      }
    case .events(let subscription):
      return ResponseBody { [service] writer in
        defer { service.events.unsubscribe(subscription.id) }
        try await Self.send(subscription, to: &writer, request)
        try await writer.finish(nil)
        withExtendedLifetime(shares) {}
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

/// A request with the address from which it comes.
struct CallContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress?.ipAddress
  }
}
