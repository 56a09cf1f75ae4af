/// The elements and texts of an XML document in UTF-8, one after the other: as much of XML as playlists have.
///
/// Nothing outside the document is ever read, and entities other than XML's own five stay as they are written.
struct XMLScanner {
  enum Event: Hashable {
    /// Names are without their prefix.
    case start(String)
    case end(String)
    case text(String)
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The end of an element that has no content.
  private var pending: Event?
  /// Of elements that have begun and not ended.
  private var depth = 0

  init(_ bytes: [UInt8]) throws(PlaylistError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PlaylistError(reason: "XML that is not UTF-8")
    }
    scalars = Array(text.unicodeScalars)
  }

  /// nil at the end.
  mutating func next() throws(PlaylistError) -> Event? {
    let event = try scan()
    switch event {
    case .start: depth += 1
    case .end: depth -= 1
    case .text: break
    case nil: if depth > 0 { throw PlaylistError(reason: "XML that ends within an element") }
    }
    return event
  }

  private mutating func scan() throws(PlaylistError) -> Event? {
    if let event = pending {
      pending = nil
      return event
    }
    while position < scalars.count {
      if scalars[position] != "<" {
        let start = position
        while position < scalars.count, scalars[position] != "<" { position += 1 }
        return .text(Self.decoded(scalars[start..<position]))
      }
      if skips("<!--", to: "-->") || skips("<?", to: "?>") { continue }
      if isAt("<![CDATA[") {
        position += 9
        let start = position
        let end = find("]]>")
        position = min(end + 3, scalars.count)
        return .text(Self.text(scalars[start..<end]))
      }
      if skips("<!", to: ">") { continue }
      return try tag()
    }
    return nil
  }

  private mutating func tag() throws(PlaylistError) -> Event {
    position += 1
    let isEnd = position < scalars.count && scalars[position] == "/"
    if isEnd { position += 1 }
    let start = position
    while position < scalars.count, !scalars[position].properties.isWhitespace,
      !"/>".unicodeScalars.contains(scalars[position])
    {
      position += 1
    }
    let name = Self.text(scalars[start..<position])
    // Attributes: a > within quotes ends nothing.
    var quote: Unicode.Scalar?
    while position < scalars.count, quote != nil || scalars[position] != ">" {
      if let open = quote {
        if scalars[position] == open { quote = nil }
      } else if scalars[position] == "\"" || scalars[position] == "'" {
        quote = scalars[position]
      }
      position += 1
    }
    guard position < scalars.count, !name.isEmpty else {
      throw PlaylistError(reason: "XML that ends within an element")
    }
    let local = name.split(separator: ":").last.map(String.init) ?? name
    let isEmpty = scalars[position - 1] == "/" && !isEnd
    position += 1
    if isEmpty { pending = .end(local) }
    return isEnd ? .end(local) : .start(local)
  }

  private func isAt(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

  private func find(_ text: String) -> Int {
    let wanted = Array(text.unicodeScalars)
    var place = position
    while place + wanted.count <= scalars.count {
      if scalars[place..<place + wanted.count].elementsEqual(wanted) { return place }
      place += 1
    }
    return scalars.count
  }

  private mutating func skips(_ start: String, to end: String) -> Bool {
    guard isAt(start), !isAt("<![CDATA[") else { return false }
    position = min(find(end) + end.unicodeScalars.count, scalars.count)
    return true
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func decoded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    guard scalars.contains("&") else { return text(scalars) }
    var result = String.UnicodeScalarView()
    var rest = scalars
    while let next = rest.popFirst() {
      if next == "&", let end = rest.prefix(12).firstIndex(of: ";"),
        let scalar = entity(text(rest[rest.startIndex..<end]))
      {
        result.append(scalar)
        rest = rest[(end + 1)...]
      } else {
        result.append(next)
      }
    }
    return String(result)
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let isHexadecimal = digits.hasPrefix("x")
      return UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
        .flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
  }
}
