internal import Base
internal import Glibc

/// Which requests may come in at all: those that a page of this server, or no browser, has sent.
///
/// Web pages of others can make a browser send requests here, and with a name that leads here (DNS rebinding) even read
/// the answers. So the name in `Host` must be one of this server, and requests must not come from other sites.
package struct RequestGuard: Middleware {
  /// Names besides `localhost` and addresses, in lower case.
  private let names: Set<String>
  private let isPage: Bool

  /// - Parameter isPage: Whether it guards the files of a page, to which other sites may link.
  package init(names: Set<String>, isPage: Bool) {
    self.names = names
    self.isPage = isPage
  }

  package func reply(to exchange: inout Exchange, _ next: any HTTPApplication) async throws -> Reply {
    if let refusal = refusal(of: exchange.call, authority: exchange.authority) { throw refusal }
    return try await next.reply(to: &exchange)
  }

  /// nil if the request may be answered.
  func refusal(of request: Call, authority: String?) -> HTTPProblem? {
    guard let authority, let host = Self.host(of: authority) else { return HTTPProblem(421, "a Host is missing") }
    // The first one is no longer among the other headers.
    if let second = request[header: "host"], second != authority { return HTTPProblem(400, "there are two Hosts") }
    // A name can be made to lead here by anybody, an address cannot.
    guard host == "localhost" || Self.isAddress(host) || names.contains(host) else {
      return HTTPProblem(421, "this server is not \(host); `deadwax serve --name \(host)` makes it so")
    }
    let isChange = request.method != "GET"
    if let site = request[header: "sec-fetch-site"] {
      guard site != "same-origin", site != "none" else { return nil }
      return isPage && !isChange ? nil : HTTPProblem(403, "requests of other sites are refused")
    }
    // Browsers without fetch metadata send at least this with changes.
    guard let origin = request[header: "origin"] else { return nil }
    let place = origin.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map { $0.lowercased() }
    return place == authority.lowercased() ? nil : HTTPProblem(403, "requests of other sites are refused")
  }

  /// The host of `host:port`, in lower case and without a dot at its end; nil if it is not of that form.
  static func host(of authority: String) -> String? {
    var rest = authority.lowercased()[...]
    var host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[...end]
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest[host.endIndex...]
      if host.last == "." { host.removeLast() }
    }
    guard rest.isEmpty || rest.first == ":" && rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return host.isEmpty ? nil : String(host)
  }

  /// Whether a host is a number of IPv4 or IPv6.
  static func isAddress(_ host: String) -> Bool {
    var address = in6_addr()
    return host.first == "["
      ? inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
      : inet_pton(AF_INET, host, &address) == 1
  }

  /// What is sent with every answer, unless the answer says otherwise.
  static let headers: [(String, String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
        + "font-src 'self'; media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
  ]
}
