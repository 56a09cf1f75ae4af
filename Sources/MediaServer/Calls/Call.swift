internal import Base
internal import MediaStore

/// A request as the routes see it.
struct CallRequest: Sendable {
  /// HEAD arrives as GET.
  var method: String
  /// Decoded, without the query.
  var path: String
  var query: [(name: String, value: String)] = []
  /// By names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// Whether only the head of the answer is asked for.
  var isHead = false
  /// From which it comes.
  var address = NetworkAddress.unknown
  /// Who sends it.
  var client = Client.stranger(.unknown)

  subscript(header name: String) -> String? { headers[name] }

  /// Splits and decodes the target of a request; nil if it is not one that this server can have sent out.
  static func target(_ text: String) -> (path: String, query: [(name: String, value: String)])? {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].first == "/", let path = decoded(parts[0], plusIsBlank: false),
      let query = parts.count > 1 ? fields(parts[1]) : []
    else { return nil }
    return (path, query)
  }

  /// The names and values of a query or a form; nil if they are not those of one.
  static func fields(_ text: Substring) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0], plusIsBlank: true),
        let value = sides.count > 1 ? decoded(sides[1], plusIsBlank: true) : ""
      else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  /// Percent-decoded UTF-8 without NUL; nil for anything else.
  private static func decoded(_ text: Substring, plusIsBlank: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let value = UInt8(String(rest.prefix(2)) ?? "-", radix: 16), value != 0 else {
          return nil
        }
        rest = rest.dropFirst(2)
        bytes.append(value)
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A request with its route: what handlers read their parameters from.
struct Call: Sendable {
  let service: LibraryService
  let request: CallRequest
  /// What stands in the path for the names in braces.
  let values: [String: String]
  /// Whether this thread is one of those that may decode.
  let mayDecode: Bool

  /// - Throws: ``Problem`` for a value out of range.
  subscript<Value>(parameter: Parameter<Value>) -> Value {
    get throws(Problem) {
      guard let text = request.query.first(where: { $0.name == parameter.description.name })?.value else {
        return parameter.fallback
      }
      guard let value = parameter.parse(text) else { throw .invalid(parameter.description, text) }
      return value
    }
  }

  /// The number of a thing, a track or a list, in the path.
  ///
  /// - Throws: ``Problem`` if it is none: there is no such thing.
  func id(of thing: String = "track") throws(Problem) -> Int64 {
    guard let text = values["id"], text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(text) else {
      throw Problem(404, "there is no \(thing) \(values["id"] ?? "")")
    }
    return id
  }

  /// The track of the path.
  func track(in store: MediaStore) throws -> TrackReference {
    let id = try id()
    do {
      guard let track = try store.namedTrack(BytePath(String(id))) else { throw TrackError.noTrack(id: id) }
      return track
    } catch TrackError.noTrack {
      throw Problem(404, "there is no track \(id)")
    }
  }

  /// The track of the path, or a part of it: `17`, `17#3`.
  func trackOrPart(in store: MediaStore) throws -> TrackReference {
    let text = values["id"] ?? ""
    let numbers = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      throw Problem(404, "there is no track \(text)")
    }
    do {
      guard let track = try store.namedTrack(BytePath(text)) else { throw TrackError.noTrack(id: .max) }
      return track
    } catch is TrackError {
      throw Problem(404, "there is no track \(text)")
    }
  }

  /// The object in the body.
  func document() throws(Problem) -> JSONValue {
    let type = request[header: "content-type"]?.split(separator: ";").first.map { $0.lowercased() }
    guard type == MediaType.json.rawValue else { throw Problem(415, "the body must be application/json") }
    guard let value = try? JSONValue(parsing: request.body), value.members != nil else {
      throw Problem(400, "the body is not a JSON object")
    }
    return value
  }

  /// Continues on a thread that may decode, if this one may not.
  func requireDecoder() throws(NeedsDecoder) {
    if !mayDecode { throw NeedsDecoder() }
  }

  /// The reply whose bytes depend on nothing but `key`, or 304 if the client has it.
  func tagged(_ key: String, _ reply: () throws -> Reply) rethrows -> Reply {
    let tag = "\"\(key)\""
    let known = (request[header: "if-none-match"] ?? "").split(separator: ",").map {
      $0.trimmingPrefix(" ").trimmingPrefix("W/")
    }
    if known.contains(where: { $0 == tag || $0 == "*" }) {
      return Reply(status: 304, headers: [("ETag", tag), ("Cache-Control", "private, no-cache")])
    }
    var reply = try reply()
    reply.headers += [("ETag", tag), ("Cache-Control", "private, no-cache")]
    return reply
  }

  /// The same with a tag made of the bytes.
  func tagged(_ bytes: [UInt8], _ mediaType: MediaType) -> Reply {
    tagged("\(String(CRC32.checksum(bytes), radix: 16))-\(bytes.count)") { Reply(bytes, mediaType) }
  }
}

/// A call must decode and is on a thread for short work.
struct NeedsDecoder: Error {}
