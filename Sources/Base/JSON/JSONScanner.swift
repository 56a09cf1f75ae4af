/// Reads JSON value by value and knows the byte offset, which Foundation's decoders do not report.
package struct JSONScanner {
  /// How deeply skipped values may be nested.
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The offset of the next value.
  package var offset: Int {
    bytes[position...].firstIndex { !Self.isBlank($0) } ?? bytes.count
  }

  /// Calls `body` at the value of each key; it must read or skip that value.
  package mutating func readObject(
    _ body: (inout JSONScanner, String) throws(ByteReader.Failure) -> Void
  ) throws(ByteReader.Failure) {
    try expect("{", "an object")
    if skip("}") { return }
    repeat {
      let key = try readString()
      try expect(":", "a colon")
      try body(&self, key)
    } while skip(",")
    try expect("}", "a comma or the end of the object")
  }

  /// Calls `body` at each element; it must read or skip that element.
  package mutating func readArray(
    _ body: (inout JSONScanner) throws(ByteReader.Failure) -> Void
  ) throws(ByteReader.Failure) {
    try expect("[", "an array")
    if skip("]") { return }
    repeat { try body(&self) } while skip(",")
    try expect("]", "a comma or the end of the array")
  }

  package mutating func readInteger() throws(ByteReader.Failure) -> Int {
    let start = offset
    let text = bytes[start...].prefix { "-0123456789.eE+".utf8.contains($0) }
    guard let value = Int(String(decoding: text, as: UTF8.self)), text.first != UInt8(ascii: "+") else {
      throw failure("a whole number was expected", at: start)
    }
    position = text.endIndex
    return value
  }

  package mutating func skipValue() throws(ByteReader.Failure) { _ = try readValue() }

  /// - Parameter depth: How many values enclose this one.
  package mutating func readValue(depth: Int = 0) throws(ByteReader.Failure) -> JSONValue {
    let start = offset
    guard depth < Self.maximumDepth else { throw failure("values are nested too deep", at: start) }
    guard start < bytes.count else { throw failure("a value was expected", at: start) }
    switch bytes[start] {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try readObject { scanner, key throws(ByteReader.Failure) in
        members.append(JSONValue.Member(key, try scanner.readValue(depth: depth + 1)))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try readArray { scanner throws(ByteReader.Failure) in values.append(try scanner.readValue(depth: depth + 1)) }
      return .array(values)
    case UInt8(ascii: "\""):
      return .string(try readString())
    default:
      let word = bytes[start...].prefix { $0 > 0x20 && !",]}:\"{[".utf8.contains($0) }
      guard let value = Self.plainValue(String(decoding: word, as: UTF8.self)) else {
        throw failure("a value was expected", at: start)
      }
      position = word.endIndex
      return value
    }
  }

  private static func plainValue(_ word: String) -> JSONValue? {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: DecimalText.parse(word).map { number in Int64(word).map { .integer($0) } ?? .number(number) }
    }
  }

  package func expectEnd() throws(ByteReader.Failure) {
    guard offset == bytes.count else { throw failure("the end of the text was expected", at: offset) }
  }

  /// A string with its escapes resolved. An unpaired surrogate becomes U+FFFD, as do bytes that are not UTF-8.
  package mutating func readString() throws(ByteReader.Failure) -> String {
    try expect("\"", "a string")
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position = min(position + (bytes[position] == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
    }
    guard position < bytes.count else { throw failure("a closing quotation mark was expected", at: start - 1) }
    defer { position += 1 }
    let raw = bytes[start..<position]
    guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
    guard let text = JSONEscapes.resolve(raw) else {
      throw failure("a string has an invalid escape", at: start)
    }
    return text
  }

  private mutating func expect(_ mark: Unicode.Scalar, _ name: String) throws(ByteReader.Failure) {
    guard skip(mark) else { throw failure("\(name) was expected", at: offset) }
  }

  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    let next = offset
    guard next < bytes.count, bytes[next] == UInt8(ascii: mark) else { return false }
    position = next + 1
    return true
  }

  private func failure(_ reason: String, at offset: Int) -> ByteReader.Failure {
    ByteReader.Failure(offset: offset, reason: offset == bytes.count ? reason + ", but the file ends" : reason)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
