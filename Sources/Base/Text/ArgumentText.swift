/// Represents command-line arguments as text without losing a byte.
///
/// An argument need not be UTF-8, but argument parsers work on strings. Bytes that are not part of a valid sequence
/// become code points at the end of the last private-use plane, U+10FF00 plus the byte, which nothing else uses.
package enum ArgumentText {
  private static let escapeBase: UInt32 = 0x10_FF00

  /// The argument as text; unchanged if it is valid UTF-8.
  package static func text(ofBytes bytes: [UInt8]) -> String {
    if let valid = String(validating: bytes, as: UTF8.self) { return valid }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let character = String(validating: rest.prefix(length), as: UTF8.self), rest.count >= length {
        result.append(contentsOf: character.unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        if let escape = Unicode.Scalar(escapeBase + UInt32(first)) { result.append(escape) }
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// Whether an argument was UTF-8.
  package static func isText(_ text: String) -> Bool { !text.unicodeScalars.contains { $0.value >= escapeBase } }

  /// The original bytes of an argument.
  package static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      scalar.value >= escapeBase ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }
}

extension BytePath {
  /// A path that was given as an argument.
  package init(argument: String) { self.init(ArgumentText.bytes(of: argument)) }
}
