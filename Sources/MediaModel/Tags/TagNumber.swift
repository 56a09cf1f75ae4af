internal import Base

/// The number in a tag such as `7`, `7/12`, `3 of 12`, `05.`, `Track 5` or `B2`.
package struct TagNumber {
  package static let range = 1...9999

  private static let maximumByteCount = 32
  private static let sides: ClosedRange<UInt8> = 0x41...0x50

  /// At least one of the two is not nil.
  package let number: Int?
  package let total: Int?
  /// The side of a record that a letter before the number names: 1 for A, up to 16 for P; nil if there is none.
  package let side: Int?

  /// nil unless the text has one number, or two with a slash or a short word between them, in ASCII digits, with at
  /// least one in ``range``. A sign, a decimal point or an exponent is no number of a track.
  package init?(_ text: String) {
    let bytes = Array(text.withoutBlankEnds.utf8)
    guard (1...Self.maximumByteCount).contains(bytes.count) else { return nil }
    if bytes.count == 1, let side = Self.side(bytes[0]) {
      // The only track of a side.
      (number, total, self.side) = (1, nil, side)
      return
    }
    let runs = bytes.indices.split { !Self.isDigit(bytes[$0]) }
    guard let first = runs.first, let start = first.first, let end = first.last, runs.count <= 2,
      start == 0 || !Self.signs.contains(bytes[start - 1])
    else { return nil }
    func value(_ run: Range<Int>.SubSequence) -> Int? {
      Int(String(decoding: run.map { bytes[$0] }, as: UTF8.self)).flatMap { Self.range.contains($0) ? $0 : nil }
    }
    if runs.count == 2, let second = runs[1].first {
      guard Self.isBeforeTotal(bytes[(end + 1)..<second]) else { return nil }
      total = value(runs[1])
    } else {
      total = nil
    }
    number = value(first)
    side = start == 1 ? Self.side(bytes[0]) : nil
    guard number != nil || total != nil else { return nil }
  }

  private static let signs: Set<UInt8> = [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")]

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  private static func side(_ letter: UInt8) -> Int? {
    let capital = letter & 0xDF
    return isLetter(letter) && sides.contains(capital) ? Int(capital - sides.lowerBound) + 1 : nil
  }

  /// A slash, or a word of two or three letters, such as "of", "von" or "de", that blanks separate from both numbers.
  private static func isBeforeTotal(_ between: ArraySlice<UInt8>) -> Bool {
    let words = between.split(separator: UInt8(ascii: " "))
    guard words.count == 1, let word = words.first else { return false }
    if word.elementsEqual([UInt8(ascii: "/")]) { return true }
    return (2...3).contains(word.count) && word.allSatisfy(isLetter) && between.first == UInt8(ascii: " ")
      && between.last == UInt8(ascii: " ")
  }
}
