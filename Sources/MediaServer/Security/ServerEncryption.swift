package import HummingbirdCore

/// What encrypts the connections of a server. It is made by a module that this one does not know, so that a server can be
/// built without TLS (docs/decisions/0090).
package struct ServerEncryption: Sendable {
  let encrypted: @Sendable (HTTPServerBuilder) throws -> HTTPServerBuilder

  /// - Parameter encrypted: Puts the encryption around what serves a connection.
  package init(_ encrypted: @escaping @Sendable (HTTPServerBuilder) throws -> HTTPServerBuilder) {
    self.encrypted = encrypted
  }
}
