extension JSONValue {
  /// The value that a whole document is; of a key that occurs twice the first counts.
  ///
  /// - Throws: `ByteReader.Failure` with the byte at which it is no JSON, holds a number that no `Double` can be, or lies
  ///   too deep in itself.
  package init(parsing bytes: [UInt8]) throws(ByteReader.Failure) {
    var scanner = JSONScanner(bytes)
    self = try scanner.readValue()
    try scanner.expectEnd()
  }

  /// The first value under `key`; nil for what is no object or does not have it.
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
