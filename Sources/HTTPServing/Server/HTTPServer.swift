package import Base
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// Serves applications over HTTP until it is stopped.
package final class HTTPServer: Sendable {
  private enum State {
    case starting
    case running(port: Int)
    case ended((any Error)?)
  }

  private let mounts: [Mount]
  private let queues: WorkQueues
  private let options: ServerOptions
  private let state = Mutex(State.starting)
  /// The answers that are being made or sent; one byte stands for each.
  private let answers = InFlightLimiter(capacity: .max)

  /// - Parameter mounts: The first one that takes a path answers.
  package init(_ mounts: [Mount], queues: WorkQueues, options: ServerOptions) {
    self.mounts = mounts
    self.queues = queues
    self.options = options
  }

  /// Beyond the limit, while others are closed to make room.
  private static let spareConnectionCount = 32

  /// How long open downloads and event streams may go on after a stop.
  private static let drainTimeoutInSeconds = 2.5

  /// Serves until the signal arrives, then returns within three seconds whatever is open; the process must end then.
  ///
  /// - Parameters:
  ///   - onStart: Called with the port once connections are accepted.
  ///   - onStop: Called when the signal has arrived, to end what would go on.
  /// - Throws: ``ServerError``.
  package func run(until stop: StopSignal, onStart: (Int) throws -> Void, onStop: () -> Void) throws {
    Task { await serve() }
    var isAnnounced = false
    while stop.number == nil {
      switch state.withLock({ $0 }) {
      case .starting: stop.wait(for: -1, upToSeconds: 0.02)
      case .running(let port):
        if !isAnnounced { try onStart(port) }
        isAnnounced = true
        stop.wait(for: -1, upToSeconds: 0.5)
      case .ended(let error): throw failure(error)
      }
    }
    // The connections end with the process: cancelling them traps in SwiftNIO if one was just accepted.
    onStop()
    let end = monotonicSeconds() + Self.drainTimeoutInSeconds
    while answers.byteCount > 0, monotonicSeconds() < end { stop.wait(for: -1, upToSeconds: 0.02) }
  }

  private func failure(_ error: (any Error)?) -> ServerError {
    guard let error else { return .stopped(reason: "for an unknown reason") }
    if let error = error as? IOError {
      return .cannotListen(
        host: options.host, port: options.port, isTaken: error.errnoCode == EADDRINUSE,
        reason: SystemError(call: "bind", code: error.errnoCode).description)
    }
    return .cannotListen(host: options.host, port: options.port, isTaken: false, reason: "\(error)")
  }

  /// The longest address: players that send no forms name the songs of a playlist in it, some 40 bytes each.
  private static let addressByteCount = 128 << 10

  /// How each connection is set up.
  static func configuration(of connections: Connections) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        NotedConnection(connections), WriteTimeoutHandler(timeout: .seconds(60)), ContinueHandler(),
        FramingHandler.Installer(),
      ],
      idleTimeout: .seconds(60),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: addressByteCount, maxHeaderListSize: addressByteCount + (64 << 10), maxHeaderFieldCount: 256
      ))
  }

  private func serve() async {
    let connections = Connections(limit: options.connectionLimit)
    let responder = Responder(mounts, queues: queues, answers: answers, connections: connections)
    var logger = Logger(label: "deadwax.serve")
    logger.logLevel = .critical
    let http = HTTPServerBuilder.http1(configuration: Self.configuration(of: connections))
    let server: HTTPServerBuilder
    do {
      server = try options.encryption.map { try $0.encrypted(http) } ?? http
    } catch {
      return state.withLock { $0 = .ended(error) }
    }
    let application = Application(
      responder: responder, server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), backlog: 1024,
        availableConnectionsDelegate: .maximum(options.connectionLimit + Self.spareConnectionCount, logger: logger)),
      onServerRunning: { [weak self] channel in
        self?.state.withLock { $0 = .running(port: channel.localAddress?.port ?? 0) }
      },
      logger: logger)
    do {
      try await application.run()
      state.withLock { $0 = .ended(nil) }
    } catch {
      state.withLock { $0 = .ended(error) }
    }
  }
}
