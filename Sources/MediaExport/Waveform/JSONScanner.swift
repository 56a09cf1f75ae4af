internal import MediaModel

/// Reads JSON value by value, and knows at which byte it is: what Foundation's decoders do not say.
struct JSONScanner {
  /// Values inside values that are passed over; deeper ones are refused.
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no value, but some editors leave one.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Of the next value.
  var offset: Int {
    bytes[position...].firstIndex { !Self.isBlank($0) } ?? bytes.count
  }

  /// Calls `body` at the value of each key; it must read or skip that value.
  mutating func readObject(
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
  mutating func readArray(
    _ body: (inout JSONScanner) throws(ByteReader.Failure) -> Void
  ) throws(ByteReader.Failure) {
    try expect("[", "an array")
    if skip("]") { return }
    repeat { try body(&self) } while skip(",")
    try expect("]", "a comma or the end of the array")
  }

  mutating func readInteger() throws(ByteReader.Failure) -> Int {
    let start = offset
    let text = bytes[start...].prefix { "-0123456789.eE+".utf8.contains($0) }
    guard let value = Int(String(decoding: text, as: UTF8.self)), text.first != UInt8(ascii: "+") else {
      throw failure("a whole number was expected", at: start)
    }
    position = text.endIndex
    return value
  }

  mutating func skipValue(depth: Int = 0) throws(ByteReader.Failure) {
    let start = offset
    guard depth < Self.maximumDepth else { throw failure("values lie too deep in each other", at: start) }
    guard start < bytes.count else { throw failure("a value was expected", at: start) }
    switch bytes[start] {
    case UInt8(ascii: "{"):
      try readObject { scanner, _ throws(ByteReader.Failure) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      try readArray { scanner throws(ByteReader.Failure) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""):
      _ = try readString()
    default:
      let word = bytes[start...].prefix { $0 > 0x20 && !",]}:\"{[".utf8.contains($0) }
      let text = String(decoding: word, as: UTF8.self)
      guard ["true", "false", "null"].contains(text) || DecimalText.parse(text) != nil else {
        throw failure("a value was expected", at: start)
      }
      position = word.endIndex
    }
  }

  func expectEnd() throws(ByteReader.Failure) {
    guard offset == bytes.count else { throw failure("nothing more was expected", at: offset) }
  }

  /// Escapes stay as they are: no key that is looked for has any.
  private mutating func readString() throws(ByteReader.Failure) -> String {
    try expect("\"", "a string")
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position = min(position + (bytes[position] == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
    }
    guard position < bytes.count else { throw failure("a string has no end", at: start - 1) }
    defer { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
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
