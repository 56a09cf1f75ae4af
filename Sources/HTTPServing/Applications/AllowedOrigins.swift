/// Lets pages of certain other sites read the answers of an application: GET and HEAD, without cookies.
///
/// It must be in front of the ``RequestGuard``, which refuses what other sites send. Such calls have ``Call/otherSite``.
package struct AllowedOrigins: Middleware {
  private let origins: Set<String>

  /// - Parameter origins: As ``origin(_:)`` writes them; without any, nothing changes.
  package init(_ origins: Set<String>) { self.origins = origins }

  package func reply(to exchange: inout Exchange, _ next: any HTTPApplication) async throws -> Reply {
    guard let origin = exchange.call[header: "origin"], origins.contains(origin),
      exchange.call[header: "sec-fetch-site"] != "same-origin"
    else { return try await next.reply(to: &exchange) }
    switch exchange.call.method {
    case "OPTIONS": return permission(for: exchange.call, from: origin)
    case "GET": break
    default: return try await next.reply(to: &exchange)
    }
    exchange.call.otherSite = origin
    // What the guard judges by, and what would prove who calls without that the page knows it.
    for name in ["origin", "sec-fetch-site", "cookie"] { exchange.call.headers[name] = nil }
    do {
      return try await next.reply(to: &exchange).with(Self.headers(for: origin))
    } catch let problem as HTTPProblem {
      return next.reply(to: problem, of: exchange.call).with(Self.headers(for: origin))
    }
  }

  /// The answers for other sites differ, so caches must tell them apart.
  package var headers: [(String, String)] { origins.isEmpty ? [] : [("Vary", "Origin")] }

  /// What a browser asks before it sends something unusual, such as the token.
  private func permission(for call: Call, from origin: String) -> Reply {
    var headers = Self.headers(for: origin)
    headers += [
      ("Access-Control-Allow-Methods", "GET, HEAD"),
      ("Access-Control-Allow-Headers", "Authorization, If-None-Match, If-Range, Range"),
      ("Access-Control-Max-Age", "600"),
    ]
    // Browsers ask also whether a public site may call a computer of a private network.
    if call[header: "access-control-request-private-network"] == "true" {
      headers.append(("Access-Control-Allow-Private-Network", "true"))
    }
    return Reply(status: 204, headers: headers)
  }

  private static func headers(for origin: String) -> [(String, String)] {
    [
      ("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", "*"),
      ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
  }

  /// An origin as browsers write it (RFC 6454, section 6.2), such as `https://music.example:8443`; nil if a text is not exactly
  /// one: a scheme of http or https, a host, and perhaps a port.
  package static func origin(_ text: String) -> String? {
    let text = text.lowercased()
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where text.hasPrefix(scheme) {
      let authority = text.dropFirst(scheme.count)
      guard authority.utf8.last != UInt8(ascii: ":"), let host = RequestGuard.host(of: String(authority)),
        authority.hasPrefix(host),
        RequestGuard.isAddress(host) || host.utf8.allSatisfy({ nameCharacters.contains($0) })
      else { return nil }
      return scheme + (authority.hasSuffix(port) ? authority.dropLast(port.count) : authority)
    }
    return nil
  }

  private static let nameCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-._".utf8)
}
