internal import HTTPServing
internal import LibraryServing
internal import MediaStore

/// Why a call of the protocol failed, by the codes of the specification; HTTP's status is always 200.
struct SubsonicError: Error, Equatable {
  enum Code: Int64 {
    case general = 0
    case missingParameter = 10
    case clientTooOld = 20
    case serverTooOld = 30
    case wrongPassword = 40
    case unsupportedAuthentication = 42
    case conflictingAuthentication = 43
    case invalidAPIKey = 44
    case notAllowed = 50
    case notFound = 70
  }

  let code: Code
  /// One sentence for people.
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static func missing(_ parameter: String) -> SubsonicError {
    SubsonicError(.missingParameter, "the parameter \(parameter) is missing")
  }

  static func invalid(_ parameter: String, _ value: String) -> SubsonicError {
    SubsonicError(.general, "\(parameter) cannot be '\(value.prefix(40))'")
  }

  static func notFound(_ kind: String) -> SubsonicError { SubsonicError(.notFound, "there is no such \(kind)") }

  /// The error that one of the other modules is to a client.
  init(_ error: any Error) {
    switch error {
    case let error as SubsonicError: self = error
    case StoreError.noSuchList: self = .notFound("playlist")
    case StoreError.readOnly: self.init(.notAllowed, "this library can only be read")
    default:
      let problem = HTTPProblem(error)
      self.init(problem.status == 404 ? .notFound : .general, problem.detail)
    }
  }

  var object: SubsonicObject {
    var error = SubsonicObject()
    error.add("code", code.rawValue)
    error.add("message", message)
    return .holding("error", error)
  }
}
