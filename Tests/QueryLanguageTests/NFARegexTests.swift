import QueryLanguage
import Testing

// Faults: 145
struct NFARegexTests {
  @Test(arguments: [
    ("a.c", "xabcx", true), ("^Slow", "Slow Tide", true), ("^Slow", "Not Slow", false), ("Tide$", "Slow Tide", true),
    ("^$", "", true), ("^$", "a", false), ("(a|b)+c", "xababc", true), ("(?:ab){2,3}$", "ababab", true),
    ("^(?:ab){2,3}$", "abababab", false), ("[0-9]{4}", "in 1999", true), ("[^a-z]", "abc", false), ("\\d+", "a1", true),
    ("\\bcat\\b", "a cat!", true), ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true), ("(?i)éTÉ", "Été", true),
    ("été", "Été", false), ("a{0}b", "b", true), ("a{,3}", "a{,3}", true), ("[]a]", "]", true), ("[a-]", "-", true),
    ("\\.", "abc", false), ("\\.", "a.c", true), ("a?b??c*?", "", true), ("(|a)b", "b", true), (".", "\n", false),
    ("\\s", "a\u{A0}b", true), ("\\w", "é", true), ("[\\d\\s]x", " x", true), ("x{2}", "x", false), ("()*a", "a", true),
    ("[^\\d]", "12", false), ("colou?r", "color", true), ("日.語", "日本語", true), ("((a)|b)*$", "abab", true),
  ])
  func `expressions find what they say`(pattern: String, text: String, isFound: Bool) throws {
    #expect(try NFARegex(pattern).isFound(in: text) == isFound)
  }

  @Test(arguments: ["(", ")", "[", "a**(", "*", "a{3,2}", "a{1001}", "\\", "\\1", "(?=a)", "(?<n>a)", "[z-a]", "\\p"])
  func `what cannot be understood is refused`(pattern: String) {
    #expect(throws: QueryError.self) { try NFARegex(pattern) }
  }

  @Test(arguments: [
    "(a{1000}){1000}", "((a{100}){100}){100}", String(repeating: "(", count: 60),
    "a" + String(repeating: "+", count: 60),
  ])
  func `what would grow without limit is refused`(pattern: String) {
    #expect(throws: QueryError.self) { try NFARegex(pattern) }
  }

  @Test(arguments: ["(a+)+$", "^(a|a)*$", "(a*)*b", "(((){1000}){1000}){1000}a?b", "^(([a-z])+.)+[A-Z]([a-z])+$"])
  func `nothing makes the search explode`(pattern: String) throws {
    #expect(try !NFARegex(pattern).isFound(in: String(repeating: "a", count: 20_000) + "!"))
  }
}
