package import Base

/// Names of albums and artists as people compare them: without case, accents, punctuation, and an article at the start, or behind a
/// comma at the end.
///
/// `Sgt. Pepper’s` and `SGT PEPPERS`, `The Beatles` and `Beatles`, `Simon & Garfunkel` and `Simon and Garfunkel` have the same key.
/// A name that is nothing but punctuation is its own key.
package enum NameKey {
  /// - Complexity: O(n).
  package static func key(_ name: String) -> String {
    let folded = TextFolding.fold(name)
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func finish() {
      guard !word.isEmpty else { return }
      words.append(String(word))
      word.removeAll()
    }
    for scalar in folded.unicodeScalars {
      switch scalar {
      // Within a word, as in "don't" and "R.E.M.".
      case "'", ".": continue
      case "&", "+":
        finish()
        words.append("and")
      default:
        if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.properties.isEmoji
          || isMark(scalar)
        {
          word.append(scalar)
        } else {
          finish()
        }
      }
    }
    finish()
    if words.count > 1, words[0] == "the", words[1] != "the" { words.removeFirst() }
    // "Weather Vanes, The", as catalogues have it.
    if words.count > 1, words.last == "the", folded.withoutBlankEnds.hasSuffix(", the") { words.removeLast() }
    let hasContent = words.contains { $0 != "and" }
    return hasContent ? words.joined(separator: " ") : folded.withoutBlankEnds
  }

  /// A sign that belongs to the letter before it, as vowels in Indic scripts.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
