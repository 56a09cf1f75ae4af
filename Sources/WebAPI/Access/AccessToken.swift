internal import HTTPServing

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

  package init(_ text: String, reader: String, needsTLS: Bool = false) {
    self.text = text
    readerText = reader
    self.needsTLS = needsTLS
  }

  package static func random(needsTLS: Bool) -> AccessToken {
    AccessToken(randomText(), reader: randomText(), needsTLS: needsTLS)
  }

  /// 128 random bits.
  package static func randomText() -> String {
    (0..<16).map { _ in
      let byte = UInt8.random(in: 0...255)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Whether a request has the token as its bearer.
  func isKnown(to request: Call) -> Bool {
    guard let value = request[header: "authorization"], value.lowercased().hasPrefix("bearer ") else { return false }
    return isEqual(String(value.dropFirst(7)))
  }

  /// Whether a request has the cookie.
  func isReaderKnown(to request: Call) -> Bool {
    (request[header: "cookie"] ?? "").split(separator: ";").contains { pair in
      let sides = pair.trimmingPrefix(" ").split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == Self.cookieName && readerText.isEqualInConstantTime(to: String(sides[1]))
    }
  }

  func isEqual(_ other: String) -> Bool { text.isEqualInConstantTime(to: other) }

  var cookie: String {
    "\(Self.cookieName)=\(readerText); HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
      + (needsTLS ? "; Secure" : "")
  }
  static let expiredCookie = "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
}
