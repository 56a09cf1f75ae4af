/// The range of bytes that a request asks for (RFC 9110, section 14).
enum ByteRange {
  enum Answer: Equatable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable
  }

  /// What to send of `byteCount` bytes.
  ///
  /// Several ranges, other units and malformed headers mean the whole, as the standard allows.
  static func answer(to header: String?, byteCount: Int64) -> Answer {
    guard let header, let ends = ends(of: header) else { return .whole }
    switch ends {
    case (nil, let suffix?):
      guard suffix > 0, byteCount > 0 else { return .unsatisfiable }
      return .part(max(0, byteCount - suffix)..<byteCount)
    case (let first?, let last):
      guard first < byteCount else { return .unsatisfiable }
      return .part(first..<(last.map { min($0, byteCount - 1) } ?? byteCount - 1) + 1)
    case (nil, nil): return .whole
    }
  }

  /// The numbers on both sides of the minus; nil unless it is one valid range of bytes.
  private static func ends(of header: String) -> (first: Int64?, last: Int64?)? {
    let sides = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides[0].lowercased() == "bytes" else { return nil }
    let numbers = sides[1].split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2 else { return nil }
    let (first, last) = (number(numbers[0]), number(numbers[1]))
    guard first != nil || numbers[0].isEmpty, last != nil || numbers[1].isEmpty, first != nil || last != nil else {
      return nil
    }
    if let first, let last, last < first { return nil }
    return (first, last)
  }

  /// Digits only; more than fit are the largest number.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}
