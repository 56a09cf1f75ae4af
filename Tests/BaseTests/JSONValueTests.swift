import Base
import Foundation
import Testing

struct JSONValueTests {
  @Test func `keys keep their order, and numbers that JSON has not become null`() {
    let value: JSONValue = .object([
      "b": .number(1.5), "a": .number(.nan), "c": .number(-.infinity), "d": .integer(Int64.min), "e": .number(3),
      "f": .array([.bool(true), .null, .string("x")]), "g": .object([:]), "h": .number(nil), "i": .integer(nil as Int?),
    ])
    #expect(
      value.text
        == #"{"b":1.5,"a":null,"c":null,"d":-9223372036854775808,"e":3,"f":[true,null,"x"],"g":{},"h":null,"i":null}"#)
  }

  @Test func `a readable document is indented`() {
    let value: JSONValue = .object(["a": .array([.integer(1), .integer(2)]), "b": .array([])])
    #expect(value.prettyText == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": []\n}")
  }

  @Test(arguments: ["", "plain", "\"\\/", "\u{0}\u{1B}[31m\n\t\r\u{7F}\u{9B}\u{202E}\u{FEFF}", "é日🎵", "a\u{2028}b"])
  func `any text is read back by another reader, and has nothing that a terminal acts upon`(text: String) throws {
    let json = JSONValue.array([.string(text)]).text
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
    #expect(Array(read[0].unicodeScalars) == Array(text.unicodeScalars))
    #expect(!json.unicodeScalars.contains(where: TerminalText.mustBeEscaped))
  }

  @Test(arguments: [0.1, -0.0, 1e300, 1e-7, 123_456_789.25, 1e15, .leastNonzeroMagnitude])
  func `numbers are read back exactly`(number: Double) throws {
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(JSONValue.array([.number(number)]).text.utf8)) as? [Double])
    #expect(read[0] == number)
  }
}
