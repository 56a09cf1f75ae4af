import Base
import TestSupport
import Testing

// Faults: 221
/// Invisible characters in texts that are shown: the oracle is the Unicode data of the standard library, and for
/// categories also that of Python.
struct HiddenCharacterTests {
  private static let scalars = (UInt32(0)...0x10_FFFF).compactMap { Unicode.Scalar($0) }

  /// Which scripts and emoji need; ``TerminalText/escaped(_:)`` judges them by what stands before.
  private static let needed: Set<Unicode.Scalar> = Set(
    scalars.filter {
      [0x200C, 0x200D, 0xFE0E, 0xFE0F, 0x180B, 0x180C, 0x180D, 0x180F].contains($0.value)
        || (0xE0100...0xE01EF).contains($0.value)
    })

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default:
      properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        || (0xFFF9...0xFFFB).contains(scalar.value)
    }
  }

  @Test func `each character that nobody sees is escaped, and no other`() {
    let wrong = Self.scalars.filter { scalar in
      TerminalText.mustBeEscaped(scalar) != (Self.isHidden(scalar) && !Self.needed.contains(scalar))
    }
    #expect(wrong == [])
    #expect(Self.needed.filter(Self.isHidden).count == Self.needed.count)
  }

  @Test(.enabled(if: Tool.exist("python3"), "python3 is not installed"))
  func `of what Python calls a format character only those with a shape stay`() throws {
    let script = """
      from unicodedata import category
      print(*[i for i in range(0x110000) if category(chr(i)) in ('Cc', 'Cf', 'Zl', 'Zp')])
      """
    let found = String(decoding: try Tool.run("python3", "-c", script), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).compactMap { UInt32($0).flatMap(Unicode.Scalar.init) }
    #expect(found.count > 200)
    let shaped: [ClosedRange<UInt32>] = [
      0x0600...0x0605, 0x06DD...0x06DD, 0x070F...0x070F, 0x0890...0x0891, 0x08E2...0x08E2, 0x110BD...0x110BD,
      0x110CD...0x110CD, 0x13430...0x1343F,
    ]
    let shown = found.filter { !TerminalText.mustBeEscaped($0) && !Self.needed.contains($0) }
    #expect(shown.filter { scalar in !shaped.contains { $0.contains(scalar.value) } } == [])
  }

  @Test(arguments: [
    ("a\u{AD}b", "a\\u{AD}b"), ("\u{1D173}", "\\u{1D173}"), ("x\u{E0041}\u{E007F}", "x\\u{E0041}\\u{E007F}"),
    ("a\u{202E}b", "a\\u{202E}b"), ("a\u{3164}", "a\\u{3164}"), ("a\u{FE01}", "a\\u{FE01}"),
    // They follow nothing that they can change, or each other.
    ("a\u{200D}b", "a\\u{200D}b"), ("\u{200C}", "\\u{200C}"), ("a\u{FE0F}", "a\\u{FE0F}"),
    ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}"), ("愛\u{E0100}\u{E0101}", "愛\u{E0100}\\u{E0101}"),
    ("か\u{E0100}", "か\\u{E0100}"), ("می\u{200C}\u{200C}", "می\u{200C}\\u{200C}"),
    ("\u{202E}\u{200D}", "\\u{202E}\\u{200D}"),
  ])
  func `text cannot hide in text`(text: String, shown: String) { #expect(TerminalText.escaped(text) == shown) }

  @Test(arguments: [
    "می\u{200C}خواهم", "क्\u{200D}ष", "👩\u{200D}❤\u{FE0F}\u{200D}👩", "1\u{FE0F}\u{20E3}", "☀\u{FE0E}", "葛\u{E0100}城市",
    "ᠨ\u{180B}", "👍🏽", "é", "e\u{301}", "日本語", "한국어", "Привет", "\u{F8FF}", "٠\u{0600}",
  ])
  func `what scripts and emoji need stays`(text: String) { #expect(TerminalText.escaped(text) == text) }

  @Test func `what is escaped in JSON is read back`() throws {
    for scalar in Self.scalars where TerminalText.mustBeEscaped(scalar) {
      let text = JSONValue.string("a\(String(scalar))b").text
      #expect(text.utf8.allSatisfy { $0 < 0x7F && $0 >= 0x20 })
      #expect(try JSONValue(parsing: Array(text.utf8)).string == "a\(String(scalar))b")
    }
  }
}
