internal import HTTPServing
internal import LibraryServing

/// The password of the owner, which is part of the printed address.
///
/// The page keeps it and sends it with what changes something. A cookie goes with every request, also to other programs
/// that listen at another port of the same host; so it has a secret of its own, which lets its bearer read and play.
package struct AccessToken: Sendable {
  package let text: String
  /// The secret of the cookie.
  package let readerText: String
  /// Whether browsers may send the cookie by TLS only.
  private let needsTLS: Bool
  static let cookieName = "deadwax"
  /// That of people who have signed in. It goes to the API alone, never below `/rest`.
  static let sessionCookieName = "deadwax-session"

  package init(_ text: String, reader: String, needsTLS: Bool = false) {
    self.text = text
    readerText = reader
    self.needsTLS = needsTLS
  }

  package static func random(needsTLS: Bool) -> AccessToken {
    AccessToken(randomText(), reader: randomText(), needsTLS: needsTLS)
  }

  /// 128 random bits.
  package static func randomText() -> String { RandomSecret.hexadecimal(byteCount: 16) }

  /// Whether a request has the token as its bearer.
  func isKnown(to request: Call) -> Bool {
    guard let value = request[header: "authorization"], value.lowercased().hasPrefix("bearer ") else { return false }
    return isEqual(String(value.dropFirst(7)))
  }

  /// Whether a request has the cookie.
  func isReaderKnown(to request: Call) -> Bool {
    Self.cookies(Self.cookieName, of: request).contains { readerText.isEqualInConstantTime(to: $0) }
  }

  /// The value of the first cookie of a name.
  static func cookie(_ name: String, of request: Call) -> String? { cookies(name, of: request).first }

  private static func cookies(_ name: String, of request: Call) -> [String] {
    (request[header: "cookie"] ?? "").split(separator: ";").compactMap { pair in
      let sides = pair.trimmingPrefix(" ").split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == name ? String(sides[1]) : nil
    }
  }

  func isEqual(_ other: String) -> Bool { text.isEqualInConstantTime(to: other) }

  var cookie: String {
    "\(Self.cookieName)=\(readerText); HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
      + (needsTLS ? "; Secure" : "")
  }
  static let expiredCookie = "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"

  /// The cookie of a session.
  ///
  /// - Parameters:
  ///   - path: Where requests have it.
  ///   - isEncrypted: Whether the request came by TLS as far as the browser knows, perhaps to a proxy.
  func sessionCookie(_ secret: String, below path: String, isEncrypted: Bool) -> String {
    "\(Self.sessionCookieName)=\(secret); HttpOnly; SameSite=Strict; Path=\(path); "
      + "Max-Age=\(Session.lifetimeInSeconds)" + (needsTLS || isEncrypted ? "; Secure" : "")
  }
  static func expiredSessionCookie(below path: String) -> String {
    "\(sessionCookieName)=; HttpOnly; SameSite=Strict; Path=\(path); Max-Age=0"
  }
}
