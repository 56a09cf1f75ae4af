internal import Base

/// The number in a tag such as `7`, `7/12`, `3 of 12`, `05.`, `Track 5`, `No.5` or `B2`.
package struct TagNumber {
  package static let range = 1...9999

  private static let maximumByteCount = 32
  private static let sides: ClosedRange<UInt8> = 0x41...0x50

  /// At least one of the two is not nil.
  package let number: Int?
  package let total: Int?
  /// The side of a record that a letter before the number names: 1 for A, up to 16 for P; nil if there is none.
  package let side: Int?

  /// nil unless the text has one number, or two with a slash or a short word between them, in digits of half or full width,
  /// with at least one in ``range``. A sign, a decimal point or an exponent is no number of a track. A number behind a slash
  /// alone is the total.
  package init?(_ text: String) {
    let bytes = Array(text.inHalfWidth.withoutBlankEnds.utf8)
    guard (1...Self.maximumByteCount).contains(bytes.count) else { return nil }
    if bytes.count == 1, let side = Self.side(bytes[0]) {
      // The only track of a side.
      (number, total, self.side) = (1, nil, side)
      return
    }
    let runs = bytes.indices.split { !Self.isDigit(bytes[$0]) }
    guard let first = runs.first, let start = first.first, let end = first.last, runs.count <= 2,
      start == 0 || !Self.signs.contains(bytes[start - 1]) || start > 1 && Self.isLetter(bytes[start - 2])
    else { return nil }
    let before = bytes[..<start].split { $0 == UInt8(ascii: " ") || Self.signs.contains($0) }
    func value(_ run: Range<Int>.SubSequence) -> Int? {
      Int(String(decoding: run.map { bytes[$0] }, as: UTF8.self)).flatMap { Self.range.contains($0) ? $0 : nil }
    }
    if runs.count == 1, let last = before.last?.last, Self.slashes.contains(last) {
      (number, total, side) = (nil, value(first), nil)
      if total == nil { return nil }
      return
    }
    if runs.count == 2, let second = runs[1].first {
      guard Self.isBeforeTotal(bytes[(end + 1)..<second]) else { return nil }
      total = value(runs[1])
    } else {
      total = nil
    }
    number = value(first)
    // "B2", "B 2", "B-2", "Side B 2".
    let isSide =
      before.count == 1 || before.count == 2 && String(decoding: before[0], as: UTF8.self).lowercased() == "side"
    side = isSide && before.last?.count == 1 ? before.last?.first.flatMap(Self.side) : nil
    guard number != nil || total != nil else { return nil }
  }

  private static let signs: Set<UInt8> = [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")]

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  private static func side(_ letter: UInt8) -> Int? {
    let capital = letter & 0xDF
    return isLetter(letter) && sides.contains(capital) ? Int(capital - sides.lowerBound) + 1 : nil
  }

  private static let slashes: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "\\")]

  /// A slash; "of" and "out of"; or a word of two or three letters, such as "von" or "de", that blanks separate from both
  /// numbers.
  private static func isBeforeTotal(_ between: ArraySlice<UInt8>) -> Bool {
    let words = between.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }
    let text = words.map { String(decoding: $0, as: UTF8.self).lowercased() }
    if text == ["of"] || text == ["out", "of"] { return true }
    guard words.count == 1, let word = words.first else { return false }
    if word.count == 1, slashes.contains(word[word.startIndex]) { return true }
    return (2...3).contains(word.count) && word.allSatisfy(isLetter) && between.first == UInt8(ascii: " ")
      && between.last == UInt8(ascii: " ")
  }
}
