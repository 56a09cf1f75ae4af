package import Base
internal import CCurl
internal import Foundation

/// What another machine answered, whatever its status.
package struct WebResponse: Sendable {
  package let status: Int
  /// By names in lower case; of several with one name, the last one.
  package let headers: [String: String]
  /// As it was before it was compressed for the way.
  package let body: [UInt8]
}

/// Why a request has no answer. Without the path, the query and the headers of the request, which may hold secrets.
package enum WebError: Error, Hashable, CustomStringConvertible {
  /// libcurl cannot be loaded.
  case library(String)
  case address(String)
  /// The name or the value of a header has a control character.
  case header(name: String)
  /// The name is unknown, nobody listens, a certificate is wrong, or the connection broke off.
  case unreachable(host: String, reason: String)
  case timeout(host: String, seconds: Double)
  case tooLarge(host: String, byteCount: Int)
  case cancelled(host: String)

  package var description: String {
    switch self {
    case .library(let reason): reason
    case .address(let address): "\(address): the address must begin with http:// or https:// and name a host"
    case .header(let name): "the header \(name) has a control character in its value"
    case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
    case .timeout(let host, let seconds): "\(host) did not answer within \(DecimalText.number(seconds, places: 1)) s"
    case .tooLarge(let host, let byteCount): "\(host) sent more than \(byteCount) bytes"
    case .cancelled(let host): "the request to \(host) was cancelled"
    }
  }
}

/// Sends requests through libcurl, the only way of this program to other machines.
///
/// Redirects are not followed: a secret in a header would go along. Proxies are those of the usual environment variables
/// (`https_proxy`, `no_proxy`).
package enum WebClient {
  private static let mostSecondsOfConnecting = 10.0

  package static var library: SharedLibrary {
    SharedLibrary(
      "libcurl", dw_curl_load(), version: dw_curl_version(), without: "no service of the internet can be asked")
  }

  /// Sends a request and waits for the answer, on this thread.
  ///
  /// - Parameter isCancelled: Is asked about once a second; true ends the exchange.
  package static func send(
    _ request: WebRequest, isCancelled: @escaping () -> Bool = { false }
  ) throws(WebError) -> WebResponse {
    guard let host = request.host else { throw .address(address(of: request)) }
    if let problem = dw_curl_load() { throw .library(String(cString: problem)) }
    let lines = try headerLines(of: request)
    var answer = dw_web_answer()
    defer { dw_web_answer_free(&answer) }
    let failure = exchange(request, lines, Cancelling(isCancelled), &answer)
    switch failure {
    case DW_WEB_OK: return response(answer)
    case DW_WEB_ADDRESS: throw .address(address(of: request))
    case DW_WEB_TIMEOUT: throw .timeout(host: host, seconds: request.timeoutInSeconds)
    case DW_WEB_TOO_LARGE: throw .tooLarge(host: host, byteCount: request.mostBodyBytes)
    case DW_WEB_CANCELLED: throw .cancelled(host: host)
    default: throw .unreachable(host: host, reason: problem(of: answer))
    }
  }

  private static func address(of request: WebRequest) -> String { String(request.url.prefix { !"?#".contains($0) }) }

  private static func headerLines(of request: WebRequest) throws(WebError) -> [String] {
    var headers = request.headers
    if case .post(_, let type) = request.method { headers.append(("Content-Type", type)) }
    for header in headers
    where (header.name + header.value).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw .header(name: String(header.name.prefix { $0.isLetter || $0 == "-" }))
    }
    // Without the last one, long contents would wait a second for a permission that few servers give.
    return headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
  }

  private static func exchange(
    _ request: WebRequest, _ lines: [String], _ cancelling: Cancelling, _ answer: inout dw_web_answer
  ) -> dw_web_failure {
    var sent = dw_web_request()
    sent.timeout_ms = Int(max(1, request.timeoutInSeconds * 1_000))
    sent.connecting_timeout_ms = min(sent.timeout_ms, Int(mostSecondsOfConnecting * 1_000))
    sent.most_body_size = request.mostBodyBytes
    sent.is_cancelled = { context in
      context.map { Unmanaged<Cancelling>.fromOpaque($0).takeUnretainedValue().isWanted() ? 1 : 0 } ?? 0
    }
    sent.context = Unmanaged.passUnretained(cancelling).toOpaque()
    var body: [UInt8] = []
    if case .post(let bytes, _) = request.method {
      body = bytes
      sent.is_post = 1
    }
    return withExtendedLifetime(cancelling) {
      request.url.withCString { url in
        withCStrings(lines) { headers in
          body.withUnsafeBytes { body in
            sent.url = url
            (sent.headers, sent.header_count) = (headers.baseAddress, headers.count)
            (sent.body, sent.body_size) = (body.baseAddress, body.count)
            return dw_web_exchange(&sent, &answer)
          }
        }
      }
    }
  }

  /// - Parameter texts: Without NUL.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let bytes = texts.flatMap(\.utf8CString)
    return bytes.withUnsafeBufferPointer { bytes in
      var (starts, next) = ([UnsafePointer<CChar>?](), bytes.baseAddress)
      for text in texts {
        starts.append(next)
        next = next.map { $0 + text.utf8.count + 1 }
      }
      return starts.withUnsafeBufferPointer(body)
    }
  }

  private static func response(_ answer: dw_web_answer) -> WebResponse {
    let head = String(decoding: UnsafeRawBufferPointer(start: answer.head, count: answer.head_size), as: UTF8.self)
    var headers: [String: String] = [:]
    for line in head.split(whereSeparator: \.isNewline).dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return WebResponse(
      status: Int(answer.status), headers: headers,
      body: Array(UnsafeRawBufferPointer(start: answer.body, count: answer.body_size)))
  }

  private static func problem(of answer: dw_web_answer) -> String {
    withUnsafeBytes(of: answer.problem) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The question that C code asks through a pointer.
  private final class Cancelling {
    let isWanted: () -> Bool

    init(_ isWanted: @escaping () -> Bool) { self.isWanted = isWanted }
  }
}
