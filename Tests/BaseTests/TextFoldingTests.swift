import Base
import Foundation
import Testing
import TestSupport

// Faults: 147
struct TextFoldingTests {
  /// Texts and what they become; the page's own folding has the same (`Tests/Web/core/fold.test.mjs`).
  static let vectors = try? JSONDecoder().decode(
    [[String]].self, from: Data(contentsOf: Corpora.fixtures.appending(path: "folding.json")))

  @Test(arguments: [
    ("Beyoncé", "beyonce"), ("Beyonce\u{301}", "beyonce"), ("SIGUR RÓS", "sigur ros"), ("Mötley Crüe", "motley crue"),
    ("Straße", "strasse"), ("ẞ", "ss"), ("Æther", "aether"), ("Łódź", "lodz"), ("Việt", "viet"),
    ("İstanbul", "istanbul"),
    ("ΑΒΓ ΤΈΛΟΣ", "αβγ τελοσ"), ("Ёлка Й", "елка и"), ("ガラス", "カラス"), ("カ\u{3099}", "カ"), ("ＡＢＣ１", "abc1"),
    ("ไทย", "ไทย"), ("日本", "日本"), ("한국", "한국"), ("🎵", "🎵"), ("", ""), ("a-Z_09", "a-z_09"),
    ("ᎠᎾ ႠႡ", "ꭰꮎ ⴀⴁ"), ("\u{E0041}x", "x"), ("آب", "اب"), ("ﻼ", "لا"),
  ])
  func `case and accents do not matter`(text: String, folded: String) {
    #expect(Array(TextFolding.fold(text).unicodeScalars) == Array(folded.unicodeScalars))
  }

  @Test func `what no keyboard has becomes what one types`() throws {
    let vectors = try #require(Self.vectors)
    #expect(vectors.count > 40)
    for vector in vectors {
      #expect(Array(TextFolding.fold(vector[0]).unicodeScalars) == Array(vector[1].unicodeScalars), "\(vector[0])")
      // What is typed stays as it is.
      #expect(TextFolding.fold(vector[1]) == vector[1])
    }
  }

  /// Foundation's decompositions are the oracle. Hangul syllables stay as they are, some signs that decompose into others
  /// look like one of a keyboard, and small letters of Cyrillic for phonetics came after the table's Unicode 14.
  @Test func `characters that Unicode holds compatible are folded alike`() {
    let signs = Set("´\u{1FFD}″‴⁗‶‷ˮ".unicodeScalars)
    var count = 0
    for value in (0x80..<0x30000).compactMap({ Unicode.Scalar($0 as UInt32) }) {
      guard !(0xAC00...0xD7A3).contains(value.value), !(0x3400...0x9FFF).contains(value.value),
        !(0x1E030...0x1E08F).contains(value.value), !signs.contains(value)
      else { continue }
      let text = String(value)
      let decomposed = text.decomposedStringWithCompatibilityMapping
      guard !decomposed.unicodeScalars.elementsEqual(text.unicodeScalars) else { continue }
      count += 1
      #expect(
        TextFolding.fold(text).unicodeScalars.elementsEqual(TextFolding.fold(decomposed).unicodeScalars),
        "U+\(String(value.value, radix: 16))")
    }
    #expect(count > 5_000)
  }

  @Test func `folding twice is folding once`() {
    for value in (0x20..<0x30000).compactMap({ Unicode.Scalar($0 as UInt32) }) {
      let once = TextFolding.fold(String(value))
      #expect(TextFolding.fold(once) == once, "U+\(String(value.value, radix: 16))")
    }
    var generator = RepeatableRandom(seed: 7)
    for _ in 0..<2_000 {
      let text = (0..<8).map { _ in Unicode.Scalar(UInt32.random(in: 0x20..<0x3100, using: &generator)) ?? " " }
      let once = TextFolding.fold(String(String.UnicodeScalarView(text)))
      #expect(TextFolding.fold(once) == once)
    }
  }
}
