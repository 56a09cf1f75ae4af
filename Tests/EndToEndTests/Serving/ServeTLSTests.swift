import Foundation
import TestSupport
import Testing

/// The built server with a certificate that was made for the test; the client is Python's.
@Suite(.enabled(if: Tool.exist("openssl", "python3"), "openssl or python3 is not installed"))
struct ServeTLSTests {
  private let deadwax: DeadwaxCommand
  private let certificate: String
  private let key: String

  init() async throws {
    deadwax = try await ScannedMusic.of("damaged/clean.mp3").library()
    certificate = deadwax.home.appending("certificate.pem").path
    key = deadwax.home.appending("key.pem").path
    try Tool.run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
  }

  /// What a client gets that trusts only this certificate.
  private func fetch(_ address: String) throws -> String {
    let script = """
      import ssl, sys, urllib.request
      context = ssl.create_default_context(cafile=sys.argv[1])
      answer = urllib.request.urlopen(sys.argv[2], context=context)
      print(answer.status, answer.read().decode()[:200])
      """
    return String(decoding: try Tool.run("python3", "-c", script, certificate, address), as: UTF8.self)
  }

  @Test func `with a certificate it speaks TLS, and nothing else`() async throws {
    let server = try await RunningServer(deadwax, ["--certificate", certificate, "--key", key])
    #expect(server.address == "https://127.0.0.1:\(server.port)/#token=\(server.token)")
    let status = try fetch("https://localhost:\(server.port)/api/v1/status")
    #expect(status.hasPrefix("200 {\"schema\":1"))
    // A name that the certificate does not have.
    #expect(throws: Tool.Failure.self) { try fetch("https://127.0.0.1:\(server.port)/api/v1/status") }
    #expect(throws: RawConnection.Failure.self) { try server.ask("/api/v1/status") }
    #expect(try await server.stop().status == 143)
  }

  @Test func `what cannot be used is named in one line`() async throws {
    let (other, locked, old) = (
      deadwax.home.appending("other.pem").path, deadwax.home.appending("locked.pem").path,
      deadwax.home.appending("old.pem").path
    )
    try Tool.run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", other)
    try Tool.run("openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked)
    try Tool.run("openssl", "x509", "-in", certificate, "-signkey", key, "-days", "-1", "-out", old)
    let cases: [(String, String, Int32, String)] = [
      (certificate, other, 1, "other.pem: the key is not that of the certificate"),
      (certificate, locked, 1, "locked.pem: holds no private key in PEM format without a passphrase"),
      (key, key, 1, "key.pem: holds no certificate in PEM format"),
      (old, key, 1, "old.pem: the certificate expired on "),
      (certificate, deadwax.home.appending("none.pem").path, 64, "none.pem: No such file"),
    ]
    for (certificate, key, status, reason) in cases {
      let outcome = try await deadwax.run(["serve", "--port", "0", "--certificate", certificate, "--key", key])
      #expect(outcome.status == status && outcome.text.isEmpty)
      #expect(outcome.errorText.contains(reason) && outcome.errorText.split(separator: "\n").count == 1)
    }
    let half = try await deadwax.run(["serve", "--port", "0", "--key", key])
    #expect(half.status == 64 && half.errorText.contains("together"))
  }

  // Faults: 121
  @Test func `beyond this computer, a certificate replaces the warning and makes the cookie secure`() async throws {
    let plain = try await RunningServer(deadwax, ["--host", "0.0.0.0"])
    #expect(try await plain.stop().errorText.contains("can be intercepted"))
    let server = try await RunningServer(deadwax, ["--host", "0.0.0.0", "--certificate", certificate, "--key", key])
    let token = try #require(server.address.split(separator: "=").last.map(String.init))
    let script = """
      import ssl, sys, urllib.request
      request = urllib.request.Request(
          sys.argv[2], data=('{"token":"%s"}' % sys.argv[3]).encode(), headers={"Content-Type": "application/json"})
      context = ssl.create_default_context(cafile=sys.argv[1])
      print(urllib.request.urlopen(request, context=context).headers.get_all("Set-Cookie"))
      """
    let login = "https://localhost:\(server.port)/api/v1/login"
    let cookies = String(decoding: try Tool.run("python3", "-c", script, certificate, login, token), as: UTF8.self)
    #expect(cookies.firstMatch(of: #/'deadwax=[0-9a-f]{32};[^']*; Secure'/#) != nil, "\(cookies)")
    #expect(try await server.stop().errorText.isEmpty)
  }
}
