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
