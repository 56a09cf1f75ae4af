internal import Foundation

/// A JSON value whose keys keep their order. Numbers that JSON cannot represent are written as null.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  package static func integer(_ number: (some BinaryInteger)?) -> JSONValue {
    number.flatMap { Int64(exactly: $0) }.map { .integer($0) } ?? .null
  }

  package static func number(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }

  package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// An object with further members before its own; any other value is unchanged.
  package func preceded(by members: [Member]) -> JSONValue {
    if case .object(let own) = self { .object(members + own) } else { self }
  }

  /// The members for a path: `path`, with U+FFFD for bytes that are not UTF-8 and then `path_bytes` in base64, too;
  /// null if there is no path.
  package static func path(_ path: BytePath?, key: String = "path") -> [Member] {
    guard let path else { return [Member(key, .null)] }
    let text = Member(key, .string(path.displayString))
    guard String(validating: path.bytes, as: UTF8.self) == nil else { return [text] }
    return [text, Member(key + "_bytes", .string(Data(path.bytes).base64EncodedString()))]
  }

  /// One line of text.
  package var text: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// Several lines, indented by two spaces.
  package var prettyText: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): text += number.isFinite ? Self.digits(number) : "null"
    case .string(let string): Self.write(string, to: &text)
    case .array(let values):
      Self.writeList(values, "[", "]", to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.writeList(members, "{", "}", to: &text, indent: indent) { member, text, indent in
        Self.write(member.key, to: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func digits(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String, indent: Int?,
    element: (Element, inout String, Int?) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 2 }
    for (index, value) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      element(value, &text, inner)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    text += close
  }

  /// Control and invisible characters are escaped, so that the text is safe on a terminal.
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    if string.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where TerminalText.mustBeEscaped(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The escapes of a JSON string (RFC 8259, section 7).
enum JSONEscapes {
  /// The characters between the quotation marks, with escapes resolved; nil if an escape is invalid or incomplete.
  static func resolve(_ raw: ArraySlice<UInt8>) -> String? {
    var units: [UInt16] = []
    var plain: [UInt8] = []
    var index = raw.startIndex
    func flush() {
      units.append(contentsOf: String(decoding: plain, as: UTF8.self).utf16)
      plain.removeAll(keepingCapacity: true)
    }
    while index < raw.endIndex {
      guard raw[index] == UInt8(ascii: "\\") else {
        plain.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.endIndex else { return nil }
      flush()
      let mark = raw[index + 1]
      index += 2
      if mark == UInt8(ascii: "u") {
        guard raw.endIndex - index >= 4,
          raw[index..<index + 4].allSatisfy({ ($0 as UInt8).isHexDigit }),
          let unit = UInt16(String(decoding: raw[index..<index + 4], as: UTF8.self), radix: 16)
        else { return nil }
        units.append(unit)
        index += 4
      } else if let unit = letters[mark] {
        units.append(unit)
      } else {
        return nil
      }
    }
    flush()
    return String(decoding: units, as: UTF16.self)
  }

  private static let letters: [UInt8: UInt16] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 8,
    UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }
}

extension JSONValue {
  /// Parses a whole document. If a key occurs twice, the first counts.
  ///
  /// - Throws: `ByteReader.Failure` with the offset at which the text is not JSON, has a number beyond the range of
  ///   `Double`, or is nested too deep.
  package init(parsing bytes: [UInt8]) throws(ByteReader.Failure) {
    var scanner = JSONScanner(bytes)
    self = try scanner.readValue()
    try scanner.expectEnd()
  }

  /// The first value for `key`; nil if there is none, or this is not an object.
  package subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members.first { $0.key == key }?.value } else { nil }
  }

  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}
