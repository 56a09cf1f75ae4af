package import Base

/// How a server is reached.
package struct ServerOptions: Sendable {
  /// The address to listen at.
  package var host: String
  /// 0 for any free one.
  package var port: Int
  /// Names under which browsers may come, besides `localhost` and addresses.
  package var names: Set<String>
  /// A folder with the files of the page, instead of those in the program.
  package var pageFolder: BytePath?
  /// Without one, it speaks plain HTTP.
  package var certificate: ServerCertificate?
  /// Connections beyond it make room for each other.
  package var connectionLimit: Int

  package init(
    host: String = "127.0.0.1", port: Int = 4646, names: Set<String> = [], pageFolder: BytePath? = nil,
    certificate: ServerCertificate? = nil, connectionLimit: Int = 2000
  ) {
    self.host = host
    self.port = port
    self.names = names
    self.pageFolder = pageFolder
    self.certificate = certificate
    self.connectionLimit = connectionLimit
  }
}

/// Why a server does not run.
package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// - Parameter isTaken: Whether somebody else listens there.
  case cannotListen(host: String, port: Int, isTaken: Bool, reason: String)
  case stopped(reason: String)
  /// Of the file of the certificate or of its key.
  case certificate(BytePath, reason: String)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, _, let reason): "cannot listen at \(host), port \(port): \(reason)"
    case .stopped(let reason): "the server stopped: \(reason)"
    case .certificate(let path, let reason): "\(path.displayString): \(reason)"
    }
  }
}
