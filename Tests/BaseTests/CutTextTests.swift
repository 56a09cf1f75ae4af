import Base
import Testing

struct CutTextTests {
  @Test func `short texts stay as they are`() {
    #expect("Tide".cut(toByteCount: 4) == "Tide" && "".cut(toByteCount: 3).isEmpty)
  }

  @Test(arguments: ["abcdefgh", "ääääääää", "海海海海海海海", "🌊🌊🌊🌊", "e\u{301}e\u{301}e\u{301}e\u{301}"])
  func `longer ones end with three dots, between two characters, within the limit`(text: String) {
    for limit in 3..<text.utf8.count {
      let cut = text.cut(toByteCount: limit)
      #expect(cut.utf8.count <= limit && cut.last == "…")
      #expect(text.unicodeScalars.starts(with: cut.unicodeScalars.dropLast()))
      #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
    }
  }
}
