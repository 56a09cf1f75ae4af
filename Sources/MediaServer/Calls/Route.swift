internal import Base

/// One method of one path of the API: what it is for, what it takes, and how it is answered.
///
/// The routes are the only list of the API: requests are matched with them, and OpenAPI describes them.
struct Route: Sendable {
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  let method: Method
  /// Below ``prefix``, with names in braces for what varies: `/tracks/{id}`.
  let path: String
  /// What a request that is no GET brings.
  let body: Body
  let summary: String
  let parameters: [ParameterDescription]
  /// What an answer that succeeds may be; none for one without a body.
  let mediaTypes: [MediaType]
  /// What who calls it must have.
  let right: AccessPolicy.Right
  /// Whether it may take seconds in a large library, so that it ends if the client leaves. The connection is closed behind
  /// the answer.
  let isLong: Bool
  /// Whether it writes to the library, so that it waits for other writes.
  var writes: Bool { method != .get && right == .owner }
  /// Answers a call on a thread that may block.
  let handle: @Sendable (Call) throws -> Reply

  /// The form and the size of a body.
  enum Body: Sendable {
    /// A JSON object of at most 1 MiB.
    case document
    /// A sound file of at most 32 MiB.
    case sound

    var largestByteCount: Int {
      switch self {
      case .document: 1 << 20
      case .sound: 32 << 20
      }
    }
  }

  static let prefix = "/api/v1"

  init(
    _ method: Method, _ path: String, _ summary: String, answers mediaTypes: [MediaType] = [.json],
    needs right: AccessPolicy.Right? = nil, _ handle: @escaping @Sendable (Call) throws -> Reply
  ) {
    self.init(method, path, summary, [], answers: mediaTypes, needs: right, handle)
  }

  /// - Parameter right: Without one, reading for GET and the owner's for all other methods.
  init(
    _ method: Method, _ path: String, _ summary: String, _ parameters: [ParameterDescription],
    takes body: Body = .document, answers mediaTypes: [MediaType] = [.json], needs right: AccessPolicy.Right? = nil,
    isLong: Bool = false, _ handle: @escaping @Sendable (Call) throws -> Reply
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.summary = summary
    self.parameters = parameters
    self.mediaTypes = mediaTypes
    self.right = right ?? (method == .get ? .reading : .owner)
    self.isLong = isLong
    self.handle = handle
  }
}

/// The media types of answers; `audio/*` and `image/*` stand for all that begin so.
enum MediaType: String, Sendable {
  case json = "application/json"
  case problem = "application/problem+json"
  case bytes = "application/octet-stream"
  case events = "text/event-stream"
  case flac = "audio/flac"
  case sound = "audio/*"
  case picture = "image/*"
  case html = "text/html; charset=utf-8"
}

/// Finds the route of a path.
struct RouteTable: Sendable {
  enum Match: Sendable {
    case route(Route, values: [String: String])
    /// The path exists, with these methods.
    case otherMethods([Route.Method])
    case nothing
  }

  let routes: [Route]
  private let byCount: [Int: [(parts: [Substring], route: Route)]]

  init(_ routes: [Route]) {
    self.routes = routes
    byCount = Dictionary(
      grouping: routes.map { (parts: $0.path.split(separator: "/"), route: $0) }, by: { $0.parts.count })
  }

  /// - Parameter path: Below ``Route/prefix``, decoded.
  func match(_ method: String, _ path: Substring) -> Match {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var others: [Route.Method] = []
    for (parts, route) in byCount[words.count] ?? [] {
      var values: [String: String] = [:]
      let fits = zip(parts, words).allSatisfy { part, word in
        guard part.first == "{" else { return part == word }
        values[String(part.dropFirst().dropLast())] = String(word)
        return !word.isEmpty
      }
      guard fits else { continue }
      if route.method.rawValue == method { return .route(route, values: values) }
      others.append(route.method)
    }
    return others.isEmpty ? .nothing : .otherMethods(others)
  }
}
