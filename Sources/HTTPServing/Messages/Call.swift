internal import Base

/// A request: what it asks for, and who sends it.
package struct Call: Sendable {
  /// HEAD arrives as GET.
  package var method: String
  /// Decoded, without the query.
  package var path: String
  /// Of the address; then those of a form, if the protocol has forms.
  package var query: Fields
  /// By names in lower case.
  package var headers: [String: String]
  package var body: [UInt8] = []
  /// What stands in the path for the names in braces of its route.
  package var values: [String: String] = [:]
  /// Whether only the head of the answer is asked for.
  package var isHead: Bool
  /// From which it comes.
  package var address = NetworkAddress.unknown
  /// Who sends it.
  package var client = Client.stranger(.unknown)
  /// The origin of the page of another site that sends it, if such pages may read answers, see ``AllowedOrigins``.
  package var otherSite: String?

  package init(
    method: String, path: String, query: Fields = Fields(), headers: [String: String] = [:], isHead: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.isHead = isHead
  }

  package subscript(header name: String) -> String? { headers[name] }

  /// Splits and decodes the target of a request; nil if it is not one that this server can have sent out.
  package static func target(_ text: String) -> (path: String, query: Fields)? {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].first == "/", let path = Fields.decoded(parts[0], plusIsBlank: false),
      let query = parts.count > 1 ? Fields(parsing: parts[1]) : Fields()
    else { return nil }
    return (path, query)
  }

  /// The same of any target, as ``Fields/init(reading:)`` reads it; nil if it begins with no slash.
  static func readTarget(_ text: String) -> (path: String, query: Fields)? {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].first == "/" else { return nil }
    return (
      Fields.read(parts[0], plusIsBlank: false), parts.count > 1 ? Fields(reading: parts[1]) : Fields()
    )
  }

  // MARK: - Conditions

  /// The reply whose bytes depend on nothing but `key`, or 304 if the client has it.
  package func tagged(_ key: String, _ reply: () throws -> Reply) rethrows -> Reply {
    let tag = "\"\(key)\""
    return isKnown(tag) ? Self.notModified(tag) : Self.tag(try reply(), tag)
  }

  /// The same for a reply that must be decoded, unless the client has it.
  package func decoding(taggedWith key: String, _ reply: @escaping @Sendable () throws -> Reply) -> Answer {
    let tag = "\"\(key)\""
    return isKnown(tag) ? .reply(Self.notModified(tag)) : .decoding { Self.tag(try reply(), tag) }
  }

  /// The same with a tag made of the bytes.
  package func tagged(_ bytes: [UInt8], _ mediaType: MediaType) -> Reply {
    tagged("\(String(CRC32.checksum(bytes), radix: 16))-\(bytes.count)") { Reply(bytes, mediaType) }
  }

  /// The same of a document. It is written twice, once for the tag, so `parts` must not change.
  package func tagged(_ parts: [DocumentPart], _ mediaType: MediaType) throws -> Reply {
    let document = DocumentStream(parts)
    var (checksum, byteCount) = (UInt32(0), 0)
    while let piece = try document.next() {
      checksum = CRC32.checksum(checksum, continuedWith: piece)
      byteCount += piece.count
    }
    return try tagged("\(String(checksum, radix: 16))-\(byteCount)") {
      try Reply(
        DocumentStream(parts, byteCount: Int64(byteCount), heldByteCount: byteCount), type: mediaType.rawValue)
    }
  }

  private func isKnown(_ tag: String) -> Bool {
    let known = (self[header: "if-none-match"] ?? "").split(separator: ",").map {
      $0.trimmingPrefix(" ").trimmingPrefix("W/")
    }
    return known.contains { $0 == tag || $0 == "*" }
  }

  private static func notModified(_ tag: String) -> Reply {
    Reply(status: 304, headers: [("ETag", tag), ("Cache-Control", "private, no-cache")])
  }

  private static func tag(_ reply: Reply, _ tag: String) -> Reply {
    var reply = reply
    reply.headers += [("ETag", tag), ("Cache-Control", "private, no-cache")]
    return reply
  }

  /// The bytes that are asked for of those with a tag (`Range` and `If-Range`); nil for all.
  ///
  /// - Throws: ``HTTPProblem`` of status 416 for a range outside of them.
  package func range(of byteCount: Int64, taggedWith key: String) throws(HTTPProblem) -> Range<Int64>? {
    // With another tag in If-Range the client has other bytes: it gets all of these.
    let isSame = self[header: "if-range"].map { $0 == "\"\(key)\"" } ?? true
    switch ByteRange.answer(to: isSame ? self[header: "range"] : nil, byteCount: byteCount) {
    case .whole: return nil
    case .part(let range): return range
    case .unsatisfiable: throw .beyond(byteCount)
    }
  }
}

/// The names and values of a query or a form, in their order; a name can come several times.
package struct Fields: Sendable {
  package private(set) var all: [(name: String, value: String)]

  package init(_ all: [(name: String, value: String)] = []) { self.all = all }

  /// Parses a query string or form; nil if an escape is malformed.
  package init?(parsing text: Substring) {
    var fields: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0], plusIsBlank: true),
        let value = sides.count > 1 ? Self.decoded(sides[1], plusIsBlank: true) : ""
      else { return nil }
      fields.append((name, value))
    }
    all = fields
  }

  /// How many fields an address may have: more than its songs.
  static let largestCountInAddress = 4_096

  /// Whether a query string or form has more fields than so many.
  package static func hasMore(than count: Int, in text: some Collection<UInt8>) -> Bool {
    var rest = count
    for byte in text where byte == UInt8(ascii: "&") {
      rest -= 1
      if rest < 0 { return true }
    }
    return false
  }

  /// Parses a query string or form of any program: a `%` without two digits stands for itself, bytes that are not UTF-8 are
  /// Latin-1, and NUL is left out.
  package init(reading text: Substring) {
    all = text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        Self.read(sides[0], plusIsBlank: true), sides.count > 1 ? Self.read(sides[1], plusIsBlank: true) : ""
      )
    }
  }

  package func first(_ name: String) -> String? { all.first { $0.name == name }?.value }

  package func has(_ name: String) -> Bool { all.contains { $0.name == name } }

  package mutating func append(_ other: Fields) { all += other.all }

  /// Percent-decoded UTF-8 without NUL; nil for anything else.
  fileprivate static func decoded(_ text: Substring, plusIsBlank: Bool) -> String? {
    let (bytes, isWhole) = unescaped(text, plusIsBlank: plusIsBlank)
    return isWhole && !bytes.contains(0) ? String(validating: bytes, as: UTF8.self) : nil
  }

  fileprivate static func read(_ text: Substring, plusIsBlank: Bool) -> String {
    let bytes = unescaped(text, plusIsBlank: plusIsBlank).bytes.filter { $0 != 0 }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// - Returns: The bytes, in which `%` stands for itself where it begins no escape; and whether it does so nowhere.
  private static func unescaped(_ text: Substring, plusIsBlank: Bool) -> (bytes: [UInt8], isWhole: Bool) {
    var (bytes, isWhole) = ([UInt8](), true)
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        if digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let value = UInt8(String(Substring(digits)), radix: 16)
        {
          rest = rest.dropFirst(2)
          bytes.append(value)
        } else {
          isWhole = false
          bytes.append(byte)
        }
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return (bytes, isWhole)
  }
}
