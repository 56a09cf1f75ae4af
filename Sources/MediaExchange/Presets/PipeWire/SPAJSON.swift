internal import Base

/// PipeWire's configuration language: JSON with optional separators, `key = value`, `# comment` and words without
/// quotes.
struct SPAJSON {
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0

  /// Parses a whole file; braces around it are optional.
  ///
  /// - Throws: `ByteReader.Failure` with the offset of the error.
  static func parse(_ bytes: [UInt8]) throws(ByteReader.Failure) -> JSONValue {
    var parser = SPAJSON(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    parser.skipBlanks()
    if parser.current == UInt8(ascii: "{") || parser.current == UInt8(ascii: "[") {
      let value = try parser.value(depth: 0)
      parser.skipBlanks()
      guard parser.current == nil else { throw parser.failure("the end of the file was expected") }
      return value
    }
    return try parser.members(until: nil, depth: 0)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skipBlanks() {
    while let byte = current {
      if byte == UInt8(ascii: "#") {
        while let byte = current, byte != 0x0A { _ = byte; position += 1 }
      } else if byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func value(depth: Int) throws(ByteReader.Failure) -> JSONValue {
    guard depth < Self.maximumDepth else { throw failure("values are nested too deep") }
    skipBlanks()
    switch current {
    case nil: throw failure("a value was expected")
    case UInt8(ascii: "{"):
      position += 1
      return try members(until: UInt8(ascii: "}"), depth: depth + 1)
    case UInt8(ascii: "["):
      position += 1
      var values: [JSONValue] = []
      while true {
        skipBlanks()
        if current == UInt8(ascii: "]") {
          position += 1
          return .array(values)
        }
        values.append(try value(depth: depth + 1))
      }
    case UInt8(ascii: "\""): return .string(try word())
    case UInt8(ascii: "}"), UInt8(ascii: "]"): throw failure("a value was expected")
    default:
      let text = try word()
      switch text {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "null": return .null
      default: return DecimalText.parse(text).map { .number($0) } ?? .string(text)
      }
    }
  }

  /// - Parameter end: nil at the end of the file.
  private mutating func members(until end: UInt8?, depth: Int) throws(ByteReader.Failure) -> JSONValue {
    var members: [JSONValue.Member] = []
    while true {
      skipBlanks()
      if current == end {
        position += end == nil ? 0 : 1
        return .object(members)
      }
      guard let byte = current, !"{}[]".utf8.contains(byte) else { throw failure("a key was expected") }
      let key = try word()
      members.append(JSONValue.Member(key, try value(depth: depth)))
    }
  }

  /// In quotation marks or without; never empty without.
  private mutating func word() throws(ByteReader.Failure) -> String {
    if current == UInt8(ascii: "\"") {
      // JSON's own rules.
      let start = position
      position += 1
      while let byte = current, byte != UInt8(ascii: "\"") {
        position = min(position + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
      }
      guard current != nil else { throw failure("a closing quotation mark was expected", at: start) }
      position += 1
      var scanner = JSONScanner(Array(bytes[start..<position]))
      do throws(ByteReader.Failure) { return try scanner.readString() } catch {
        throw ByteReader.Failure(offset: start + error.offset, reason: error.reason)
      }
    }
    let start = position
    while let byte = current, byte > 0x20, !",:={}[]\"#".utf8.contains(byte) { position += 1 }
    guard position > start else { throw failure("a word was expected") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func failure(_ reason: String, at offset: Int? = nil) -> ByteReader.Failure {
    ByteReader.Failure(offset: offset ?? position, reason: current == nil ? reason + ", but the file ends" : reason)
  }
}
