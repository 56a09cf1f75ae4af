internal import HTTPServing

/// Who may call what: the owner, who knows the token, everything; others what only reads and plays, if that is free.
package struct AccessPolicy: Sendable {
  package let token: AccessToken
  /// Whether everybody who reaches the server may read and play.
  package let isReadingFree: Bool

  package init(token: AccessToken = .random(needsTLS: false), isReadingFree: Bool = true) {
    self.token = token
    self.isReadingFree = isReadingFree
  }

  /// What a route needs.
  enum Right: String, Sendable, CaseIterable {
    /// Nothing: it tells and changes nothing of the library.
    case none
    /// It reads and plays.
    case reading
    /// It changes decisions or folders, starts scans, or shows what is not part of the library.
    case owner
  }

  /// What a request proves.
  func right(of request: Call) -> Right {
    if token.isKnown(to: request) { return .owner }
    return isReadingFree || token.isReaderKnown(to: request) ? .reading : .none
  }

  /// nil if a request has the right that a route needs.
  func refusal(of right: Right, needing needed: Right) -> HTTPProblem? {
    switch (needed, right) {
    case (.none, _), (.reading, .reading), (_, .owner): nil
    case (.reading, .none), (.owner, .none):
      HTTPProblem(401, "log in with the printed address", headers: Self.challenge)
    case (.owner, .reading):
      HTTPProblem(
        401, "only the owner may change something: open the address that `deadwax serve` prints, with its token",
        headers: Self.challenge)
    }
  }

  private static let challenge = [("WWW-Authenticate", "Bearer realm=\"deadwax\"")]
}
