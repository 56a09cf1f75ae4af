internal import Base
internal import HTTPServing

/// Writes the tree of an answer as bytes.
enum SubsonicWriter {
  /// The version of the Subsonic protocol whose answers these are.
  static let protocolVersion = "1.16.1"
  static let serverName = "deadwax"

  /// - Parameter payload: What comes after the members that every answer has.
  static func json(_ payload: SubsonicObject, isOK: Bool) -> [DocumentPart] {
    var document = DocumentDraft()
    document.append("{\"subsonic-response\":")
    write(SubsonicObject(envelope(isOK), payload), to: &document)
    document.append("}")
    return document.parts
  }

  static func xml(_ payload: SubsonicObject, isOK: Bool) -> [DocumentPart] {
    var document = DocumentDraft()
    document.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    var root = SubsonicObject()
    root.add("xmlns", "http://subsonic.org/restapi")
    writeElement("subsonic-response", SubsonicObject(root, envelope(isOK), payload), to: &document)
    document.append("\n")
    return document.parts
  }

  private static func envelope(_ isOK: Bool) -> SubsonicObject {
    var members = SubsonicObject()
    members.add("status", isOK ? "ok" : "failed")
    members.add("version", protocolVersion)
    members.add("type", serverName)
    members.add("serverVersion", ProgramVersion.current)
    members.add("openSubsonic", true)
    return members
  }

  /// As both forms have it: whole numbers without a point.
  private static func digits(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
  }

  // MARK: - JSON

  private static func write(_ object: SubsonicObject, to document: inout DocumentDraft) {
    document.append("{")
    var isFirst = true
    for member in object.members {
      if !isFirst { document.append(",") }
      isFirst = false
      // Names are ours and need no escapes.
      document.append("\"")
      document.append(member.name)
      document.append("\"")
      document.append(":")
      write(member.value, to: &document)
    }
    document.append("}")
  }

  private static func write(_ value: SubsonicValue, to document: inout DocumentDraft) {
    switch value {
    case .text(let text): writeJSON(text, to: &document)
    case .integer(let number): document.append(String(number))
    case .number(let number): document.append(digits(number))
    case .bool(let flag): document.append(flag ? "true" : "false")
    case .object(let object): write(object, to: &document)
    case .list(let values):
      document.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { document.append(",") }
        write(value, to: &document)
      }
      document.append("]")
    case .items(let items):
      document.append("[")
      document.append(
        DocumentItems(count: items.count, separator: [UInt8(ascii: ",")]) { range, take in
          try items.make(range) { place, object in
            var item = DocumentDraft()
            write(object, to: &item)
            return take(place, item.parts)
          }
        })
      document.append("]")
    }
  }

  private static func writeJSON(_ text: String, to document: inout DocumentDraft) {
    document.append("\"")
    // Most texts need no escapes and are copied as a whole.
    if text.utf8.contains(where: needsEscape) {
      writeEscaped(text, to: &document)
    } else {
      document.append(text)
    }
    document.append("\"")
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func writeEscaped(_ text: String, to document: inout DocumentDraft) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        document.append("\\")
        document.bytes.append(byte)
      case 0..<0x20, 0x7F:
        document.append("\\u00")
        document.bytes.append(hexadecimal[Int(byte >> 4)])
        document.bytes.append(hexadecimal[Int(byte & 15)])
      default: document.bytes.append(byte)
      }
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  // MARK: - XML

  private static func writeElement(_ name: String, _ object: SubsonicObject, to document: inout DocumentDraft) {
    document.append("<")
    document.append(name)
    var hasContent = false
    for member in object.members {
      guard let text = scalar(member.value), member.name != "value" else {
        if !isEmptyList(member.value) { hasContent = true }
        continue
      }
      document.append(" ")
      document.append(member.name)
      document.append("=\"")
      writeXML(text, to: &document)
      document.append("\"")
    }
    guard hasContent else {
      document.append("/>")
      return
    }
    document.append(">")
    for member in object.members { writeContent(member, to: &document) }
    writeEnd(name, to: &document)
  }

  /// What of a member is inside of its element.
  private static func writeContent(_ member: SubsonicObject.Member, to document: inout DocumentDraft) {
    switch member.value {
    case .object(let object): writeElement(member.name, object, to: &document)
    case .list(let values):
      for value in values {
        if case .object(let object) = value {
          writeElement(member.name, object, to: &document)
        } else if let text = scalar(value) {
          document.append("<")
          document.append(member.name)
          document.append(">")
          writeXML(text, to: &document)
          writeEnd(member.name, to: &document)
        }
      }
    case .items(let items):
      let name = member.name
      document.append(
        DocumentItems(count: items.count, separator: []) { range, take in
          try items.make(range) { place, object in
            var item = DocumentDraft()
            writeElement(name, object, to: &item)
            return take(place, item.parts)
          }
        })
    default: if member.name == "value", let text = scalar(member.value) { writeXML(text, to: &document) }
    }
  }

  private static func writeEnd(_ name: String, to document: inout DocumentDraft) {
    document.append("</")
    document.append(name)
    document.append(">")
  }

  private static func isEmptyList(_ value: SubsonicValue) -> Bool {
    switch value {
    case .list(let values): values.isEmpty
    case .items(let items): items.count == 0
    default: false
    }
  }

  private static func scalar(_ value: SubsonicValue) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): digits(number)
    case .bool(let flag): flag ? "true" : "false"
    case .object, .list, .items: nil
    }
  }

  /// Characters that XML 1.0 cannot hold become U+FFFD; those that readers of attributes would change are escaped.
  private static func writeXML(_ text: String, to document: inout DocumentDraft) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": document.append("&amp;")
      case "<": document.append("&lt;")
      case ">": document.append("&gt;")
      case "\"": document.append("&quot;")
      case "\t", "\n", "\r": document.append("&#\(scalar.value);")
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": document.append("\u{FFFD}")
      default: document.bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}
