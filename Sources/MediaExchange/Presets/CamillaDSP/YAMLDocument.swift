internal import Base

/// The part of YAML 1.2 that configurations are written in: mappings and lists by indentation or in brackets, plain and
/// quoted scalars, texts of several lines, comments. Anchors, aliases, tags and a second document are errors.
struct YAMLDocument {
  /// Why a text could not be parsed.
  struct Fault: Error, CustomStringConvertible {
    /// From 1.
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  private struct Line {
    var number: Int
    /// The columns before the text.
    var indent: Int
    var text: Substring
  }

  private static let maximumDepth = 64

  private var lines: [Line] = []
  private var position = 0

  /// - Parameter text: Mappings become objects, lists arrays; if a key occurs twice, the first counts.
  static func parse(_ text: String) throws(Fault) -> JSONValue {
    var document = YAMLDocument()
    try document.split(text)
    guard let first = document.lines.first else { return .null }
    let value = try document.node(indent: first.indent, depth: 0)
    if let rest = document.current { throw Fault(line: rest.number, reason: "unexpected indentation") }
    return value
  }

  private mutating func split(_ text: String) throws(Fault) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let content = Self.withoutComment(line.dropFirst(indent))
      if content.isEmpty { continue }
      if content.first == "\t" { throw Fault(line: index + 1, reason: "a tab cannot indent") }
      if indent == 0, content.first == "%" || content == "---" && lines.isEmpty { continue }
      if indent == 0, content == "..." { return }
      if indent == 0, content == "---" { throw Fault(line: index + 1, reason: "a second document") }
      lines.append(Line(number: index + 1, indent: indent, text: content))
    }
  }

  /// The text up to a comment, which begins after a blank and outside of quotation marks.
  private static func withoutComment(_ text: Substring) -> Substring {
    var quote: Character?
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open, open == "'" || previous != "\\" { quote = nil }
      } else if character == "#", previous == " " || previous == "\t" {
        return text[..<index].trimmingBlanks()
      } else if character == "\"" || character == "'", " \t[{,:".contains(previous) {
        quote = character
      }
      previous = character
    }
    return text.trimmingBlanks()
  }

  private var current: Line? { position < lines.count ? lines[position] : nil }

  private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

  /// The mapping, list or scalar whose lines begin at `indent`.
  private mutating func node(indent: Int, depth: Int) throws(Fault) -> JSONValue {
    guard let line = current else { return .null }
    guard depth < Self.maximumDepth else { throw Fault(line: line.number, reason: "values are nested too deep") }
    if Self.isItem(line.text) { return try list(indent: indent, depth: depth) }
    if try key(of: line) != nil { return try mapping(indent: indent, depth: depth) }
    position += 1
    return try scalar(line.text, at: line)
  }

  private mutating func list(indent: Int, depth: Int) throws(Fault) -> JSONValue {
    var values: [JSONValue] = []
    while let line = current, line.indent == indent, Self.isItem(line.text) {
      let rest = line.text.dropFirst().drop { $0 == " " }
      if rest.isEmpty {
        position += 1
        values.append(try below(indent, depth: depth, acceptsList: false))
      } else {
        // What follows the hyphen is indented by its column.
        lines[position].indent = indent + line.text.distance(from: line.text.startIndex, to: rest.startIndex)
        lines[position].text = rest
        values.append(try node(indent: lines[position].indent, depth: depth + 1))
      }
    }
    return .array(values)
  }

  private mutating func mapping(indent: Int, depth: Int) throws(Fault) -> JSONValue {
    var members: [JSONValue.Member] = []
    while let line = current, line.indent == indent, !Self.isItem(line.text) {
      guard let (key, rest) = try key(of: line) else { throw Fault(line: line.number, reason: "a key was expected") }
      position += 1
      let value: JSONValue
      if rest.isEmpty {
        value = try below(indent, depth: depth, acceptsList: true)
      } else if rest.first == "|" || rest.first == ">" {
        value = .string(text(below: indent))
      } else {
        value = try scalar(rest, at: line)
      }
      members.append(JSONValue.Member(key, value))
    }
    return .object(members)
  }

  /// The value in the lines after a key or hyphen; a key's list may stand at the column of the key.
  private mutating func below(_ indent: Int, depth: Int, acceptsList: Bool) throws(Fault) -> JSONValue {
    guard let next = current else { return .null }
    if next.indent > indent { return try node(indent: next.indent, depth: depth + 1) }
    return acceptsList && next.indent == indent && Self.isItem(next.text)
      ? try list(indent: indent, depth: depth + 1) : .null
  }

  private mutating func text(below indent: Int) -> String {
    var parts: [Substring] = []
    while let line = current, line.indent > indent {
      parts.append(line.text)
      position += 1
    }
    return parts.joined(separator: "\n")
  }

  /// The key of a line and what follows its colon; nil if there is none.
  private func key(of line: Line) throws(Fault) -> (key: String, rest: Substring)? {
    let text = line.text
    if text.first == "[" || text.first == "{" { return nil }
    if text.first == "\"" || text.first == "'" {
      var flow = YAMLFlow(text, line: line.number)
      let key = try flow.quoted()
      guard flow.rest.first == ":" else { return nil }
      return (key, flow.rest.dropFirst().trimmingBlanks())
    }
    var index = text.startIndex
    while let colon = text[index...].firstIndex(of: ":") {
      let next = text.index(after: colon)
      if next == text.endIndex || text[next] == " " {
        return (String(text[..<colon].trimmingBlanks()), text[next...].trimmingBlanks())
      }
      index = next
    }
    return nil
  }

  /// A scalar or a value in brackets, which may go on in the following lines.
  private mutating func scalar(_ text: Substring, at line: Line) throws(Fault) -> JSONValue {
    guard let first = text.first, first == "[" || first == "{" else {
      var flow = YAMLFlow(text, line: line.number)
      return try flow.whole()
    }
    var whole = String(text)
    var depth = YAMLFlow.openBracketCount(in: text)
    while depth > 0, let next = current {
      whole += " " + next.text
      depth += YAMLFlow.openBracketCount(in: next.text)
      position += 1
    }
    var flow = YAMLFlow(Substring(whole), line: line.number)
    return try flow.whole()
  }
}

/// A scalar of YAML, or a value in brackets.
struct YAMLFlow {
  private(set) var rest: Substring
  private let line: Int

  private static let maximumDepth = 64

  init(_ text: Substring, line: Int) { (rest, self.line) = (text, line) }

  /// How many more brackets open in a text than close.
  static func openBracketCount(in text: Substring) -> Int {
    text.utf8.reduce(0) { depth, byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth + 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth - 1
      default: depth
      }
    }
  }

  /// The value, which must be all of the text.
  mutating func whole() throws(YAMLDocument.Fault) -> JSONValue {
    switch rest.first {
    case "&", "*", "!": throw fault("anchors, aliases and tags are not read")
    case "[", "{", "\"", "'":
      let value = try value(depth: 0)
      skipBlanks()
      guard rest.isEmpty else { throw fault("unexpected text after a value") }
      return value
    default: return Self.plain(rest)
    }
  }

  private mutating func value(depth: Int) throws(YAMLDocument.Fault) -> JSONValue {
    guard depth < Self.maximumDepth else { throw fault("values are nested too deep") }
    skipBlanks()
    switch rest.first {
    case nil: throw fault("a value was expected")
    case "[":
      rest.removeFirst()
      var values: [JSONValue] = []
      while try !takes("]") {
        values.append(try value(depth: depth + 1))
        try separate(before: "]")
      }
      return .array(values)
    case "{":
      rest.removeFirst()
      var members: [JSONValue.Member] = []
      while try !takes("}") {
        let isQuoted = rest.first == "\"" || rest.first == "'"
        let key = isQuoted ? try quoted() : takePlain(endingAt: ":,{}[]")
        skipBlanks()
        guard rest.first == ":" else { throw fault("a colon was expected") }
        rest.removeFirst()
        members.append(JSONValue.Member(key, try value(depth: depth + 1)))
        try separate(before: "}")
      }
      return .object(members)
    case "\"", "'": return .string(try quoted())
    case "]", "}", ",": throw fault("a value was expected")
    default: return Self.plain(Substring(takePlain(endingAt: ",{}[]")))
    }
  }

  private mutating func takes(_ end: Character) throws(YAMLDocument.Fault) -> Bool {
    skipBlanks()
    guard let next = rest.first else { throw fault("a closing bracket was expected") }
    guard next == end else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func separate(before end: Character) throws(YAMLDocument.Fault) {
    skipBlanks()
    if rest.first == "," { rest.removeFirst() } else if rest.first != end { throw fault("a comma was expected") }
  }

  private mutating func takePlain(endingAt ends: String) -> String {
    let text = rest.prefix { !ends.contains($0) }
    rest = rest[text.endIndex...]
    return String(text.trimmingBlanks())
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  /// A text in quotation marks. In single ones, a doubled mark stands for one; double ones have escapes.
  mutating func quoted() throws(YAMLDocument.Fault) -> String {
    guard let mark = rest.first else { throw fault("a text was expected") }
    var text = ""
    var body = rest.dropFirst()
    while let next = body.popFirst() {
      if next == mark {
        guard mark == "'", body.first == "'" else {
          rest = body
          return text
        }
        body.removeFirst()
        text.append("'")
      } else if next == "\\", mark == "\"", let escaped = body.popFirst() {
        if let count = ["x": 2, "u": 4, "U": 8][escaped] {
          let scalar = UInt32(body.prefix(count), radix: 16).flatMap { Unicode.Scalar($0) }
          text.unicodeScalars.append(scalar ?? "\u{FFFD}")
          body = body.dropFirst(count)
        } else {
          text.append(["n": "\n", "t": "\t", "r": "\r", "0": "\0"][escaped] ?? escaped)
        }
      } else {
        text.append(next)
      }
    }
    throw fault("a closing quotation mark was expected")
  }

  private static func plain(_ text: Substring) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default:
      if let number = Int64(text) { return .integer(number) }
      return DecimalText.parse(String(text)).map { .number($0) } ?? .string(String(text))
    }
  }

  private func fault(_ reason: String) -> YAMLDocument.Fault { YAMLDocument.Fault(line: line, reason: reason) }
}
