internal import Base
internal import HTTPServing

/// The description of the API as OpenAPI 3.1, made of the routes.
enum OpenAPI {
  /// Some routes, and first the one that describes all of them.
  static func describing(_ others: [Route]) -> [Route] {
    func route(_ handle: @escaping @Sendable (Call) throws -> Reply) -> Route {
      Route(.get, "/openapi.json", "This description.", needs: AccessPolicy.Right.none, handle)
    }
    let described = [route { _ in .noContent }] + others
    return [route { $0.tagged(Array(document(of: described).text.utf8), .json) }] + others
  }

  static func document(of routes: [Route]) -> JSONValue {
    var paths: [JSONValue.Member] = []
    for route in routes {
      let member = JSONValue.Member(route.method.rawValue.lowercased(), operation(route))
      if let index = paths.firstIndex(where: { $0.key == Route.prefix + route.path }) {
        paths[index].value = .object((paths[index].value.members ?? []) + [member])
      } else {
        paths.append(.init(Route.prefix + route.path, .object([member])))
      }
    }
    return .object([
      "openapi": "3.1.0",
      "info": .object([
        "title": "Deadwax", "version": "1", "description": "docs/api.md explains each path, its units and its bytes.",
      ]),
      "paths": .object(paths),
      "components": .object([
        "securitySchemes": .object([
          "owner": .object([
            "type": "http", "scheme": "bearer", "description": "The token of the printed address: full access.",
          ]),
          "session": .object([
            "type": "apiKey", "in": "cookie", "name": .string(AccessToken.sessionCookieName),
            "description": "Set by POST /login with a name and a password: what belongs to the person.",
          ]),
          "reader": .object([
            "type": "apiKey", "in": "cookie", "name": .string(AccessToken.cookieName),
            "description": "Set by POST /login: browsing and playing, which some servers allow without it.",
          ]),
        ])
      ]),
    ])
  }

  /// What a call must prove, one of several.
  private static func security(_ right: AccessPolicy.Right) -> JSONValue {
    let (owner, session) = (JSONValue.object(["owner": .array([])]), JSONValue.object(["session": .array([])]))
    return switch right {
    case .none: .array([])
    case .reading: .array([.object(["reader": .array([])]), session, owner])
    case .signedIn, .own: .array([session, owner])
    case .owner: .array([owner])
    }
  }

  private static func operation(_ route: Route) -> JSONValue {
    let inPath = route.path.split(separator: "/").filter { $0.first == "{" }.map { name in
      JSONValue.object([
        "name": .string(String(name.dropFirst().dropLast())), "in": "path", "required": true,
        "schema": .object(["type": "integer", "minimum": .integer(1)]),
      ])
    }
    let inQuery = route.parameters.map { parameter in
      JSONValue.object([
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.meaning),
        "schema": parameter.schema,
      ])
    }
    var members: [JSONValue.Member] = [
      .init("summary", .string(route.summary)), .init("security", security(route.right)),
      .init("parameters", .array(inPath + inQuery)),
    ]
    if route.method == .post || route.method == .put || route.method == .patch {
      let body =
        switch route.body {
        case .document, .form: content([.json], .object(["type": "object"]))
        case .sound: content([.bytes])
        }
      members.append(.init("requestBody", .object(["content": body])))
    }
    members.append(
      .init(
        "responses",
        .object([
          "2XX": .object(
            [.init("description", .string(route.summary))]
              + (route.mediaTypes.isEmpty ? [] : [.init("content", content(route.mediaTypes))])),
          "304": .object(["description": "The client's copy is current."]),
          "4XX": problem("The request is invalid; `detail` gives the reason."),
          "5XX": problem("The server cannot respond; `detail` gives the reason."),
        ])))
    return .object(members)
  }

  private static func problem(_ description: JSONValue) -> JSONValue {
    .object([
      "description": description, "content": content([.problem], .object(["type": "object"])),
    ])
  }

  private static func content(_ types: [MediaType], _ schema: JSONValue = .object([:])) -> JSONValue {
    .object(types.map { .init($0.rawValue, .object(["schema": schema])) })
  }
}
