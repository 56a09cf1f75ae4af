internal import MediaModel
internal import MediaStore

/// Writes rows of a list as JSON objects, straight from the bytes that the library has.
struct JSONRowWriter {
  /// `"name":` of each field.
  private let keys: [[UInt8]]
  private let names: [String]
  private var line: [UInt8] = []

  init(_ fields: [QueryField]) {
    names = fields.map(\.name)
    keys = names.map { Array((JSONValue.string($0).text + ":").utf8) }
  }

  mutating func write(_ row: ListRow, before: String, after: String) throws(StandardOutput.Failure) {
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: before.utf8)
    line.append(UInt8(ascii: "{"))
    for index in keys.indices {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      append(row, index)
    }
    line.append(UInt8(ascii: "}"))
    line.append(contentsOf: after.utf8)
    try StandardOutput.write(bytes: line)
  }

  private mutating func append(_ row: ListRow, _ index: Int) {
    let cell = row.cell(index)
    if case .bytes(let bytes, let isPath) = cell {
      if Self.isPlain(bytes), !isPath || Self.isUTF8(bytes) {
        line.append(contentsOf: keys[index])
        line.append(UInt8(ascii: "\""))
        line.append(contentsOf: bytes)
        line.append(UInt8(ascii: "\""))
        return
      }
    } else {
      line.append(contentsOf: keys[index])
      switch cell {
      case .integer(let number): line.append(contentsOf: String(number).utf8)
      case .real(let number): line.append(contentsOf: JSONValue.number(number).text.utf8)
      case .instant: line.append(contentsOf: JSONValue.string(row.value(index).plain).text.utf8)
      case .none, .bytes: line.append(contentsOf: "null".utf8)
      }
      return
    }
    // A path that is not UTF-8 has two members.
    let members = row.value(index).members(key: names[index]).map {
      "\(JSONValue.string($0.key).text):\($0.value.text)"
    }
    line.append(contentsOf: members.joined(separator: ",").utf8)
  }

  /// Whether a text stands in JSON as it is: nothing to be escaped, and no first byte of what is invisible.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { byte in
      switch byte {
      case ..<0x20, 0x22, 0x5C, 0x7F: false
      // Of all that `TerminalText.mustBeEscaped` names.
      case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF: false
      default: true
      }
    }
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    return (try? UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)) != nil
  }
}
