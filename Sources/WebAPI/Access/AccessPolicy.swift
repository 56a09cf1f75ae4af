internal import HTTPServing
internal import LibraryServing
internal import UserData

/// Who may call what: the owner, who knows the token, everything; people who have signed in what is theirs; others what
/// only reads and plays, if that is free.
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
    /// It is about the caller, who must be signed in or the owner.
    case signedIn
    /// It changes what belongs to the caller: ratings, lists, plays, the queue, where presets apply.
    case own
    /// It changes what belongs to all, or folders, starts scans, or shows what is not part of the library.
    case owner

    var changesLibrary: Bool { self == .own || self == .owner }
  }

  /// Who sends a request, as far as it proves that.
  enum Caller: Sendable {
    case owner
    case person(Session, Account)
    /// A browser that knows the token, with what it cannot send the token with.
    case reader
    case stranger

    /// For whom the library is read and written.
    var listener: Listener {
      if case .person(_, let account) = self { account.listener } else { .owner }
    }

    /// nil for a client that is known by its address only.
    var client: Client? {
      switch self {
      case .owner: .owner
      case .person(_, let account): .person(account.user)
      case .reader, .stranger: nil
      }
    }
  }

  /// - Parameter sessions: Those of people; nil if there can be none.
  func caller(of request: Call, _ sessions: SessionFile?) -> Caller {
    if token.isKnown(to: request) { return .owner }
    // Without its file nobody has signed in.
    if let secret = AccessToken.cookie(AccessToken.sessionCookieName, of: request),
      let (session, account) = try? sessions?.session(of: secret)
    {
      return .person(session, account)
    }
    return token.isReaderKnown(to: request) ? .reader : .stranger
  }

  /// nil if a caller has the right that a route needs.
  func refusal(of caller: Caller, needing needed: Right) -> HTTPProblem? {
    switch (needed, caller) {
    case (.none, _), (_, .owner), (.reading, .person), (.reading, .reader), (.signedIn, .person): nil
    case (.reading, .stranger) where isReadingFree: nil
    case (.own, .person(_, let account)):
      account.right.includes(.rate) ? nil : HTTPProblem(403, "the password of \(account.user) may only listen")
    case (.owner, .person):
      HTTPProblem(403, "only the owner may do this: open the address that `deadwax serve` prints, with its token")
    case (.reading, .stranger):
      HTTPProblem(401, "sign in, or open the address that `deadwax serve` prints", headers: Self.challenge)
    case (.signedIn, _), (.own, _):
      HTTPProblem(
        401, "sign in to change something, or open the address that `deadwax serve` prints, with its token",
        headers: Self.challenge)
    case (.owner, _):
      HTTPProblem(
        401, "only the owner may change something: open the address that `deadwax serve` prints, with its token",
        headers: Self.challenge)
    }
  }

  private static let challenge = [("WWW-Authenticate", "Bearer realm=\"deadwax\"")]
}
