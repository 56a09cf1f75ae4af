/// Text whose encoding nothing names: UTF-16, UTF-8, or one of the code pages of ``TextEncoding``.
///
/// The only place at which encodings are guessed: for tags of every container, CUE sheets, playlists and lyrics. The code
/// page is guessed from all of the text at once, because a single name says too little.
package struct GuessedText {
  package let text: String
  package let encoding: TextEncoding
  /// Whether the encoding is a guess: the bytes are neither ASCII nor UTF-8, and have no mark of UTF-16.
  package let isGuess: Bool

  package init(_ bytes: [UInt8]) {
    if LegacyText.isWide(bytes) {
      (encoding, isGuess) = (bytes[0] == 0xFF ? .utf16LittleEndian : .utf16BigEndian, false)
      text = LegacyText.decoded(bytes[...])
      return
    }
    let found = TextEncoding.likeliest(of: bytes)
    encoding = found
    isGuess = found != .utf8
    text = found.decoded(bytes[...])
  }

  package static func decoded(_ bytes: [UInt8]) -> String { GuessedText(bytes).text }
}

extension TextEncoding {
  /// At least this share of the bytes above ASCII must be what an encoding has for common letters.
  private static let leastShare = 0.6
  /// The same, and for texts of pairs the share of very common characters, for bytes of which a file claims something
  /// else.
  private static let leastShareAgainstClaim = 0.9
  private static let leastFrequentShare = 0.15
  private static let leastByteCount = 4
  /// More bytes than this say nothing new.
  private static let maximumByteCount = 64 << 10

  /// The encoding of bytes without a mark, if nothing names it.
  package static func likeliest(of bytes: [UInt8]) -> TextEncoding {
    if let wide = wide(bytes) { return wide }
    if String(validating: bytes, as: UTF8.self) != nil { return .utf8 }
    let sample = bytes.prefix(maximumByteCount)
    return likeliestPage(sample, leastShare: leastShare, leastFrequentShare: 0) ?? european(sample)
  }

  /// The encoding of bytes that a file claims to be Latin-1, if they are surely something else; nil for Latin-1.
  package static func contradicting(latin1 bytes: [UInt8]) -> TextEncoding? {
    let count = bytes.count { $0 >= 0x80 }
    guard count > 0 else { return nil }
    if String(validating: bytes, as: UTF8.self) != nil { return .utf8 }
    let sample = bytes.prefix(maximumByteCount)
    // Neither Latin-1 nor code page 1252 has letters there.
    if sample.contains(where: { [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }) {
      return likeliestPage(sample, leastShare: leastShare, leastFrequentShare: 0)
    }
    return likeliestPage(sample, leastShare: leastShareAgainstClaim, leastFrequentShare: leastFrequentShare)
  }

  /// UTF-16 without a mark: in nearly all text that programs write, the high byte of many units is 0.
  package static func wide(_ bytes: [UInt8]) -> TextEncoding? {
    guard bytes.count >= 2, let last = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
    var zeros = [0, 0]
    // Those behind the text say nothing.
    for (index, byte) in bytes[..<last].enumerated() where byte == 0 { zeros[index & 1] += 1 }
    guard max(zeros[0], zeros[1]) > last / 8, min(zeros[0], zeros[1]) == 0 else { return nil }
    return zeros[1] > zeros[0] ? .utf16LittleEndian : .utf16BigEndian
  }

  // MARK: Code pages

  private static func likeliestPage(
    _ bytes: ArraySlice<UInt8>, leastShare: Double, leastFrequentShare: Double
  ) -> TextEncoding? {
    let byteCount = bytes.count { $0 >= 0x80 }
    guard byteCount >= leastByteCount else { return nil }
    let count = Double(byteCount)
    var best: (page: TextEncoding, score: Double)?
    for page in [cyrillic, russian, japanese, chinese, traditionalChinese, korean] {
      let share = Double(page.commonByteCount(bytes)) / count
      guard share >= leastShare else { continue }
      let letters = page.decoded(bytes).unicodeScalars.filter { $0.value >= 0x80 }
      let frequent = Double(letters.count { page.frequentLetters.contains($0) }) / Double(max(1, letters.count))
      // Pairs are common in many texts that are none of theirs.
      guard frequent >= max(leastFrequentShare, page == .traditionalChinese ? Self.leastFrequentShare : 0) else {
        continue
      }
      if share + frequent > best?.score ?? 0 { best = (page, share + frequent) }
    }
    return best?.page
  }

  /// How many bytes above ASCII belong to letters that are common in texts of the code page.
  private func commonByteCount(_ bytes: ArraySlice<UInt8>) -> Int {
    switch self {
    case .cyrillic: Self.wordByteCount(bytes, small: 0xE0...0xFF, capital: 0xC0...0xDF, others: [0xA8, 0xB8])
    case .russian: Self.wordByteCount(bytes, small: 0xC0...0xDF, capital: 0xE0...0xFF, others: [0xA3, 0xB3])
    default: pairedByteCount(bytes)
    }
  }

  /// Bytes in words of at least two letters, in which no capital follows a small letter, and no letter is of ASCII.
  private static func wordByteCount(
    _ bytes: ArraySlice<UInt8>, small: ClosedRange<UInt8>, capital: ClosedRange<UInt8>, others: Set<UInt8>
  ) -> Int {
    var count = 0
    for word in bytes.split(whereSeparator: { $0 < 0x80 && !(0x41...0x5A).contains($0 & 0xDF) }) where word.count > 1 {
      guard word.allSatisfy({ $0 >= 0x80 }) else { continue }
      let isWord = zip(word, word.dropFirst()).allSatisfy { !(small.contains($0) && capital.contains($1)) }
      if isWord { count += word.count { small.contains($0) || capital.contains($0) || others.contains($0) } }
    }
    return count
  }

  /// Bytes of pairs that are kana, syllables or common characters. In most code pages a second byte may be ASCII.
  private func pairedByteCount(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
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
    return self == .japanese
      ? (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead) : (0x81...0xFE).contains(lead)
  }

  /// Punctuation, kana, syllables and the first level of characters, which are sorted by sound or strokes and much
  /// commoner than the rest.
  private func isCommon(_ lead: UInt8, _ trail: UInt8) -> Bool {
    switch self {
    case .chinese: trail >= 0xA1 && ((0xB0...0xD7).contains(lead) || (0xA1...0xA3).contains(lead))
    case .korean: trail >= 0xA1 && ((0xB0...0xC8).contains(lead) || (0xA1...0xA3).contains(lead))
    case .traditionalChinese: (0xA1...0xC6).contains(lead) && (trail < 0x7F || trail >= 0xA1)
    default: (0x81...0x83).contains(lead) || (0x88...0x97).contains(lead)
    }
  }

  private var frequentLetters: Set<Unicode.Scalar> {
    switch self {
    case .cyrillic, .russian: Self.cyrillicLetters
    case .japanese: Self.kana
    case .chinese: Self.simplifiedCharacters
    case .traditionalChinese: Self.traditionalCharacters
    default: Self.syllables
    }
  }

  private static let cyrillicLetters = Set("оеаинтсрвлкмдпуяыОЕАИНТСРВЛКМДПУЯ".unicodeScalars)
  private static let kana = Set(
    ((0x3041...0x3096).map { $0 } + (0x30A1...0x30FE).map { $0 }).compactMap { Unicode.Scalar($0 as UInt32) }
  ).union("、。・「」の日本人大年一月国島山川田村木林森橋雨雪風春夏秋冬生出上東京時分中子見行少女空海星夜花愛恋歌音楽曲".unicodeScalars)
  /// Of texts, names and titles.
  private static let simplifiedCharacters = Set(
    ("的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还"
      + "发成事只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长知样现意等月因其此情最音乐歌曲爱风雨花夜梦春秋雪海云水星光"
      + "红白黑青明东西南北山河张王李刘陈林周邓杨吴黄赵孙徐朱专辑精选流行儿童独奏钢琴笑泪思念远走飞鸟城市故乡朋友永").unicodeScalars)
  private static let traditionalCharacters = Set(
    ("的一是不了人我在有他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還"
      + "發成事只作當想看文無開手用主行方又如前所本見經頭面公同三已老從動兩長知樣現意等月因其此情最音樂歌曲愛風雨花夜夢春秋雪海雲水星光"
      + "紅白黑青明東西南北山河張王李劉陳林周鄧楊吳黃趙孫徐朱專輯精選流行兒童獨奏鋼琴笑淚思念遠走飛鳥城市故鄉朋友永").unicodeScalars)
  private static let syllables = Set(
    ("이다는에의가을사고하지어나아그대랑한인해리자기도시노래너라마서스정은오우를로내네일보부여요수안간길눈날말밤비별게있없때람바다달"
      + "김박최윤강조장임신송유전홍문양배백허남심구성진영민현준지은미소희연경숙화원선동상주봄여름가을겨울사랑이별눈물하늘꽃당신안녕친구만의생"
      + "각마음오늘우린제발").unicodeScalars)

  // MARK: Languages of Europe

  /// Signs of code page 1252 that are letters in 1250, and the signs of Czech and Hungarian letters that no text in 1252
  /// has together.
  private static let letterSigns: Set<UInt8> = [0x8D, 0x8F, 0x9D, 0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBC, 0xBE, 0xBF]
  private static let companies: [Set<UInt8>] = [
    [0xF8, 0xEC], [0xF8, 0xE8], [0xF8, 0xF9], [0xF5, 0xFB], [0xE8, 0xEC, 0x9A],
  ]

  /// Code page 1250 if letters of its own stand in words, otherwise 1252.
  private static func european(_ bytes: ArraySlice<UInt8>) -> TextEncoding {
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte >= 0xC0 }
    for index in bytes.indices.dropFirst() where letterSigns.contains(bytes[index]) {
      let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
      // "¿Qué", "£5" and "m³" begin or end words.
      if isLetter(bytes[index - 1]), isLetter(next) { return .centralEuropean }
    }
    let found = Set(bytes)
    return companies.contains { $0.isSubset(of: found) } ? .centralEuropean : .western
  }
}
