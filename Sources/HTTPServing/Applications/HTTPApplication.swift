internal import HTTPTypes
internal import HummingbirdCore

/// A part of a server that answers the requests below a path.
package protocol HTTPApplication: Sendable {
  /// The reply to a request.
  ///
  /// - Parameter exchange: Has the client afterwards, if the application found out who it is.
  /// - Throws: ``HTTPProblem``, which becomes the reply; any other error is one of status 500.
  func reply(to exchange: inout Exchange) async throws -> Reply

  /// What is replied to a call with a problem, wherever that was found: problem details, or what the application has for it.
  func reply(to problem: HTTPProblem, of call: Call) -> Reply
}

extension HTTPApplication {
  package func reply(to problem: HTTPProblem, of call: Call) -> Reply { problem.reply }
}

/// What sees the requests to an application first, and its replies last.
package protocol Middleware: Sendable {
  /// Answers a request itself, or passes it on.
  func reply(to exchange: inout Exchange, _ next: any HTTPApplication) async throws -> Reply

  /// What is sent with every reply of the application, besides what it says itself.
  var headers: [(String, String)] { get }
}

extension Middleware {
  package var headers: [(String, String)] { [] }
}

extension HTTPApplication {
  /// The application behind a middleware.
  package func behind(_ middleware: any Middleware) -> any HTTPApplication {
    GuardedApplication(middleware: middleware, application: self)
  }
}

private struct GuardedApplication: HTTPApplication {
  let middleware: any Middleware
  let application: any HTTPApplication

  func reply(to exchange: inout Exchange) async throws -> Reply {
    try await middleware.reply(to: &exchange, application).with(middleware.headers)
  }

  func reply(to problem: HTTPProblem, of call: Call) -> Reply {
    application.reply(to: problem, of: call).with(middleware.headers)
  }
}

/// An application and the paths that it answers.
package struct Mount: Sendable {
  let application: any HTTPApplication
  /// Whether it takes addresses of programs that escape them otherwise than the page does; others are refused.
  let readsAnyAddress: Bool
  let takes: @Sendable (_ path: String) -> Bool

  /// - Parameter prefix: Such as `/api/v1`; empty for all paths.
  package init(_ prefix: String, _ application: any HTTPApplication) {
    self.init(application, readingAnyAddress: false) { path in
      prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/")
    }
  }

  package init(
    _ application: any HTTPApplication, readingAnyAddress: Bool, takes: @escaping @Sendable (_ path: String) -> Bool
  ) {
    self.application = application
    readsAnyAddress = readingAnyAddress
    self.takes = takes
  }
}

/// A request while it is answered: what was sent, and the threads of the server.
package struct Exchange: Sendable {
  package var call: Call
  package let queues: WorkQueues
  private let request: Request
  private let bodies: RequestBodies

  init(_ call: Call, _ request: Request, bodies: RequestBodies, queues: WorkQueues) {
    self.call = call
    self.request = request
    self.bodies = bodies
    self.queues = queues
  }

  /// The name and port by which the client calls the server.
  var authority: String? { request.head.authority }

  /// The body, which must arrive whole within a time. What it holds of the budget is free again when the value is released.
  ///
  /// - Parameter identify: Says who sends it by what has arrived, if that is not known without it.
  /// - Throws: ``HTTPProblem``.
  package func body(
    _ limit: BodyLimit, identifyingSender identify: @escaping @Sendable ([UInt8]) async -> Client? = { _ in nil }
  ) async throws -> ReceivedBody {
    try await bodies.received(of: request, limit, for: call.client, identify: identify)
  }

  /// The reply of a handler, which runs where its kind of work does; what it leaves to decoders follows on their threads.
  ///
  /// - Throws: ``HTTPProblem/busy``, and what `handle` throws.
  package func reply(_ work: Work, _ handle: @escaping @Sendable () throws -> Answer) async throws -> Reply {
    let answer =
      switch work {
      case .reading: try await queues.reading.run(for: call.client) { try handle() }
      case .searching: try await answerWhileConnected(handle)
      case .writing: try await queues.writing.run(for: call.client) { try handle() }
      case .decoding: try await queues.decoding.run(for: call.client) { Answer.reply(try handle().finished()) }
      }
    switch answer {
    case .reply(let reply): return reply
    case .decoding(let rest): return try await queues.decoding.run(for: call.client) { try rest() }
    }
  }

  /// Ends the work if the client leaves.
  private func answerWhileConnected(_ handle: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    let disconnect = ClientDisconnect()
    let (queue, client) = (queues.reading, call.client)
    let answer = try await request.body.consumeWithInboundCloseHandler { _ in
      try await queue.run(for: client, disconnect) {
        do {
          return try handle()
        } catch {
          guard disconnect.hasHappened else { throw error }
          // Who has closed only the side that sends can read it.
          throw HTTPProblem(400, "the connection was closed before the answer was ready")
        }
      }
    } onInboundClosed: {
      disconnect.leave()
    }
    return answer.map { reply in
      var reply = reply
      reply.headers.append(("Connection", "close"))
      return reply
    }
  }
}
