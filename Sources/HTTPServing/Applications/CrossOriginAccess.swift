/// Lets pages of other sites call an application and read its answers.
///
/// Only for what asks each call for a password: there must be no cookies, and nothing without proof.
package struct CrossOriginAccess: Middleware {
  private let methods: String

  /// - Parameter methods: That browsers may use, such as `GET, POST`.
  package init(methods: String) { self.methods = methods }

  package func reply(to exchange: inout Exchange, _ next: any HTTPApplication) async throws -> Reply {
    guard exchange.call.method == "OPTIONS" else { return try await next.reply(to: &exchange) }
    // What a browser asks before it sends something unusual.
    return Reply(
      status: 204, headers: [("Access-Control-Allow-Methods", methods), ("Access-Control-Allow-Headers", "*")])
  }

  package var headers: [(String, String)] {
    [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")]
  }
}
