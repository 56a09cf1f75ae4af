internal import Glibc

/// Text of one of the encodings that programs have written without naming it: UTF-8, UTF-16, and the 8-bit and East Asian
/// code pages 1252, 1251, 932 (Shift-JIS) and 936 (GBK).
///
/// The code page is guessed from all of the text at once, because a single name says too little.
package enum GuessedText {
  package static func decoded(_ bytes: [UInt8]) -> String {
    if LegacyText.isWide(bytes) { return LegacyText.decoded(bytes[...]) }
    if let isLittleEndian = byteOrder(bytes) {
      return LegacyText.decoded((isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]) + bytes)
    }
    if String(validating: bytes, as: UTF8.self) != nil { return LegacyText.decoded(bytes[...]) }
    guard let page = CodePage.likeliest(bytes), let text = page.decoded(bytes) else {
      return LegacyText.decoded(bytes[...])
    }
    return text
  }

  /// Of UTF-16 without a mark: in nearly all text that programs write, the high byte of many units is 0.
  private static func byteOrder(_ bytes: [UInt8]) -> Bool? {
    guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
    var zeros = [0, 0]
    for (index, byte) in bytes.enumerated() where byte == 0 { zeros[index & 1] += 1 }
    guard max(zeros[0], zeros[1]) > bytes.count / 8, min(zeros[0], zeros[1]) == 0 else { return nil }
    return zeros[1] > zeros[0]
  }
}

/// A code page other than 1252, as the C library names it.
private enum CodePage: String, CaseIterable {
  case cyrillic = "CP1251"
  case japanese = "CP932"
  case chinese = "GBK"

  /// At least this share of the bytes above ASCII must be what the code page has for common letters.
  private static let leastShare = 0.6

  /// nil for 1252, in which letters with accents mostly stand alone.
  static func likeliest(_ bytes: [UInt8]) -> CodePage? {
    let count = bytes.count { $0 >= 0x80 }
    let shares = allCases.map { (page: $0, share: Double($0.commonByteCount(bytes)) / Double(max(1, count))) }
    var best: (page: CodePage, share: Double)?
    for found in shares where found.share >= leastShare && found.share > best?.share ?? 0 { best = found }
    return best?.page
  }

  /// How many bytes above ASCII belong to letters that are common in texts of the code page.
  private func commonByteCount(_ bytes: [UInt8]) -> Int {
    self == .cyrillic ? Self.cyrillicByteCount(bytes) : pairedByteCount(bytes)
  }

  /// Bytes in words of at least two letters, in which no capital follows a small letter.
  private static func cyrillicByteCount(_ bytes: [UInt8]) -> Int {
    var count = 0
    for run in bytes.split(whereSeparator: { $0 < 0x80 }) where run.count > 1 {
      let letters = run.filter { $0 >= 0xC0 || $0 == 0xA8 || $0 == 0xB8 }
      let isWord = zip(run, run.dropFirst()).allSatisfy { !($0 >= 0xE0 && (0xC0..<0xE0).contains($1)) }
      if isWord { count += letters.count }
    }
    return count
  }

  /// Bytes of pairs that are kana or common characters. In both code pages a second byte may be ASCII.
  private func pairedByteCount(_ bytes: [UInt8]) -> Int {
    var count = 0
    var index = 0
    while index + 1 < bytes.count {
      let (lead, trail) = (bytes[index], bytes[index + 1])
      guard lead >= 0x80, isPair(lead, trail) else {
        index += 1
        continue
      }
      if isCommon(lead, trail) { count += trail >= 0x80 ? 2 : 1 }
      index += 2
    }
    return count
  }

  private func isPair(_ lead: UInt8, _ trail: UInt8) -> Bool {
    guard trail >= 0x40, trail != 0x7F else { return false }
    return self == .chinese
      ? (0x81...0xFE).contains(lead) : (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead)
  }

  /// Punctuation, kana and the first level of characters, which are sorted by sound and much commoner than the rest.
  private func isCommon(_ lead: UInt8, _ trail: UInt8) -> Bool {
    self == .chinese
      ? trail >= 0xA1 && (0xB0...0xD7).contains(lead) || trail >= 0xA1 && lead == 0xA1
      : (0x81...0x83).contains(lead) || (0x88...0x97).contains(lead)
  }

  /// nil if the C library has no table for the code page; bytes without a meaning become U+FFFD.
  func decoded(_ bytes: [UInt8]) -> String? {
    let converter = iconv_open("UTF-8", rawValue)
    guard converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    // A character of two bytes has at most three in UTF-8, one of a single byte also.
    var text = [CChar](repeating: 0, count: 3 * bytes.count + 4)
    var source = bytes.map { CChar(bitPattern: $0) }
    let capacity = text.count
    let written = source.withUnsafeMutableBufferPointer { source in
      text.withUnsafeMutableBufferPointer { text -> Int in
        var (input, output) = (source.baseAddress, text.baseAddress)
        var (inputCount, outputCount) = (source.count, capacity)
        while inputCount > 0, outputCount >= 4 {
          _ = iconv(converter, &input, &inputCount, &output, &outputCount)
          guard inputCount > 0, outputCount >= 3 else { break }
          // What cannot be converted is one byte of a broken character.
          for byte in Array("\u{FFFD}".utf8) {
            output?.pointee = CChar(bitPattern: byte)
            output = output?.advanced(by: 1)
          }
          outputCount -= 3
          input = input?.advanced(by: 1)
          inputCount -= 1
        }
        return capacity - outputCount
      }
    }
    return String(decoding: text[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
