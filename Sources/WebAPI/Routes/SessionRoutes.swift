internal import Base
internal import HTTPServing
internal import LibraryServing

/// What a browser begins with: it signs in, and listens to what happens to the library.
struct SessionRoutes {
  let access: AccessPolicy
  /// nil if nobody can sign in with a password.
  let sessions: SessionFile?
  let logins: LoginRateLimiter
  let events: EventHub

  var routes: [Route] {
    [
      Route(.get, "/events", "Changes of the library as server-sent events.", answers: [.events], subscribe),
      Route(.get, "/session", "Who asks, and what they may do.", needs: AccessPolicy.Right.none, session),
      Route(
        .post, "/login", "Signs in with a name and a password, or with the token of the printed address.",
        answers: [], needs: AccessPolicy.Right.none, login),
      Route(
        .delete, "/login", "Signs out: ends the session, and deletes the cookies.", answers: [],
        needs: AccessPolicy.Right.none, logout),
      Route(
        .get, "/sessions", "The caller's sessions; for the owner, everybody's.",
        needs: .signedIn, list),
      Route(.delete, "/sessions/{id}", "Ends a session at once.", answers: [], needs: .signedIn, end),
    ]
  }

  private func subscribe(_ call: Call) throws -> Reply {
    var isAllowed: @Sendable () -> Bool = { true }
    if case .person = access.caller(of: call, sessions), let sessions,
      let secret = AccessToken.cookie(AccessToken.sessionCookieName, of: call)
    {
      isAllowed = { (try? sessions.session(of: secret)) != nil }
    }
    guard let subscription = events.subscribe(for: call.client, while: isAllowed) else { throw HTTPProblem.busy }
    // The session may have ended since it was looked at.
    events.endForbidden()
    var reply = Reply(
      status: 200, headers: [("Content-Type", MediaType.events.rawValue), ("Cache-Control", "no-store")])
    reply.body = .events(subscription)
    return reply
  }

  // MARK: - Signing in and out

  private func session(_ call: Call) throws -> Reply {
    let caller = access.caller(of: call, sessions)
    var (user, right): (String?, String?) = (nil, nil)
    switch caller {
    case .owner: right = AccessPolicy.Right.owner.rawValue
    case .person(_, let account): (user, right) = (account.user, account.right.rawValue)
    case .reader, .stranger: break
    }
    let hasPasswords = (try? sessions?.accounts.accounts().all.isEmpty) == false
    return Reply(
      .object([
        "user": .string(user), "right": .string(right),
        "can_read": .bool(access.refusal(of: caller, needing: .reading) == nil),
        "can_change_own": .bool(access.refusal(of: caller, needing: .own) == nil),
        "can_sign_in": .bool(hasPasswords),
      ]))
  }

  private func login(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard body["user"] != nil || body["password"] != nil else {
      guard let text = body["token"]?.string, access.token.isEqual(text) else {
        throw HTTPProblem(401, "this is not the token of the printed address")
      }
      try endSession(of: call)
      return Reply(
        status: 204,
        headers: [
          ("Set-Cookie", AccessToken.expiredSessionCookie(below: Route.prefix)), ("Set-Cookie", access.token.cookie),
        ])
    }
    guard let user = body["user"]?.string, let password = body["password"]?.string else {
      throw HTTPProblem(422, "user and password are texts")
    }
    guard let sessions else { throw HTTPProblem(403, "this server has no place for passwords") }
    let key = LoginRateLimiter.Key(address: call.address, user: user)
    do {
      let account = try sessions.accounts.accounts().all.first {
        $0.user == user && $0.password.isEqualInConstantTime(to: password)
      }
      guard let account else { throw WrongPassword(key: key) }
      logins.forget(key)
      try endSession(of: call)
      let secret = try sessions.begin(with: account, from: call.address, browser: call[header: "user-agent"] ?? "")
      let isEncrypted = call[header: "origin"]?.hasPrefix("https://") == true
      return Reply(
        status: 204,
        headers: [
          ("Set-Cookie", AccessToken.expiredCookie),
          ("Set-Cookie", access.token.sessionCookie(secret, below: Route.prefix, isEncrypted: isEncrypted)),
        ])
    } catch is AccountError {
      throw Self.unreadable
    } catch is SystemError {
      throw Self.unreadable
    }
  }

  private static let unreadable = HTTPProblem(500, "the passwords or sessions of this server cannot be read or written")

  private func logout(_ call: Call) throws -> Reply {
    try endSession(of: call)
    return Reply(
      status: 204,
      headers: [
        ("Set-Cookie", AccessToken.expiredCookie),
        ("Set-Cookie", AccessToken.expiredSessionCookie(below: Route.prefix)),
      ])
  }

  /// Ends the session of the browser that calls, if it has one.
  private func endSession(of call: Call) throws {
    guard let sessions, let session = own(call) else { return }
    guard (try? sessions.end(session.id, of: nil)) != nil else { throw Self.unreadable }
    events.endForbidden()
  }

  /// The session of the browser that calls, whatever else it proves.
  private func own(_ call: Call) -> Session? {
    AccessToken.cookie(AccessToken.sessionCookieName, of: call).flatMap { try? sessions?.session(of: $0)?.session }
  }

  // MARK: - All sessions

  /// Whose sessions a caller may see and end; nil for everybody's.
  private func user(of call: Call) -> String? {
    if case .person(_, let account) = access.caller(of: call, sessions) { account.user } else { nil }
  }

  private func list(_ call: Call) throws -> Reply {
    let own = own(call)?.id
    guard let all = try? sessions?.all(of: user(of: call)) ?? [] else { throw Self.unreadable }
    return try Reply(
      [], "sessions",
      JSONRows(all) { session in
        .object([
          "id": .integer(session.id), "user": .string(session.user), "for": .string(session.purpose),
          "address": .string(session.address), "browser": .string(session.browser),
          "signed_in_at": Self.time(session.madeAt), "last_used_at": Self.time(session.usedAt),
          "ends_at": Self.time(session.endsAt),
          "current": .bool(session.id == own),
        ])
      })
  }

  private static func time(_ seconds: Int64) -> JSONValue {
    .string(Timestamp(secondsSince1970: seconds).description)
  }

  private func end(_ call: Call) throws -> Reply {
    let id = try call.id(of: "session")
    guard let isEnded = try? sessions?.end(id, of: user(of: call)) ?? false else { throw Self.unreadable }
    guard isEnded else { throw HTTPProblem(404, "there is no session \(id)") }
    events.endForbidden()
    return .noContent
  }
}

/// A name and a password that do not belong together; its answer must wait.
struct WrongPassword: Error {
  let key: LoginRateLimiter.Key
}
