package import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 in the place of a service of the internet: it answers as it is told, and keeps what it was asked.
package final class MockServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    /// The path with the query.
    package var target: String
    /// By names in lower case.
    package var headers: [String: String]
    package var body: Data
    package var instant: ContinuousClock.Instant

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The fields of a form.
    package var fields: [String: String] {
      let pairs = text.split(separator: "&").map {
        $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      }
      let plain = { (text: Substring) in text.replacing("+", with: " ").removingPercentEncoding ?? String(text) }
      return Dictionary(pairs.map { (plain($0[0]), $0.count > 1 ? plain($0[1]) : "") }) { $1 }
    }
  }

  package enum Answer: Sendable {
    case reply(_ status: Int = 200, headers: [String: String] = [:], _ body: String = "")
    /// Bytes as they are, and then the end of the connection.
    case raw(String)
    /// Nothing, until the service ends.
    case silence
  }

  package let port: Int
  private let descriptor: Int32
  private let seen = Mutex<[Request]>([])
  private let isOver = Mutex(false)

  /// - Parameter answer: Is called with each request, and how many came before it; for each one on a thread of its own.
  package init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
    guard status == 0 else { throw RawConnection.Failure(description: "listen: \(String(cString: strerror(errno)))") }
    Thread.detachNewThread { [weak self] in
      while true {
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&waited, 1, 50)
        guard let self, !self.isOver.withLock({ $0 }) else { break }
        guard count > 0 else { continue }
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { Thread.detachNewThread { [weak self] in Self.serve(connection, self, answer) } }
      }
      close(descriptor)
    }
  }

  deinit { end() }

  /// Nobody listens from then on; connections that are open end.
  package func end() { isOver.withLock { $0 = true } }

  package var address: String { "http://127.0.0.1:\(port)" }

  /// What came, in its order.
  package var requests: [Request] { seen.withLock { $0 } }

  private static func serve(
    _ connection: Int32, _ service: MockServer?, _ answer: (Request, Int) -> Answer
  ) {
    defer { close(connection) }
    guard let request = request(from: connection), let service else { return }
    let number = service.seen.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    switch answer(request, number) {
    case .raw(let text): send(text, to: connection)
    case .silence:
      while !service.isOver.withLock({ $0 }), !hasLeft(connection) { usleep(20_000) }
    case .reply(let status, let headers, let body):
      let fields = headers.merging(["Content-Length": "\(body.utf8.count)", "Connection": "close"]) { $1 }
      let head = fields.map { "\($0): \($1)\r\n" }.joined()
      send("HTTP/1.1 \(status) Status\r\n\(head)\r\n\(body)", to: connection)
    }
  }

  private static func hasLeft(_ connection: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(connection, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) == 0
  }

  private static func send(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      done += count
    }
  }

  /// nil if the connection ends before the request does.
  private static func request(from connection: Int32) -> Request? {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
        var request = head(String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        let body = bytes[end.upperBound...]
        if body.count >= length {
          request.body = Data(body.prefix(length))
          return request
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[0..<count]
    }
  }

  private static func head(_ text: String) -> Request {
    let lines = text.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      if sides.count == 2 { headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces) }
    }
    return Request(
      method: words.first ?? "", target: words.dropFirst().first ?? "", headers: headers, body: Data(),
      instant: ContinuousClock().now)
  }
}
