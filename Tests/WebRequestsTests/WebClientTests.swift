import Base
import Foundation
import Synchronization
import TestSupport
import Testing
import WebRequests

// Faults: 206
/// Requests to a server on this computer that answers as it is told.
@Suite(.enabled(if: WebClient.library.problem == nil, "libcurl is not installed"))
struct WebClientTests {
  private func failure(_ request: WebRequest, isCancelled: @escaping () -> Bool = { false }) -> WebError? {
    do throws(WebError) {
      _ = try WebClient.send(request, isCancelled: isCancelled)
      return nil
    } catch { return error }
  }

  @Test func `a question is sent as it is, and the answer comes back with its status, headers and bytes`() throws {
    let service = try MockServer { _, _ in
      .reply(200, headers: ["X-Left": " 9 ", "Content-Type": "a/b"], "héllo\r\n\0")
    }
    var request = WebRequest(url: "\(service.address)/v2/x?a=1%20b")
    request.headers.append(("Authorization", "Token 123"))
    let answer = try WebClient.send(request)
    #expect(answer.status == 200 && answer.headers["x-left"] == "9" && answer.headers["content-type"] == "a/b")
    #expect(answer.body == Array("héllo\r\n\0".utf8))
    let seen = try #require(service.requests.first)
    #expect(seen.method == "GET" && seen.target == "/v2/x?a=1%20b" && seen.headers["authorization"] == "Token 123")
    #expect(seen.body.isEmpty && seen.headers["host"] == "127.0.0.1:\(service.port)")
    #expect(seen.headers["cookie"] == nil && seen.headers["referer"] == nil && seen.headers["user-agent"] == nil)
  }

  @Test(arguments: ["", "x", "a\0b", String(repeating: "long ", count: 400_000)])
  func `contents of any length are posted byte for byte`(text: String) throws {
    let service = try MockServer { request, _ in .reply(201, "\(request.body.count)") }
    let answer = try WebClient.send(
      WebRequest(url: "\(service.address)/submit", .post(body: Array(text.utf8), contentType: "application/json")))
    #expect(answer.status == 201 && answer.body == Array("\(text.utf8.count)".utf8))
    let seen = try #require(service.requests.first)
    #expect(seen.method == "POST" && seen.text == text && seen.headers["content-type"] == "application/json")
    #expect(seen.headers["content-length"] == "\(text.utf8.count)" && seen.headers["expect"] == nil)
  }

  @Test(arguments: [204, 400, 401, 404, 429, 500, 503])
  func `every status is an answer`(status: Int) throws {
    let service = try MockServer { _, _ in .reply(status, headers: ["Retry-After": "7"], status == 204 ? "" : "why")
    }
    let answer = try WebClient.send(WebRequest(url: service.address))
    #expect(answer.status == status && answer.headers["retry-after"] == "7")
  }

  @Test func `a redirect is not followed, because secrets would go along`() throws {
    let other = try MockServer { _, _ in .reply(200, "secret taken") }
    let service = try MockServer { [address = other.address] _, _ in .reply(302, headers: ["Location": address]) }
    #expect(try WebClient.send(WebRequest(url: service.address)).status == 302)
    #expect(other.requests.isEmpty)
  }

  @Test func `an interim answer does not count`() throws {
    let service = try MockServer { _, _ in
      .raw("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\nhi")
    }
    let answer = try WebClient.send(WebRequest(url: service.address))
    #expect(answer.status == 200 && answer.headers == ["content-length": "2", "a": "b"])
    #expect(answer.body == Array("hi".utf8))
  }

  @Test func `who does not answer in time is named, and so is the time`() throws {
    let service = try MockServer { _, _ in .silence }
    var request = WebRequest(url: "\(service.address)/?key=secret")
    request.timeoutInSeconds = 0.3
    let error = try #require(failure(request))
    #expect(error == .timeout(host: "127.0.0.1:\(service.port)", seconds: 0.3))
    #expect(error.description == "127.0.0.1:\(service.port) did not answer within 0.3 s")
  }

  @Test func `an exchange ends when it is not wanted any more`() throws {
    let service = try MockServer { _, _ in .silence }
    let questions = Mutex(0)
    let error = failure(WebRequest(url: service.address)) {
      questions.withLock {
        $0 += 1; return $0 > 1
      }
    }
    #expect(error == .cancelled(host: "127.0.0.1:\(service.port)"))
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "no HTTP at all\r\n\r\n"])
  func `what breaks off or is no HTTP is no answer`(bytes: String) throws {
    let service = try MockServer { _, _ in .raw(bytes) }
    guard case .unreachable(let host, let reason)? = failure(WebRequest(url: "\(service.address)/?key=secret")) else {
      Issue.record("there was an answer")
      return
    }
    #expect(host == "127.0.0.1:\(service.port)" && !reason.isEmpty && !reason.contains("secret"))
  }

  @Test func `nobody listens`() throws {
    let service = try MockServer { _, _ in .silence }
    service.end()
    // The thread that listens looks twenty times a second.
    Thread.sleep(forTimeInterval: 0.3)
    let error = try #require(failure(WebRequest(url: "\(service.address)/?key=secret")))
    #expect(error.description.hasPrefix("127.0.0.1:\(service.port) cannot be reached: Failed to connect"))
    #expect(!error.description.contains("secret"))
  }

  @Test func `a longer answer than wanted is not taken`() throws {
    let service = try MockServer { _, _ in .reply(200, String(repeating: "x", count: 1_001)) }
    var request = WebRequest(url: service.address)
    request.mostBodyBytes = 1_000
    #expect(failure(request) == .tooLarge(host: "127.0.0.1:\(service.port)", byteCount: 1_000))
    request.mostBodyBytes = 1_001
    #expect(try WebClient.send(request).body.count == 1_001)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "127.0.0.1", "", "http://", "https:///x", "http://a b/", "http://a/\n",
  ])
  func `only addresses of HTTP with a host are asked`(address: String) {
    #expect(failure(WebRequest(url: address)) == .address(address))
  }

  @Test func `a header cannot bring another one along, and its value is not shown`() {
    var request = WebRequest(url: "http://127.0.0.1:1/")
    request.headers = [("Authorization", "Token secret\r\nX: y")]
    #expect(failure(request) == .header(name: "Authorization"))
    #expect(failure(request)?.description.contains("secret") == false)
  }

  @Test(.enabled(if: Tool.exist("openssl", "python3"), "openssl or python3 is not installed"))
  func `a certificate that nobody vouches for is refused before anything is said`() async throws {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.appending("certificate.pem").path, folder.appending("key.pem").path)
    try Tool.run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    let script = """
      import socket, ssl, sys
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1], sys.argv[2])
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      connection, _ = server.accept()
      try: print(context.wrap_socket(connection, server_side=True).recv(100), flush=True)
      except ssl.SSLError: print("refused", flush=True)
      """
    let server = Process()
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = ["python3", "-c", script, certificate, key]
    let output = Pipe()
    server.standardOutput = output
    try server.run()
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    let error = try #require(failure(WebRequest(url: "https://localhost:\(port)/?key=secret")))
    guard case .unreachable(let host, let reason) = error else { throw error }
    #expect(host == "localhost:\(port)" && reason.lowercased().contains("certificate"))
    server.waitUntilExit()
    let heard = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(heard.trimmingCharacters(in: .newlines) == "refused")
  }
}
