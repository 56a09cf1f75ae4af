/// Writes the tree of an answer as bytes.
enum SubsonicWriter {
  /// The version of the Subsonic protocol whose answers these are.
  static let protocolVersion = "1.16.1"
  static let serverName = "deadwax"
  static let serverVersion = "0.1.0"

  /// - Parameter payload: What comes after the members that every answer has.
  static func json(_ payload: SubsonicObject, isOK: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 12)
    bytes.append(contentsOf: "{\"subsonic-response\":".utf8)
    write(SubsonicObject(envelope(isOK), payload), to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  static func xml(_ payload: SubsonicObject, isOK: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 12)
    bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    var root = SubsonicObject()
    root.add("xmlns", "http://subsonic.org/restapi")
    writeElement("subsonic-response", SubsonicObject(root, envelope(isOK), payload), to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private static func envelope(_ isOK: Bool) -> SubsonicObject {
    var members = SubsonicObject()
    members.add("status", isOK ? "ok" : "failed")
    members.add("version", protocolVersion)
    members.add("type", serverName)
    members.add("serverVersion", serverVersion)
    members.add("openSubsonic", true)
    return members
  }

  /// As both forms have it: whole numbers without a point.
  private static func digits(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
  }

  // MARK: - JSON

  private static func write(_ object: SubsonicObject, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      // Names are ours and need no escapes.
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: member.name.utf8)
      bytes.append(UInt8(ascii: "\""))
      bytes.append(UInt8(ascii: ":"))
      write(member.value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func write(_ value: SubsonicValue, to bytes: inout [UInt8]) {
    switch value {
    case .text(let text): writeJSON(text, to: &bytes)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .number(let number): bytes.append(contentsOf: digits(number).utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .object(let object): write(object, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private static func writeJSON(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts need no escapes and are copied as a whole.
    if text.utf8.contains(where: needsEscape) {
      writeEscaped(text, to: &bytes)
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func writeEscaped(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7F:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  // MARK: - XML

  private static func writeElement(_ name: String, _ object: SubsonicObject, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: name.utf8)
    var hasContent = false
    for member in object.members {
      guard let text = scalar(member.value), member.name != "value" else {
        if case .list(let values) = member.value, values.isEmpty { continue }
        hasContent = true
        continue
      }
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: member.name.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      writeXML(text, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    guard hasContent else {
      bytes.append(contentsOf: "/>".utf8)
      return
    }
    bytes.append(UInt8(ascii: ">"))
    for member in object.members { writeContent(member, to: &bytes) }
    writeEnd(name, to: &bytes)
  }

  /// What of a member is inside of its element.
  private static func writeContent(_ member: SubsonicObject.Member, to bytes: inout [UInt8]) {
    switch member.value {
    case .object(let object): writeElement(member.name, object, to: &bytes)
    case .list(let values):
      for value in values {
        if case .object(let object) = value {
          writeElement(member.name, object, to: &bytes)
        } else if let text = scalar(value) {
          bytes.append(UInt8(ascii: "<"))
          bytes.append(contentsOf: member.name.utf8)
          bytes.append(UInt8(ascii: ">"))
          writeXML(text, to: &bytes)
          writeEnd(member.name, to: &bytes)
        }
      }
    default: if member.name == "value", let text = scalar(member.value) { writeXML(text, to: &bytes) }
    }
  }

  private static func writeEnd(_ name: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  private static func scalar(_ value: SubsonicValue) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): digits(number)
    case .bool(let flag): flag ? "true" : "false"
    case .object, .list: nil
    }
  }

  /// Characters that XML 1.0 cannot hold become U+FFFD; those that readers of attributes would change are escaped.
  private static func writeXML(_ text: String, to bytes: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes.append(contentsOf: "&amp;".utf8)
      case "<": bytes.append(contentsOf: "&lt;".utf8)
      case ">": bytes.append(contentsOf: "&gt;".utf8)
      case "\"": bytes.append(contentsOf: "&quot;".utf8)
      case "\t", "\n", "\r": bytes.append(contentsOf: "&#\(scalar.value);".utf8)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": bytes.append(contentsOf: "\u{FFFD}".utf8)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}
