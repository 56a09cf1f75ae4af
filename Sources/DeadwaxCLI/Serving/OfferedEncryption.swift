package import Base
package import HTTPServing
internal import Synchronization

/// What encrypts the connections of `serve`; a build may lack it.
package enum OfferedEncryption {
  /// Makes it from a chain of certificates and a key, each with its place.
  package typealias Maker =
    @Sendable ([UInt8], BytePath, [UInt8], BytePath) throws(ServerError) -> ServerEncryption

  private static let given = Mutex<Maker?>(nil)

  /// nil in a build without TLS.
  static var maker: Maker? {
    get { given.withLock { $0 } }
    set { given.withLock { $0 = newValue } }
  }
}
