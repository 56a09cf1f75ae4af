internal import Base

/// The password of a server that others can reach.
///
/// It is part of the printed address; the page changes it for a cookie.
package struct AccessToken: Sendable {
  package let text: String
  /// Whether browsers may send it by TLS only.
  private let needsTLS: Bool
  static let cookieName = "deadwax"

  package init(_ text: String, needsTLS: Bool = false) {
    self.text = text
    self.needsTLS = needsTLS
  }

  /// 128 random bits.
  package static func random(needsTLS: Bool) -> AccessToken {
    AccessToken(
      (0..<16).map { _ in
        let byte = UInt8.random(in: 0...255)
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined(), needsTLS: needsTLS)
  }

  /// Whether a request proves that it knows the token: by its cookie or as a bearer.
  func isKnown(to request: CallRequest) -> Bool {
    if let value = request[header: "authorization"], value.lowercased().hasPrefix("bearer ") {
      return isEqual(String(value.dropFirst(7)))
    }
    return (request[header: "cookie"] ?? "").split(separator: ";").contains { pair in
      let sides = pair.trimmingPrefix(" ").split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == Self.cookieName && isEqual(String(sides[1]))
    }
  }

  /// Takes the same time wherever the first difference is.
  func isEqual(_ other: String) -> Bool {
    let (mine, others) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == others.count else { return false }
    return zip(mine, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  var cookie: String {
    "\(Self.cookieName)=\(text); HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000" + (needsTLS ? "; Secure" : "")
  }
  static let expiredCookie = "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
}
