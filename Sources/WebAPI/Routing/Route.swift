internal import Base
internal import HTTPServing

/// One method of one path of the API: what it is for, what it takes, what it does, and how it is answered.
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

  static let prefix = "/api/v1"

  let method: Method
  /// Below ``prefix``, with names in braces for what varies: `/tracks/{id}`.
  let path: String
  /// What a request that is no GET brings: a JSON object, or a sound file.
  let body: BodyLimit
  let summary: String
  let parameters: [ParameterDescription]
  /// What an answer that succeeds may be; none for one without a body.
  let mediaTypes: [MediaType]
  /// What who calls it must have.
  let right: AccessPolicy.Right
  let work: Work
  /// Answers a call on a thread for its kind of work.
  let handle: @Sendable (Call) throws -> Answer

  /// A route whose handler may leave the rest of its work to a thread that decodes.
  ///
  /// - Parameters:
  ///   - right: By default reading for GET and the owner's for all other methods.
  ///   - work: By default writing for what changes something and is no GET, and reading for everything else.
  init(
    _ method: Method, _ path: String, _ summary: String, _ parameters: [any RouteParameter] = [],
    takes body: BodyLimit = .document, answers mediaTypes: [MediaType] = [.json],
    needs right: AccessPolicy.Right? = nil,
    work: Work? = nil, mayDecode handle: @escaping @Sendable (Call) throws -> Answer
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.summary = summary
    self.parameters = parameters.map(\.description)
    self.mediaTypes = mediaTypes
    self.right = right ?? (method == .get ? .reading : .owner)
    self.work = work ?? (method != .get && self.right.changesLibrary ? .writing : .reading)
    self.handle = handle
  }

  /// A route whose handler does all of its work on one thread.
  init(
    _ method: Method, _ path: String, _ summary: String, _ parameters: [any RouteParameter],
    takes body: BodyLimit = .document, answers mediaTypes: [MediaType] = [.json],
    needs right: AccessPolicy.Right? = nil,
    work: Work? = nil, _ handle: @escaping @Sendable (Call) throws -> Reply
  ) {
    self.init(
      method, path, summary, parameters, takes: body, answers: mediaTypes, needs: right, work: work,
      mayDecode: { .reply(try handle($0)) })
  }

  init(
    _ method: Method, _ path: String, _ summary: String, answers mediaTypes: [MediaType] = [.json],
    needs right: AccessPolicy.Right? = nil, _ handle: @escaping @Sendable (Call) throws -> Reply
  ) {
    self.init(method, path, summary, [], answers: mediaTypes, needs: right, handle)
  }
}

/// Finds the route of a path. Of two that fit the first counts: names come before what varies.
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
