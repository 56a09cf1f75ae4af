internal import Glibc

/// A code page with a byte for each letter of one script beside ASCII, and what words in that script look like.
///
/// Bytes of other encodings make letters of it, too, but seldom words: a small letter is followed by a capital one, a
/// letter that only ends words stands in the middle, a word has no vowel.
struct LetterPage {
  let encoding: TextEncoding
  private let small: Set<UInt8>
  private let capital: Set<UInt8>
  /// Letters and marks that cannot begin a word.
  private let notInitial: Set<UInt8>
  /// Letters that cannot end one.
  private let notFinal: Set<UInt8>
  /// Letters that can only end one.
  private let onlyFinal: Set<UInt8>
  /// A word of two letters or more has one of them; empty for scripts that do not write them.
  private let vowels: Set<UInt8>
  /// Marks that stand on a letter before them.
  private let marks: Set<UInt8>
  /// For each byte, the logarithm of how often its letter is in texts, from its place in their order: as 1 / (place + 3).
  private let logFrequencies: [UInt8: Double]
  /// The commonest letters of texts.
  let frequentLetters: Set<Unicode.Scalar>

  private init(
    _ encoding: TextEncoding, small: [ClosedRange<UInt8>], capital: [ClosedRange<UInt8>] = [], notInitial: String = "",
    notFinal: String = "", onlyFinal: String = "", vowels: String = "", marks: String = "", byFrequency order: String,
    frequentCount: Int
  ) {
    func bytes(_ ranges: [ClosedRange<UInt8>]) -> Set<UInt8> { ranges.reduce(into: []) { $0.formUnion($1) } }
    let letters = bytes(small + capital).reduce(into: [:]) { letters, byte in
      letters[byte] = encoding.decoded([byte]).unicodeScalars.first
    }
    func bytes(of text: String) -> Set<UInt8> {
      let scalars = Set(text.unicodeScalars)
      return Set(letters.keys.filter { byte in letters[byte].map(scalars.contains) ?? false })
    }
    self.encoding = encoding
    self.small = bytes(small)
    self.capital = bytes(capital)
    self.notInitial = bytes(of: notInitial)
    self.notFinal = bytes(of: notFinal)
    self.onlyFinal = bytes(of: onlyFinal)
    self.vowels = bytes(of: vowels)
    self.marks = bytes(of: marks)
    let places = Dictionary(zip(order.unicodeScalars, 0...)) { first, _ in first }
    let norm = (0..<places.count).reduce(0) { $0 + 1 / Double($1 + 3) }
    logFrequencies = letters.mapValues { letter in
      let place = String(letter).lowercased().unicodeScalars.first.flatMap { places[$0] } ?? 3 * places.count
      return log2(1 / Double(place + 3) / norm)
    }
    let frequent = order.unicodeScalars.prefix(frequentCount).map(String.init).joined()
    frequentLetters = Set((frequent + frequent.uppercased()).unicodeScalars)
  }

  /// How likely the letters of a text are, in bits per letter.
  func likelihood(_ bytes: ArraySlice<UInt8>) -> Double {
    let found = bytes.lazy.compactMap { logFrequencies[$0] }
    var (sum, count) = (0.0, 0)
    for frequency in found { (sum, count) = (sum + frequency, count + 1) }
    return count == 0 ? -.infinity : sum / Double(count)
  }

  /// How many bytes above ASCII belong to words of at least two letters, none of which is of ASCII.
  func wordByteCount(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for word in bytes.split(whereSeparator: { $0 < 0x80 && !(0x41...0x5A).contains($0 & 0xDF) }) where word.count > 1 {
      // Quotation marks, dashes and the like stand beside words.
      for part in word.split(whereSeparator: { $0 >= 0x80 && !isLetter($0) }) where part.count > 1 && isWord(part) {
        count += part.count
      }
    }
    return count
  }

  private func isLetter(_ byte: UInt8) -> Bool { small.contains(byte) || capital.contains(byte) }

  private func isWord(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, let last = word.last, word.allSatisfy(isLetter) else { return false }
    guard !notInitial.contains(first), !notFinal.contains(last) else { return false }
    guard word.dropLast().allSatisfy({ !onlyFinal.contains($0) }) else { return false }
    guard vowels.isEmpty || word.contains(where: vowels.contains) else { return false }
    guard zip(word, word.dropFirst()).allSatisfy({ !marks.contains($1) || !notFinal.contains($0) }) else {
      return false
    }
    return zip(word, word.dropFirst()).allSatisfy { !(small.contains($0) && capital.contains($1)) }
  }

  private static func cyrillic(
    _ encoding: TextEncoding, small: [ClosedRange<UInt8>], capital: [ClosedRange<UInt8>]
  ) -> LetterPage {
    LetterPage(
      encoding, small: small, capital: capital, notInitial: "ъыьЪЫЬ",
      vowels: "аеёиоуыэюяіїєАЕЁИОУЫЭЮЯІЇЄ", byFrequency: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъіїєґ",
      frequentCount: 17)
  }

  static let all: [LetterPage] = [
    cyrillic(
      .cyrillic, small: [0xE0...0xFF, 0xB3...0xB4, 0xB8...0xB8, 0xBA...0xBA, 0xBF...0xBF],
      capital: [0xC0...0xDF, 0xA5...0xA5, 0xA8...0xA8, 0xAA...0xAA, 0xAF...0xAF, 0xB2...0xB2]),
    cyrillic(.russian, small: [0xC0...0xDF, 0xA3...0xA3], capital: [0xE0...0xFF, 0xB3...0xB3]),
    cyrillic(
      .dosRussian, small: [0xA0...0xAF, 0xE0...0xEF, 0xF1...0xF1], capital: [0x80...0x9F, 0xF0...0xF0]),
    LetterPage(
      .greek, small: [0xC0...0xC0, 0xDC...0xFE],
      capital: [0xC1...0xD1, 0xD3...0xDB, 0xA2...0xA2, 0xB8...0xBA, 0xBC...0xBC, 0xBE...0xBF],
      notFinal: "σβγδζθκλμπτφχψ", onlyFinal: "ς", vowels: "αεηιουωάέήίόύώϊϋΐΰΑΕΗΙΟΥΩΆΈΉΊΌΎΏΪΫ",
      byFrequency: "αοιετσνηυρπκμλςάόίέωήύδγχθώφβξζψϊϋΐΰ", frequentCount: 19),
    LetterPage(
      .hebrew, small: [0xE0...0xFA], notFinal: "מנצ", onlyFinal: "ךםןץ",
      byFrequency: "יוהלאתרשמבנםחפקדעכגצטסזןךףץ", frequentCount: 12),
    LetterPage(
      .arabic, small: [0xC0...0xD6, 0xD8...0xDF, 0xE1...0xE1, 0xE3...0xE6, 0xEC...0xED, 0xF0...0xF3],
      notInitial: "ةىئؤ\u{64B}\u{64C}\u{64D}\u{64E}", onlyFinal: "ةى",
      byFrequency: "اليمنروتبةدعسحفكقأجىهشخصطضزغذءثئظآإؤ", frequentCount: 17),
    LetterPage(
      .thai, small: [0xA1...0xDA, 0xE0...0xEE], notInitial: "ะัาำิีึืฺุูๅ็่้๊๋์ํ๎", notFinal: "เแโใไ",
      marks: "ะัาำิีึืฺุู็่้๊๋์ํ๎", byFrequency: "านรอกเงมยลวดท่ส้ัีิตคบปะไหแพชขจใุูถโ็ซณผธศืึฟญฝ", frequentCount: 24),
  ]
}
