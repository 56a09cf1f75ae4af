import Base
import MediaExchange
import Testing

struct YAMLDocumentTests {
  @Test(arguments: [
    ("", "null"),
    ("# nothing\n---\n...\n", "null"),
    ("a: 1\n'b': -2.5e3\n\"c\": .inf", #"{"a":1,"b":-2500.0,"c":".inf"}"#),
    ("[0x1F, 0o17, 017, +3, 1., .5, 1e400]", #"[31,15,17,3,1.0,0.5,"1e400"]"#),
    (
      "[~, null, true, False, yes, on, 'true', \"1\", !!str 2, ! 3]",
      #"[null,null,true,false,"yes","on","true","1","2","3"]"#
    ),
    ("- a\n-\n  - b\n  - {c: [d, e]}\n-\n", #"["a",["b",{"c":["d","e"]}],null]"#),
    ("list:\n- 1\n- 2", #"{"list":[1,2]}"#),
    ("a: one\n  two\n\n  three # four\nb: 'it''s'", #"{"a":"one two\nthree","b":"it's"}"#),
    ("a: |\n  x\n   y\nb: >-\n  x\n  y\n", #"{"a":"x\n y\n","b":"x y"}"#),
    (#"["\x41\u00e9\U0001F3B5\n\\\/\_"]"#, "[\"Aé🎵\\n\\\\/\u{A0}\"]"),
    ("[a: 1, {b: 2}, \"c#d\", e#f]", #"[{"a":1},{"b":2},"c#d","e#f"]"#),
    ("{\n  a: [1,\n2],\n  b: {}}", #"{"a":[1,2],"b":{}}"#),
    ("low: &low {q: 0.7}\nhigh: *low\n&k key: 1\n*k : 2", #"{"low":{"q":0.7},"high":{"q":0.7},"key":1,"key":2}"#),
    ("%YAML 1.2\n---\na: b", #"{"a":"b"}"#),
    ("a: b\r\nc: d\r\n", #"{"a":"b","c":"d"}"#),
  ])
  func `a document is its value`(text: String, json: String) throws {
    #expect(try YAMLDocument.parse(text) == JSONValue(parsing: Array(json.utf8)))
  }

  @Test(arguments: [
    ("a: 1\n\tb: 2", 2), ("[a, , b]", 1), ("a: [1, 2", 1), ("a: 'x\nb: 1", 1), ("a: 1\n---\nb: 2", 2), ("a: *b", 1),
    ("\na: !Biquad {}", 2),
    ("? [a]\n: 1", 1), ("a: b: c", 1), ("a: \u{1}", 1), ("a: 1\nb: @x", 2), ("- a\nb: 1", 2),
    (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 1),
  ])
  func `what cannot be read is refused with its line`(text: String, line: Int) {
    let fault = #expect(throws: YAMLDocument.Fault.self) { try YAMLDocument.parse(text) }
    #expect(fault.flatMap(\.line).map { abs($0 - line) <= 1 } == true, "\(String(describing: fault))")
  }

  @Test func `aliases of aliases are counted with what they repeat`() {
    let levels = (1...9).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ", "))]"
    }
    let text = "a0: &a0 [1]\n" + levels.joined(separator: "\n")
    let fault = #expect(throws: YAMLDocument.Fault.self) { try YAMLDocument.parse(text) }
    #expect(fault?.reason == "more than 100000 values")
  }
}
