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
  /// Of the letters of a script so many are among its commonest.
  private static let leastLetterShare = 0.55
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
    func consider(
      _ page: TextEncoding, _ commonByteCount: Int, _ frequentLetters: Set<Unicode.Scalar>, leastFrequentShare: Double
    ) {
      let share = Double(commonByteCount) / count
      guard share >= leastShare else { return }
      let letters = page.decoded(bytes).unicodeScalars.filter { $0.value >= 0x80 }
      let frequent = Double(letters.count { frequentLetters.contains($0) }) / Double(max(1, letters.count))
      guard frequent >= leastFrequentShare else { return }
      if share + frequent > best?.score ?? 0 { best = (page, share + frequent) }
    }
    let letterPages = LetterPage.all.filter { Double($0.wordByteCount(bytes)) >= leastShare * count }
    let likeliest = letterPages.max { $0.likelihood(bytes) < $1.likelihood(bytes) }
    if let page = likeliest {
      consider(page.encoding, page.wordByteCount(bytes), page.frequentLetters, leastFrequentShare: leastLetterShare)
    }
    guard !isWestern(bytes) else { return best?.page }
    for page in [japanese, chinese, traditionalChinese, korean, japaneseUnix] {
      // Pairs are common in many texts that are none of theirs.
      let least = max(
        leastFrequentShare, page == .traditionalChinese || page == .japaneseUnix ? Self.leastFrequentShare : 0)
      consider(page, page.pairedByteCount(bytes), page.frequentLetters, leastFrequentShare: least)
    }
    // Words of a script, if of seldom letters, are still none of Western Europe.
    return best?.page ?? (leastFrequentShare > 0 ? nil : likeliest?.encoding)
  }

  /// Whether accented letters stand alone among those of ASCII, as in the languages of Europe: no byte above ASCII
  /// beside most of them, and a letter of ASCII beside each.
  private static func isWestern(_ bytes: ArraySlice<UInt8>) -> Bool {
    func isLetter(_ index: Int) -> Bool { bytes.indices.contains(index) && (0x41...0x5A).contains(bytes[index] & 0xDF) }
    func isAlone(_ index: Int) -> Bool {
      let beside = [index - 1, index + 1].filter(bytes.indices.contains)
      return beside.allSatisfy { bytes[$0] < 0x80 || (0x91...0x97).contains(bytes[$0]) }
        && (isLetter(index - 1) || isLetter(index + 1))
    }
    let accented = bytes.indices.filter { bytes[$0] >= 0xC0 }
    return !accented.isEmpty && 2 * accented.count(where: isAlone) > accented.count
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
    case .japaneseUnix: trail >= 0xA1 && ((0xB0...0xCF).contains(lead) || [0xA1, 0xA4, 0xA5].contains(lead))
    case .korean: trail >= 0xA1 && ((0xB0...0xC8).contains(lead) || (0xA1...0xA3).contains(lead))
    case .traditionalChinese: (0xA1...0xC6).contains(lead) && (trail < 0x7F || trail >= 0xA1)
    default: (0x81...0x83).contains(lead) || (0x88...0x97).contains(lead)
    }
  }

  private var frequentLetters: Set<Unicode.Scalar> {
    switch self {
    case .japanese, .japaneseUnix: Self.kana
    case .chinese: Self.simplifiedCharacters
    case .traditionalChinese: Self.traditionalCharacters
    default: Self.syllables
    }
  }

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

  /// Signs of code page 1252 that are letters in 1250.
  private static let letterSigns: Set<UInt8> = [
    0x8D, 0x8F, 0x9D, 0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBA, 0xBC, 0xBE, 0xBF,
  ]

  /// Letters that a text has together in a language of another code page, and never in one of 1252: `all`, at least one
  /// of `some`, and none of `no`.
  private struct Company {
    let page: TextEncoding
    let all: Set<UInt8>
    var some: Set<UInt8> = []
    var no: Set<UInt8> = []

    func isIn(_ found: Set<UInt8>) -> Bool {
      all.isSubset(of: found) && (some.isEmpty || !some.isDisjoint(with: found)) && no.isDisjoint(with: found)
    }
  }

  private static let companies = [
    // Czech and Slovak: ř ě, ř č, ř ů, č ě š; ě with í or á; ň; ů between others.
    Company(page: .centralEuropean, all: [0xF8], some: [0xEC, 0xE8, 0xF9, 0xE1, 0xED, 0x9E]),
    Company(page: .centralEuropean, all: [0xEC], some: [0x9A, 0x9E, 0xED, 0xE1, 0xFD], no: [0xE0, 0xF2]),
    Company(
      page: .centralEuropean, all: [0xE8], some: [0x9A, 0x9E, 0xE6, 0xE1, 0xFD, 0xED], no: [0xE0, 0xF9, 0xF2, 0xE7]),
    // Hungarian: ő or ű with ö, ü and acute vowels.
    Company(page: .centralEuropean, all: [0xF5], some: [0xFB], no: [0xE3]),
    Company(page: .centralEuropean, all: [0xF5, 0xE1], some: [0xF6, 0xFC], no: [0xE3, 0xE7, 0xE4]),
    Company(page: .centralEuropean, all: [0xF5, 0xE9], some: [0xF6, 0xFC], no: [0xE3, 0xE7, 0xE4]),
    // Polish: ó with ć, ę, ń or ś. Croatian: ć with ž or š. Romanian: ţ with ă, â or î.
    Company(
      page: .centralEuropean, all: [0xF3], some: [0xE6, 0xEA, 0x9C],
      no: [0xE1, 0xE3, 0xE7, 0xE9, 0xED, 0xF0, 0xFA, 0xFE]),
    Company(page: .centralEuropean, all: [0xE6], some: [0x9E, 0x9A], no: [0xF8, 0xE5]),
    Company(page: .centralEuropean, all: [0xFE], some: [0xE3, 0xE2, 0xEE], no: [0xF0, 0xE6]),
    // Turkish: ğ, ı or ş with ü, ö or ç; Icelandic, which has these bytes, too, has neither ü nor ç.
    Company(
      page: .turkish, all: [0xFD], some: [0xFC, 0xE7, 0xFE, 0xDE], no: [0xE6, 0xE1, 0xED, 0xFA, 0xF3, 0xEC, 0xE8]),
    Company(page: .turkish, all: [0xFE], some: [0xFC, 0xE7], no: [0xE6, 0xE1, 0xED, 0xFA, 0xF3, 0xE3]),
    Company(page: .turkish, all: [0xF0], some: [0xFC, 0xE7], no: [0xE6, 0xE1, 0xED, 0xFA, 0xF3, 0xE3]),
    // Lithuanian and Latvian: š or ž with ą, č, ė, ē or ā; neither is in Icelandic with these.
    Company(page: .baltic, all: [0xF0], some: [0xE0, 0xE8, 0xEB, 0xE2, 0xEE, 0xE7], no: [0xFA, 0xF3, 0xFC, 0xFD]),
    Company(page: .baltic, all: [0xFE], some: [0xE0, 0xE8, 0xEB, 0xE7], no: [0xFA, 0xF3, 0xFC, 0xFD]),
  ]

  /// Code page 1250, 1254 or 1257 if letters of theirs are in words or together, otherwise 1252.
  private static func european(_ bytes: ArraySlice<UInt8>) -> TextEncoding {
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte >= 0xC0 }
    for index in bytes.indices where letterSigns.contains(bytes[index]) {
      let before = index > bytes.startIndex ? bytes[index - 1] : 0
      let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
      // "¿Qué", "£5" and "m³" begin or end words.
      if isLetter(before), isLetter(next) { return .centralEuropean }
      // As does Ł, but not in front of small letters.
      if bytes[index] == 0xA3, !isLetter(before), next >= 0x61 { return .centralEuropean }
    }
    // Lists mix languages, lines seldom do. Capitals count as the small letters 32 behind them.
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { line in
      Set(line.map { (0xC0...0xDE).contains($0) && $0 != 0xD7 ? $0 + 0x20 : $0 })
    }
    let pages = lines.compactMap { found in companies.first { $0.isIn(found) }?.page }
    return [centralEuropean, turkish, baltic].filter(pages.contains).max { one, two in
      pages.count { $0 == one } < pages.count { $0 == two }
    } ?? .western
  }
}
