internal import MediaModel

/// A JSON document, read and written again.
struct JSONTarget: FuzzTarget {
  let name = "json"

  var seeds: [[UInt8]] {
    [
      "{}", "[]", "null", "-0.5e-3", "\"\\u00e9\\ud834\\udd1e\\n\"",
      "{\"a\": [1, 2.5, true, {\"b\": null}], \"a\": \"\"}",
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, 1e308]", "[[[[[[]]]]]]",
    ].map { Array($0.utf8) }
  }
  var dictionary: [String] { Self.words }

  static let words = [
    "true", "false", "null", "\\u0000", "\\ud800", "\\udc00", "\\\"", "1e308", "1e400", "-0", "9223372036854775808",
    "{\"\":", "[[[[[[[[", "]]]]]]]]",
  ]

  func check(_ bytes: [UInt8]) throws {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    for text in [value.text, value.prettyText] {
      try require(try JSONValue(parsing: Array(text.utf8)).text == value.text, "not read as it is written: \(text)")
    }
    _ = value["a"]?.array?.first?.double
  }
}
