internal import Base
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Answers requests: finds the application of their path, and sends what it replies.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  private let mounts: [Mount]
  private let queues: WorkQueues
  /// Of answers that are being sent.
  private let budget = InFlightLimiter(capacity: 256 << 20, ofClient: 128 << 20)
  private let bodies = RequestBodies()
  private let answers: InFlightLimiter
  private let connections: Connections

  /// - Parameters:
  ///   - mounts: The first one that takes a path answers.
  ///   - answers: Has a byte for each answer until it was sent.
  ///   - connections: Those on which requests come.
  init(_ mounts: [Mount], queues: WorkQueues, answers: InFlightLimiter, connections: Connections) {
    self.mounts = mounts
    self.queues = queues
    self.answers = answers
    self.connections = connections
  }

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let running = answers.share(of: 1)
    let answer = connections.answer(on: context.channel)
    var exchange = Exchange(call(request, from: context.channel), request, bodies: bodies, queues: queues)
    var reply = await self.reply(to: &exchange, request)
    let call = exchange.call
    var share: InFlightLimiter.Share?
    if let count = reply.heldByteCount, count > Self.pieceByteCount {
      share = budget.share(of: count, for: call.client)
      if share == nil { reply = HTTPProblem.busy.reply }
    }
    reply = Compression.applied(to: reply, accepted: call[header: "accept-encoding"])
    let held = Held(running: running, share: share, answer: answer)
    return response(reply, held, for: call.client, isHead: call.isHead, request)
  }

  private func call(_ request: Request, from channel: any Channel) -> Call {
    let isHead = request.method == .head
    var call = Call(method: isHead ? "GET" : request.method.rawValue, path: "", isHead: isHead)
    call.address = NetworkAddress(channel.remoteAddress?.ipAddress)
    call.client = .stranger(call.address)
    // A header that comes twice is joined; `Cookie` is the only one of ours that browsers may split.
    for field in request.headers {
      let name = field.name.canonicalName
      let separator = name == "cookie" ? "; " : ", "
      call.headers[name] = call.headers[name].map { $0 + separator + field.value } ?? field.value
    }
    return call
  }

  private func reply(to exchange: inout Exchange, _ request: Request) async -> Reply {
    let invalid = HTTPProblem(400, "the address is not valid")
    let limit = Fields.largestCountInAddress
    let text = request.head.path ?? ""
    let isTooLong = Fields.hasMore(than: limit, in: text.utf8)
    // Its first fields say in which form its application answers.
    let fields = text.split(separator: "&", maxSplits: isTooLong ? limit : 0, omittingEmptySubsequences: false)
    let readText = isTooLong ? fields.dropLast().joined(separator: "&") : text
    let target = Call.target(readText)
    guard let read = target ?? Call.readTarget(readText) else { return invalid.reply }
    (exchange.call.path, exchange.call.query) = read
    guard let mount = mounts.first(where: { $0.takes(read.path) }) else {
      return HTTPProblem(404, "there is no \(read.path)").reply
    }
    do {
      guard !isTooLong else { throw HTTPProblem(414, "the address has more than \(limit) fields") }
      guard target != nil || mount.readsAnyAddress else { throw invalid }
      return try await mount.application.reply(to: &exchange)
    } catch {
      let problem = (error as? HTTPProblem) ?? HTTPProblem(500, "\(error)")
      return mount.application.reply(to: problem, of: exchange.call)
    }
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
      if case .events(let subscription) = reply.body { subscription.end() }
      if isHead, let count = reply.byteCount { fields[.contentLength] = String(count) }
      // The connection ends with the stream alone.
      if isHead, case .stream = reply.body { fields[.connection] = nil }
      return Response(status: status, headers: fields, body: ResponseBody { try await $0.finish(nil) })
    }
    return Response(status: status, headers: fields, body: body(reply.body, held, for: client, request))
  }

  /// How many bytes are handed over at once; the next follow when the client has taken most of them.
  private static let pieceByteCount = 1 << 16

  /// A document keeps what it is made of as that was at its beginning; nobody may keep it for ever.
  private static let documentTimeoutInSeconds = 900.0

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
      return ResponseBody(contentLength: document.byteCount.map { Int($0) }) { [reading = queues.reading] writer in
        let end = monotonicSeconds() + Self.documentTimeoutInSeconds
        while true {
          let piece = try await reading.run(for: client) { try document.next() }
          guard let piece else { break }
          guard monotonicSeconds() < end else { throw HTTPProblem(503, "the document was taken too slowly") }
          try await writer.write(ByteBuffer(bytes: piece))
        }
        try await writer.finish(nil)
        withExtendedLifetime(held) {}
      }
    case .file(let file, let range):
      return ResponseBody(contentLength: range.count) { [files = queues.files] writer in
        var position = range.lowerBound
        while position < range.upperBound {
          let (start, count) = (position, Int(min(Int64(Self.pieceByteCount) * 4, range.upperBound - position)))
          let bytes = try await files.run(for: client) {
            try DescriptorBytes.bytes(from: file.descriptor, count: count, at: start)
          }
          guard !bytes.isEmpty else { throw HTTPProblem(500, "the file became shorter") }
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
      return ResponseBody { writer in
        defer { subscription.end() }
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
      for await event in subscription.events { continuation.yield(event.bytes(filteredBy: subscription.filter)) }
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
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
