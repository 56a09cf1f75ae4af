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
  let reading = WorkQueue(
    .init(width: 4, longWidth: 12, longWidthOfClient: 4, waiting: 512, waitingOfClient: 256))
  /// For calls that write, which wait for each other, and perhaps for another process.
  private let writing = WorkQueue(
    .init(width: 1, patienceInSeconds: .infinity, waiting: 256, waitingOfClient: 64, longestWaitInSeconds: 8))
  /// For calls that decode.
  private let decoding: WorkQueue
  /// For the bytes of files, whose disks may be slow.
  private let files = WorkQueue(
    .init(width: 4, longWidth: 28, longWidthOfClient: 14, waiting: 512, waitingOfClient: 256))
  /// For passwords: nobody waits for them behind the work of others.
  private let checking = WorkQueue(
    .init(width: 2, patienceInSeconds: .infinity, waiting: 4096, waitingOfClient: 4096))
  /// Of answers that are being sent.
  private let budget = InFlightLimiter(capacity: 256 << 20, ofClient: 128 << 20)
  private let bodies = RequestBodies()
  private let answers: InFlightLimiter
  private let connections: Connections
  private let service: LibraryService
  private let guardian: RequestGuard
  private let routes = RouteTable(APIRoutes.all)
  private let page: PageFiles

  /// - Parameters:
  ///   - answers: Has a byte for each answer until it was sent.
  ///   - connections: Those on which requests come.
  init(_ service: LibraryService, options: ServerOptions, answers: InFlightLimiter, connections: Connections) {
    self.service = service
    self.answers = answers
    self.connections = connections
    guardian = RequestGuard(names: options.names)
    page = PageFiles(folder: options.pageFolder)
    decoding = WorkQueue(
      .init(width: service.decoders.limit, patienceInSeconds: 3, waiting: 128, waitingOfClient: 64))
  }

  func respond(to request: Request, context: CallContext) async throws -> Response {
    let running = answers.share(of: 1)
    let answer = connections.answer(on: context.channel)
    let isHead = request.method == .head
    var call = CallRequest(method: isHead ? "GET" : request.method.rawValue, path: "", isHead: isHead)
    call.address = NetworkAddress(context.channel.remoteAddress?.ipAddress)
    call.client = .stranger(call.address)
    // A header that comes twice is joined; `Cookie` is the only one of ours that browsers may split.
    for field in request.headers {
      let name = field.name.canonicalName
      let separator = name == "cookie" ? "; " : ", "
      call.headers[name] = call.headers[name].map { $0 + separator + field.value } ?? field.value
    }
    var reply: Reply
    do {
      reply = try await self.answer(&call, request)
    } catch {
      reply = Problem(error).reply
    }
    var share: InFlightLimiter.Share?
    if let count = reply.heldByteCount, count > Self.pieceByteCount {
      share = budget.share(of: count, for: call.client)
      if share == nil { reply = Problem.busy.reply }
    }
    reply = Compression.applied(to: reply, accepted: call[header: "accept-encoding"])
    let held = Held(running: running, share: share, answer: answer)
    return response(reply, held, for: call.client, isHead: isHead, request)
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
      let right = service.access.right(of: call)
      if let refusal = service.access.refusal(of: right, needing: route.right) { throw refusal }
      if right == .owner { call.client = .owner }
      if let name = call.query.map(\.name).first(where: { name in !route.parameters.contains { $0.name == name } }) {
        throw Problem(422, "there is no parameter \(name)")
      }
      var body: RequestBodies.Received?
      if route.method != .get { body = try await bodies.received(of: request, route.body, for: call.client) }
      defer { withExtendedLifetime(body) {} }
      call.body = body?.bytes ?? []
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
      // Names and passwords are in the address or in the form.
      let (known, checking) = (call, self)
      let body = try await bodies.received(of: request, .document, for: call.client) { part in
        await checking.sender(of: known, andFormThatBegins: part)
      }
      guard let text = String(validating: body.bytes, as: UTF8.self), let fields = CallRequest.fields(text[...]) else {
        throw Problem(400, "the body is not a form")
      }
      call.query += fields
    } else if call.method != "GET" {
      throw Problem(405, "\(call.path) takes GET, POST", headers: [("Allow", "GET, POST, OPTIONS")])
    }
    var subsonic = SubsonicRequest(call)
    do {
      let method = try subsonic.method()
      let account = method.right == nil ? nil : try await account(of: subsonic)
      if let account { call.client = account.client }
      subsonic.request.client = call.client
      let (service, subsonic) = (service, subsonic)
      let queue = method.writes ? writing : reading
      do {
        return try await queue.run(for: call.client) {
          try subsonic.answer(method, by: account, service, mayDecode: false)
        }
      } catch is NeedsDecoder {
        return try await decoding.run(for: call.client) {
          try subsonic.answer(method, by: account, service, mayDecode: true)
        }
      }
    } catch let error as SubsonicError {
      return subsonic.reply(error)
    }
  }

  /// Who sends a form, if the address or its first fields prove it; nil if they do not.
  private func sender(of request: CallRequest, andFormThatBegins part: [UInt8]) async -> Client? {
    var request = request
    let whole = part.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropLast()
    if let text = String(validating: whole.joined(separator: [UInt8(ascii: "&")]), as: UTF8.self) {
      request.query += CallRequest.fields(text[...]) ?? []
    }
    let subsonic = SubsonicRequest(request)
    guard let proof = try? SubsonicProof(subsonic.parameters), let accounts = try? await accounts(for: request.client)
    else { return nil }
    return proof.account(among: accounts)?.client
  }

  private func accounts(for client: Client) async throws -> Accounts {
    let service = service
    return try await checking.run(for: client) {
      do { return try service.accounts?.accounts() ?? Accounts() } catch {
        throw SubsonicError(.general, "the passwords of this server cannot be read")
      }
    }
  }

  /// Who calls. A wrong password is answered late, without holding a thread; a right one never waits for it.
  private func account(of subsonic: SubsonicRequest) async throws -> Account {
    let proof = try SubsonicProof(subsonic.parameters)
    let key = LoginRateLimiter.Key(address: subsonic.request.address, user: proof.user ?? "")
    if let account = proof.account(among: try await accounts(for: subsonic.request.client)) {
      service.guesses.forget(key)
      return account
    }
    switch service.guesses.noteWrong(key) {
    case .tooMany:
      throw Problem(429, "too many wrong passwords for this user from this address", headers: [("Retry-After", "5")])
    case .after(let seconds):
      defer { service.guesses.noteAnswer(to: key) }
      if seconds > 0 { try await Task.sleep(for: .seconds(seconds)) }
      throw proof.refusal
    }
  }

  private func handled(_ route: Route, _ call: Call) async throws -> Reply {
    let client = call.request.client
    do {
      return try await (route.writes ? writing : reading).run(for: client) { try route.handle(call) }
    } catch is NeedsDecoder {
      let call = Call(service: call.service, request: call.request, values: call.values, mayDecode: true)
      return try await decoding.run(for: client) { try route.handle(call) }
    }
  }

  /// Ends the work if the client leaves.
  private func handledWhileWaiting(_ route: Route, _ call: Call, _ request: Request) async throws -> Reply {
    let disconnect = ClientDisconnect()
    var reply = try await request.body.consumeWithInboundCloseHandler { _ in
      try await reading.run(for: call.request.client, disconnect) {
        do {
          return try route.handle(call)
        } catch {
          guard disconnect.hasHappened else { throw error }
          // Who has closed only the side that sends can read it.
          throw Problem(400, "the connection was closed before the answer was ready")
        }
      }
    } onInboundClosed: {
      disconnect.leave()
    }
    reply.headers.append(("Connection", "close"))
    return reply
  }

  // MARK: - Sending

  /// What an answer holds until it was sent.
  private struct Held: Sendable {
    let running: InFlightLimiter.Share?
    let share: InFlightLimiter.Share?
    let answer: Connections.Answer
  }

  private func response(
    _ reply: Reply, _ held: Held, for client: Client, isHead: Bool, _ request: Request
  ) -> Response {
    var fields = HTTPFields()
    let own = Set(reply.headers.map(\.0))
    for (name, value) in RequestGuard.headers.filter({ !own.contains($0.0) }) + reply.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let status = HTTPResponse.Status(code: reply.status)
    if isHead || reply.status == 204 || reply.status == 304 {
      if case .events(let subscription) = reply.body { service.events.unsubscribe(subscription.id) }
      if isHead, let count = reply.byteCount { fields[.contentLength] = String(count) }
      // Without a length, SwiftNIO writes an empty chunk, which the next answer of the connection must not follow.
      if isHead, reply.byteCount == nil, !own.contains("Connection") { fields[.connection] = "close" }
      return Response(status: status, headers: fields, body: ResponseBody { try await $0.finish(nil) })
    }
    return Response(status: status, headers: fields, body: body(reply.body, held, for: client, request))
  }

  /// How many bytes are handed over at once; the next follow when the client has taken most of them.
  private static let pieceByteCount = 1 << 16

  /// A document keeps the browse index as it was at its beginning; nobody may keep it for ever.
  private static let documentPatienceInSeconds = 900.0

  private func body(
    _ body: Reply.Body, _ held: Held, for client: Client, _ request: Request
  ) -> ResponseBody {
    switch body {
    case .bytes(let bytes):
      return ResponseBody(contentLength: bytes.count) { writer in
        for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
          try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + Self.pieceByteCount, bytes.count)]))
        }
        try await writer.finish(nil)
        withExtendedLifetime(held) {}
      }
    case .document(let document):
      return ResponseBody(contentLength: document.byteCount.map { Int($0) }) { [reading] writer in
        let end = monotonicSeconds() + Self.documentPatienceInSeconds
        while true {
          let piece = try await reading.run(for: client) { try document.next() }
          guard let piece else { break }
          guard monotonicSeconds() < end else { throw Problem(503, "the document was taken too slowly") }
          try await writer.write(ByteBuffer(bytes: piece))
        }
        try await writer.finish(nil)
        withExtendedLifetime(held) {}
      }
    case .file(let file, let range):
      return ResponseBody(contentLength: range.count) { [files] writer in
        var position = range.lowerBound
        while position < range.upperBound {
          let (start, count) = (position, Int(min(Int64(Self.pieceByteCount) * 4, range.upperBound - position)))
          let bytes = try await files.run(for: client) {
            try DescriptorBytes.bytes(from: file.descriptor, count: count, at: start)
          }
          guard !bytes.isEmpty else { throw Problem(500, "the file became shorter") }
          try await writer.write(ByteBuffer(bytes: bytes))
          position += Int64(bytes.count)
        }
        try await writer.finish(nil)
        withExtendedLifetime(held) {}
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
        withExtendedLifetime(held) {}
      }
    case .events(let subscription):
      return ResponseBody { [service] writer in
        defer { service.events.unsubscribe(subscription.id) }
        try await Self.send(subscription, to: &writer, request)
        try await writer.finish(nil)
        withExtendedLifetime(held) {}
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

/// A request with the connection on which it comes.
struct CallContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
