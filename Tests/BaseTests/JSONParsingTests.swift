import Base
import Testing

@Suite("JSON that is read")
struct JSONParsingTests {
  @Test func `A document comes back as it was written`() throws {
    let document: JSONValue = .object([
      "text": .string("a \"quoted\"\n\u{1F3B5} \u{7}"), "whole": .integer(-12), "part": .number(0.1), "no": .null,
      "list": .array([.bool(true), .bool(false), .object([])]),
    ])
    #expect(try JSONValue(parsing: Array(document.text.utf8)) == document)
    #expect(try JSONValue(parsing: Array(document.prettyText.utf8)) == document)
  }

  @Test func `Escapes are resolved, pairs of surrogates too`() throws {
    let bytes = Array(#""\u00e9\ud83c\udfb5\/\ud83c""#.utf8)
    #expect(try JSONValue(parsing: bytes) == .string("é🎵/\u{FFFD}"))
  }

  @Test(arguments: [
    ("", 0), ("{\"a\":1e999}", 5), ("[1,]", 3), ("{\"a\" 1}", 5), ("\"\\x\"", 1), ("\"ab", 0), ("[1] 2", 4), ("nan", 0),
    ("\"\\u12\"", 1),
  ])
  func `What is no JSON is refused at its byte`(text: String, offset: Int) {
    #expect {
      try JSONValue(parsing: Array(text.utf8))
    } throws: {
      ($0 as? ByteReader.Failure)?.offset == offset
    }
  }

  @Test func `Ten thousand brackets are too deep`() {
    #expect(throws: ByteReader.Failure.self) {
      try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 10_000))
    }
  }
}
