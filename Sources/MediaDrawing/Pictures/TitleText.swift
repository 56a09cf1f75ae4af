internal import CPango

/// The text of a picture's title, as Pango gets it.
package enum TitleText {
  /// In scalar values, because one character may have any number of marks: Pango takes minutes for a megabyte.
  private static let longest = 4096

  /// One line without control characters, which would be drawn as boxes; a zero would end the text.
  static func line(_ text: String) -> String {
    let line = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(longest).map { $0.properties.generalCategory == .control ? " " : $0 }))
    return text.unicodeScalars.count > longest ? line + "…" : line
  }

  /// The characters that no font of this machine has, each once, in order; they are drawn as boxes.
  ///
  /// Empty if Pango cannot be loaded: nobody knows then.
  package static func charactersWithoutFont(in text: String) -> [Character] {
    let line = line(text)
    guard !line.utf8.allSatisfy({ $0 < 0x80 }), dw_pango_load() == nil, dw_pango_count_unknown(line) > 0 else {
      return []
    }
    var seen: Set<Character> = []
    return Array(line.filter { seen.insert($0).inserted && dw_pango_count_unknown(String($0)) > 0 })
  }
}
