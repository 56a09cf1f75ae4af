/// The number in a tag such as `7`, `7/12` or ` 07 / 12 `.
struct TagNumber {
  static let range = 1...9999

  /// At least one of the two is there.
  let number: Int?
  let total: Int?

  /// nil for text that is not one number, or two around a slash, in ASCII digits, or with nothing in range.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var numbers: [Int?] = []
    for part in parts {
      let digits = Self.trimmed(String(part))
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      numbers.append(Int(digits).flatMap { Self.range.contains($0) ? $0 : nil })
    }
    number = numbers.first ?? nil
    total = numbers.count > 1 ? numbers[1] : nil
    guard number != nil || total != nil else { return nil }
  }

  /// `text` without white space, NUL and invisible marks at its ends.
  static func trimmed(_ text: String) -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar.value == 0 || scalar.value == 0xFEFF || scalar.value == 0x200B
    }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }), let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
