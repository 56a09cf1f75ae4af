internal import Base

/// Why a call has no result, as RFC 9457 puts it.
package struct HTTPProblem: Error, Sendable {
  package let status: Int
  /// One sentence for people.
  package let detail: String
  /// In a query, counted in Unicode scalars from 1.
  package var column: Int?
  package var headers: [(String, String)] = []

  package init(_ status: Int, _ detail: String, column: Int? = nil, headers: [(String, String)] = []) {
    self.status = status
    self.detail = detail
    self.column = column
    self.headers = headers
  }

  package static let busy = HTTPProblem(
    503, "too much is being read at once; try again", headers: [("Retry-After", "1")])

  /// A range outside of what there is.
  package static func beyond(_ byteCount: Int64) -> HTTPProblem {
    HTTPProblem(416, "there are \(byteCount) bytes", headers: [("Content-Range", "bytes */\(byteCount)")])
  }

  package var reply: Reply {
    var members: [JSONValue.Member] = [
      .init("type", .string("about:blank")), .init("title", .string(Self.title(of: status))),
      .init("status", .integer(status)),
      .init("detail", .string(detail)),
    ]
    if let column { members.append(.init("column", .integer(column))) }
    var reply = Reply(Array(JSONValue.object(members).text.utf8), .problem, status: status)
    reply.headers += headers + [("Cache-Control", "no-store")]
    return reply
  }

  private static func title(of status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 503: "Service Unavailable"
    // As clients take a status that they do not know (RFC 9110, section 15).
    default: status < 500 ? "Bad Request" : "Internal Server Error"
    }
  }
}
