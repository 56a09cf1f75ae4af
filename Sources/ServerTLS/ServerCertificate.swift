package import Base
internal import Foundation
internal import HummingbirdTLS
package import HTTPServing
internal import NIOSSL

/// The certificate and the private key by which a server proves its name, in PEM.
package enum ServerCertificate {
  /// What encrypts connections with a certificate, whose days and key are checked.
  ///
  /// - Parameters:
  ///   - chain: The server's certificate, then those that lead to its issuer.
  ///   - key: Without a passphrase.
  ///   - chainPath: Where the chain is, for errors; `keyPath` likewise.
  /// - Throws: ``ServerError/certificate(_:reason:)``.
  @Sendable package static func encryption(
    chain: [UInt8], from chainPath: BytePath, key: [UInt8], from keyPath: BytePath
  ) throws(ServerError) -> ServerEncryption {
    let now = Date.now
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(chain), let own = certificates.first else {
      throw .certificate(chainPath, reason: "holds no certificate in PEM format")
    }
    guard Date(timeIntervalSince1970: Double(own.notValidAfter)) > now else {
      throw .certificate(chainPath, reason: "the certificate expired on \(day(own.notValidAfter))")
    }
    guard Date(timeIntervalSince1970: Double(own.notValidBefore)) <= now else {
      throw .certificate(chainPath, reason: "the certificate is not valid before \(day(own.notValidBefore))")
    }
    // Without a passphrase at hand BoringSSL asks for one at the terminal.
    guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem, passphraseCallback: { $0([UInt8]()) })
    else { throw .certificate(keyPath, reason: "holds no private key in PEM format without a passphrase") }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw .certificate(keyPath, reason: "the key is not that of the certificate in \(chainPath.displayString)")
    }
    return ServerEncryption { [configuration] in try .tls($0, tlsConfiguration: configuration) }
  }

  private static func day(_ secondsSince1970: Int) -> String {
    String(Timestamp(secondsSince1970: Int64(secondsSince1970)).description.prefix(10))
  }
}
