package import Foundation
import Glibc

/// An answer of an HTTP server, as it came.
package struct HTTPAnswer: Sendable {
  package var status: Int
  /// By names in lower case.
  package var headers: [String: String]
  package var body: Data

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The members of a JSON object; empty for anything else.
  package var document: [String: Any] {
    (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }
}

/// A request that asks for the end of its connection.
package struct RawRequest: Sendable {
  /// As they are sent.
  package let bytes: [UInt8]

  package init(_ method: String, _ target: String, _ fields: [String: String], _ body: [UInt8] = []) {
    let head = fields.merging(["Connection": "close"]) { given, _ in given }.map { "\($0): \($1)\r\n" }.joined()
    bytes = Array("\(method) \(target) HTTP/1.1\r\n\(head)\r\n".utf8) + body
  }
}

/// A connection that sends exactly what it is told: no client library corrects a path or a header.
package final class RawConnection {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let descriptor: Int32

  /// Connects to a port of this computer; reads give up after 30 seconds.
  ///
  /// - Parameter receivingByteCount: How much the kernel takes ahead of ``receive(upTo:)``; nil for as much as it likes.
  package init(port: Int, receivingByteCount: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "socket: \(String(cString: strerror(errno)))") }
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if var count = receivingByteCount {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Failure(description: "connect: \(reason)")
    }
  }

  deinit { close(descriptor) }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
      done += count
    }
  }

  /// Some bytes; empty at the end.
  package func receive(upTo count: Int = 1 << 16) throws -> Data {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = recv(descriptor, &buffer, count, 0)
    guard received >= 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
    return Data(buffer[0..<received])
  }

  /// Everything until the server closes the connection.
  package func answer(isHead: Bool = false) throws -> HTTPAnswer {
    var bytes = Data()
    while true {
      let piece = try receive()
      if piece.isEmpty { break }
      bytes += piece
    }
    return try HTTPAnswer(parsing: bytes, isHead: isHead)
  }
}

extension HTTPAnswer {
  /// An answer to whose end the connection was closed.
  ///
  /// - Parameter isHead: Whether HEAD was asked for: then everything behind the head is the body, and should be nothing.
  /// - Throws: ``RawConnection/Failure`` if it has no head, or its last chunk is missing.
  package init(parsing bytes: Data, isHead: Bool = false) throws {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else {
      throw RawConnection.Failure(description: "no head: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      if sides.count == 2 { headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces) }
    }
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var body = Data(bytes[end.upperBound...])
    if headers["transfer-encoding"] == "chunked", !isHead { body = try Self.joined(body) }
    self.init(status: status, headers: headers, body: body)
  }

  /// The content of chunks (RFC 9112, section 7.1).
  private static func joined(_ chunks: Data) throws -> Data {
    var (content, rest) = (Data(), chunks[...])
    while let line = rest.range(of: Data("\r\n".utf8)) {
      let text = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
      guard let count = Int(text, radix: 16), rest.distance(from: line.upperBound, to: rest.endIndex) >= count + 2
      else {
        break
      }
      if count == 0 { return content }
      content += rest[line.upperBound..<line.upperBound + count]
      rest = rest[(line.upperBound + count + 2)...]
    }
    throw RawConnection.Failure(description: "the last chunk is missing after \(content.count) bytes")
  }
}

/// `deadwax serve` on a free port.
package struct RunningServer: Sendable {
  package let command: RunningCommand
  package let port: Int
  /// The first line that it printed.
  package let address: String

  /// Who sends a request: whoever knows the token of the address, or anybody.
  package enum Caller: Sendable {
    case owner, stranger
  }

  /// The end of the address.
  package var token: String { address.components(separatedBy: "#token=").last ?? "" }

  package init(_ deadwax: DeadwaxCommand, _ arguments: [String] = []) async throws {
    command = try deadwax.start(["serve", "--port", "0"] + arguments)
    var line = ""
    while !line.hasSuffix("\n") {
      guard command.isRunning else { throw UnexpectedOutcome(try await command.outcome()) }
      try await Task.sleep(for: .milliseconds(20))
      line = String(decoding: try command.output(), as: UTF8.self)
    }
    address = line.trimmingCharacters(in: .newlines)
    guard let port = URL(string: address)?.port else { throw RawConnection.Failure(description: address) }
    self.port = port
  }

  /// Asks it to end, and waits until it has.
  @discardableResult package func stop() async throws -> CommandOutcome {
    command.send(SIGTERM)
    return try await command.outcome()
  }

  /// Sends one request and closes the connection after the answer.
  package func ask(
    _ target: String, _ method: String = "GET", as caller: Caller = .owner, headers: [String: String] = [:],
    body: String? = nil
  ) throws -> HTTPAnswer {
    try ask(
      target, method, as: caller, headers: headers, bytes: body.map { Array($0.utf8) }, type: "application/json")
  }

  /// The same with bytes of any type.
  package func ask(
    _ target: String, _ method: String, as caller: Caller = .owner, headers: [String: String] = [:],
    bytes: [UInt8]?, type: String
  ) throws -> HTTPAnswer {
    let connection = try RawConnection(port: port)
    var fields = ["Host": "127.0.0.1:\(port)"]
    if caller == .owner { fields["Authorization"] = "Bearer \(token)" }
    if let bytes {
      fields["Content-Type"] = type
      fields["Content-Length"] = "\(bytes.count)"
    }
    fields.merge(headers) { $1 }
    try connection.send(RawRequest(method, target, fields, bytes ?? []).bytes)
    return try connection.answer(isHead: method == "HEAD")
  }
}
