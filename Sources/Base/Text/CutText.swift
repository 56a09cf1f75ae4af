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
