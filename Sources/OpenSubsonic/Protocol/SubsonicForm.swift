internal import HTTPServing

/// The form of an answer.
enum SubsonicForm: Equatable {
  case xml, json
  /// JSON as an argument of a function of that name.
  case jsonp(String)

  /// The form that a call asks for.
  init(_ parameters: Fields) {
    switch parameters["f"] {
    case "json": self = .json
    case "jsonp":
      guard let name = parameters["callback"], name.utf8.count <= 100,
        name.utf8.allSatisfy({
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
            || $0 == 0x24 || $0 == 0x2E
        })
      else {
        self = .json
        return
      }
      self = .jsonp(name)
    default: self = .xml
    }
  }

  /// - Throws: What making the first items of its lists throws.
  func reply(_ object: SubsonicObject) throws -> Reply { try reply(object, isOK: true) }

  func reply(_ error: SubsonicError) -> Reply {
    // An error has no lists, so nothing can fail while it is written.
    (try? reply(error.object, isOK: false)) ?? HTTPProblem(500, error.message).reply
  }

  private func reply(_ object: SubsonicObject, isOK: Bool) throws -> Reply {
    let (parts, type) =
      switch self {
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
}
