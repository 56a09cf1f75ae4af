import Base
import Testing
import TestSupport

struct TextFoldingTests {
  @Test(arguments: [
    ("Beyoncé", "beyonce"), ("Beyonce\u{301}", "beyonce"), ("SIGUR RÓS", "sigur ros"), ("Mötley Crüe", "motley crue"),
    ("Straße", "strasse"), ("ẞ", "ss"), ("Æther", "aether"), ("Łódź", "lodz"), ("Việt", "viet"),
    ("İstanbul", "istanbul"),
    ("ΑΒΓ ΤΈΛΟΣ", "αβγ τελοσ"), ("Ёлка Й", "елка и"), ("ガラス", "カラス"), ("カ\u{3099}", "カ"), ("ＡＢＣ１", "abc1"),
    ("ไทย", "ไทย"), ("日本", "日本"), ("한국", "한국"), ("🎵", "🎵"), ("", ""), ("a-Z_09", "a-z_09"),
  ])
  func `case and accents do not matter`(text: String, folded: String) {
    #expect(Array(TextFolding.fold(text).unicodeScalars) == Array(folded.unicodeScalars))
  }

  @Test func `folding twice is folding once`() {
    var generator = RepeatableRandom(seed: 7)
    for _ in 0..<2_000 {
      let text = (0..<8).map { _ in Unicode.Scalar(UInt32.random(in: 0x20..<0x3100, using: &generator)) ?? " " }
      let once = TextFolding.fold(String(String.UnicodeScalarView(text)))
      #expect(TextFolding.fold(once) == once)
    }
  }
}
