package import Base
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// Serves a library over HTTP until it is stopped.
package final class LibraryServer: Sendable {
  private let service: LibraryService
  private let options: ServerOptions

  private enum State {
    case starting
    case running(port: Int)
    case ended((any Error)?)
  }

  private let state = Mutex(State.starting)
  /// The answers that are being made or sent; one byte stands for each.
  private let answers = InFlightLimiter(capacity: .max)

  package init(_ service: LibraryService, options: ServerOptions) {
    self.service = service
    self.options = options
  }

  /// Beyond the limit, while others are closed to make room.
  private static let spareConnectionCount = 32

  /// How long open downloads and event streams may go on after a stop.
  private static let patienceInSeconds = 2.5

  /// Serves until the signal arrives, then returns within three seconds whatever is open; the process must end then.
  ///
  /// - Parameter onStart: Called with the port once connections are accepted.
  /// - Throws: ``ServerError``.
  package func run(until stop: StopSignal, onStart: (Int) throws -> Void) throws {
    Task { await serve() }
    service.scrobbler?.start()
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
    service.events.close()
    service.jukebox.stop()
    service.scrobbler?.stop()
    let end = monotonicSeconds() + Self.patienceInSeconds
    while answers.byteCount > 0, monotonicSeconds() < end { stop.wait(for: -1, upToSeconds: 0.02) }
    service.library.close()
  }

  /// Makes what players browse before the first one asks, if there are any.
  private func prepareBrowseIndex(on queue: WorkQueue) {
    Task { [service] in
      try? await queue.run(for: .owner) {
        guard let accounts = try service.accounts?.accounts(), !accounts.all.isEmpty else { return }
        _ = try service.browsing.current()
      }
    }
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

  /// How each connection is set up.
  static func configuration(of connections: Connections) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [NotedConnection(connections), WriteTimeoutHandler(timeout: .seconds(60))],
      idleTimeout: .seconds(60))
  }

  private func serve() async {
    let connections = Connections(limit: options.connectionLimit)
    let responder = LibraryResponder(service, options: options, answers: answers, connections: connections)
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
    let watching = Task { await LibraryChanges(service).watch(responder.reading) }
    defer { watching.cancel() }
    prepareBrowseIndex(on: responder.reading)
    do {
      try await application.run()
      state.withLock { $0 = .ended(nil) }
    } catch {
      state.withLock { $0 = .ended(error) }
    }
  }
}
