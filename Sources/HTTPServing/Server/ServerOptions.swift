package import Base
package import HummingbirdCore

/// How a server is reached.
package struct ServerOptions: Sendable {
  /// The address to listen at.
  package var host: String
  /// 0 for any free one.
  package var port: Int
  /// Without one, it speaks plain HTTP.
  package var encryption: ServerEncryption?
  /// Connections beyond it make room for each other.
  package var connectionLimit: Int

  package init(
    host: String = "127.0.0.1", port: Int = 4646, encryption: ServerEncryption? = nil, connectionLimit: Int = 2000
  ) {
    self.host = host
    self.port = port
    self.encryption = encryption
    self.connectionLimit = connectionLimit
  }
}

/// What encrypts the connections of a server. It is made by a module that this one does not know, so that a server can be
/// built without TLS (docs/decisions/0090).
package struct ServerEncryption: Sendable {
  let encrypted: @Sendable (HTTPServerBuilder) throws -> HTTPServerBuilder

  /// - Parameter encrypted: Puts the encryption around what serves a connection.
  package init(_ encrypted: @escaping @Sendable (HTTPServerBuilder) throws -> HTTPServerBuilder) {
    self.encrypted = encrypted
  }
}

/// Why a server does not run.
package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// - Parameter isTaken: Whether somebody else listens there.
  case cannotListen(host: String, port: Int, isTaken: Bool, reason: String)
  case stopped(reason: String)
  /// It was built without.
  case noEncryption
  /// Of the file of the certificate or of its key.
  case certificate(BytePath, reason: String)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, _, let reason): "cannot listen at \(host), port \(port): \(reason)"
    case .stopped(let reason): "the server stopped: \(reason)"
    case .noEncryption: "this build of deadwax has no TLS"
    case .certificate(let path, let reason): "\(path.displayString): \(reason)"
    }
  }
}
