internal import Base
internal import HTTPServing

/// What a browser begins with: it logs in, and listens to what happens to the library.
struct SessionRoutes {
  let access: AccessPolicy
  let events: EventHub

  var routes: [Route] {
    [
      Route(.get, "/events", "Changes of the library as server-sent events.", answers: [.events], subscribe),
      Route(
        .post, "/login", "Exchanges the token of the printed address for a cookie.", answers: [],
        needs: AccessPolicy.Right.none, login),
      Route(.delete, "/login", "Logs out: deletes the cookie.", answers: [], needs: AccessPolicy.Right.none) { _ in
        Reply(status: 204, headers: [("Set-Cookie", AccessToken.expiredCookie)])
      },
    ]
  }

  private func subscribe(_ call: Call) throws -> Reply {
    guard let subscription = events.subscribe(for: call.client) else { throw HTTPProblem.busy }
    var reply = Reply(
      status: 200, headers: [("Content-Type", MediaType.events.rawValue), ("Cache-Control", "no-store")])
    reply.body = .events(subscription)
    return reply
  }

  private func login(_ call: Call) throws -> Reply {
    guard let text = try call.document()["token"]?.string, access.token.isEqual(text) else {
      throw HTTPProblem(401, "this is not the token of the printed address")
    }
    return Reply(status: 204, headers: [("Set-Cookie", access.token.cookie)])
  }
}
