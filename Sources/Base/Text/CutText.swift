extension String {
  /// The text, or its beginning with "…" behind it if it has more bytes of UTF-8 than `limit`.
  ///
  /// - Parameter limit: At least 3, the bytes of "…".
  package func cut(toByteCount limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: limit - 3)
    // Not within a character.
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension StringProtocol {
  /// The start of this text, at most so many Unicode scalars.
  ///
  /// A limit on characters does not bound a text of strangers: one character may have a million combining marks.
  package func limited(toScalarCount count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}

extension String {
  /// The text without white space, NUL and invisible marks at both ends.
  package var withoutBlankEnds: String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar.value == 0 || scalar.value == 0xFEFF || scalar.value == 0x200B
    }
    guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
      let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
