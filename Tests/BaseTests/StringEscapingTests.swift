import Base
import Testing

struct StringEscapingTests {
  @Test func `a sign is escaped as a scalar, whatever joins it`() {
    #expect("a\"b".escaping("\"", with: "\"") == "a\"\"b")
    let joined = "a\"\u{301}b\"\u{FE0F}".escaping("\"", with: "\"")
    #expect(Array(joined.unicodeScalars) == ["a", "\"", "\"", "\u{301}", "b", "\"", "\"", "\u{FE0F}"])
    #expect("\\ \"".escaping("\"\\", with: "\\") == "\\\\ \\\"")
    #expect("été".escaping("\"", with: "\"") == "été" && "".escaping("'", with: "'") == "")
  }

  @Test func `control characters are those of category Cc`() {
    let scalars = (UInt32(0)...0x10_FFFF).compactMap { Unicode.Scalar($0) }
    #expect(scalars.filter { $0.isControl != ($0.properties.generalCategory == .control) } == [])
  }
}
