internal import Base
internal import MediaStore

/// A request below `/rest` before it is known who makes it: which method, in which form it is answered.
struct SubsonicRequest: Sendable {
  static let prefix = "/rest"

  enum Form: Equatable {
    case xml, json
    /// JSON as an argument of a function of that name.
    case jsonp(String)
  }

  var request: CallRequest
  let parameters: SubsonicParameters
  let form: Form
  private let methodName: String

  /// - Parameter request: With the fields of a form among those of its address.
  init(_ request: CallRequest) {
    self.request = request
    parameters = SubsonicParameters(request.query)
    form = Self.form(parameters)
    let name = request.path.dropFirst(Self.prefix.count).drop { $0 == "/" }
    methodName = String(name.hasSuffix(".view") ? name.dropLast(5) : name)
  }

  private static func form(_ parameters: SubsonicParameters) -> Form {
    switch parameters["f"] {
    case "json": return .json
    case "jsonp":
      guard let name = parameters["callback"], name.utf8.count <= 100,
        name.utf8.allSatisfy({
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
            || $0 == 0x24 || $0 == 0x2E
        })
      else { return .json }
      return .jsonp(name)
    default: return .xml
    }
  }

  /// - Throws: ``SubsonicError`` if there is none, or the versions do not fit.
  func method() throws(SubsonicError) -> SubsonicMethod {
    guard let method = SubsonicMethod.all[methodName] else {
      throw SubsonicError(.general, "this server has no method '\(methodName.cut(toByteCount: 40))'")
    }
    if let major = parameters["v"]?.split(separator: ".").first.flatMap({ Int($0) }), major != 1 {
      throw major < 1
        ? SubsonicError(.clientTooOld, "the client must speak version 1 of the protocol")
        : SubsonicError(.serverTooOld, "this server speaks version \(SubsonicWriter.protocolVersion) of the protocol")
    }
    return method
  }

  /// The answer on a thread that may block.
  ///
  /// - Throws: ``NeedsDecoder``; every other error becomes an answer.
  func answer(
    _ method: SubsonicMethod, by account: Account?, _ service: LibraryService, mayDecode: Bool
  ) throws(NeedsDecoder) -> Reply {
    do {
      if let right = method.right, let account, !account.right.includes(right) {
        throw SubsonicError(.notAllowed, "this password may not \(right.rawValue)")
      }
      let call = SubsonicCall(
        service: service, request: request, parameters: parameters, account: account, mayDecode: mayDecode)
      switch try method.handle(call) {
      case .document(let object): return try reply(object, isOK: true)
      case .bytes(let reply): return reply
      }
    } catch let needs as NeedsDecoder {
      throw needs
    } catch let problem as Problem where problem.status == 416 || problem.status == 503 {
      // About bytes: players know these from every other server.
      return problem.reply
    } catch {
      return reply(SubsonicError(error))
    }
  }

  func reply(_ error: SubsonicError) -> Reply {
    // An error has no lists, so nothing can fail while it is written.
    (try? reply(error.object, isOK: false)) ?? Problem(500, error.message).reply
  }

  /// - Throws: What making the first items of its lists throws.
  private func reply(_ object: SubsonicObject, isOK: Bool) throws -> Reply {
    let (parts, type) =
      switch form {
      case .xml: (SubsonicWriter.xml(object, isOK: isOK), "text/xml; charset=utf-8")
      case .json: (SubsonicWriter.json(object, isOK: isOK), MediaType.json.rawValue)
      case .jsonp(let name):
        (
          [.bytes(Array("\(name)(".utf8))] + SubsonicWriter.json(object, isOK: isOK) + [.bytes(Array(");".utf8))],
          "text/javascript; charset=utf-8"
        )
      }
    var reply = try Reply(DocumentStream(parts), type: type)
    reply.headers.append(("Cache-Control", "no-store"))
    return reply
  }

  /// Players in browsers come from other sites; nobody is let in without a password, and there are no cookies.
  static let headers = [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")]

  /// What a browser asks before it sends something unusual.
  static let preflight = Reply(
    status: 204,
    headers: [("Access-Control-Allow-Methods", "GET, POST"), ("Access-Control-Allow-Headers", "*")])
}

extension AccountRight {
  func includes(_ other: AccountRight) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: self) ?? 0) >= (order.firstIndex(of: other) ?? 0)
  }
}
