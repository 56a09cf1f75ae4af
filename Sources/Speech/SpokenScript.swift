/// A script that a voice can read aloud, with the languages written in it.
enum SpokenScript: CaseIterable {
  case latin, cyrillic, greek, armenian, georgian, hebrew, arabic, ethiopic
  case devanagari, bengali, gurmukhi, gujarati, oriya, tamil, telugu, kannada, malayalam, sinhala, thai, myanmar
  case hangul, kana
  /// Chinese characters, which no voice reads: it says "Chinese letter".
  case han
  /// Any other letters.
  case unknown

  /// nil for what belongs to no script: digits, blanks, punctuation and marks on other letters.
  init?(_ scalar: Unicode.Scalar) {
    guard scalar.properties.isAlphabetic || scalar.properties.isIdeographic else { return nil }
    switch scalar.value {
    case 0x41...0x24F, 0x250...0x2FF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xFB00...0xFB06,
      0xFF21...0xFF5A:
      self = .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
    case 0x531...0x58F, 0xFB13...0xFB17: self = .armenian
    case 0x590...0x5FF, 0xFB1D...0xFB4F: self = .hebrew
    case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: self = .arabic
    case 0x900...0x97F, 0xA8E0...0xA8FF: self = .devanagari
    case 0x980...0x9FF: self = .bengali
    case 0xA00...0xA7F: self = .gurmukhi
    case 0xA80...0xAFF: self = .gujarati
    case 0xB00...0xB7F: self = .oriya
    case 0xB80...0xBFF: self = .tamil
    case 0xC00...0xC7F: self = .telugu
    case 0xC80...0xCFF: self = .kannada
    case 0xD00...0xD7F: self = .malayalam
    case 0xD80...0xDFF: self = .sinhala
    case 0xE00...0xE7F: self = .thai
    case 0x1000...0x109F: self = .myanmar
    case 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F: self = .georgian
    case 0x1200...0x139F, 0x2D80...0x2DDF: self = .ethiopic
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: self = .hangul
    case 0x3031...0x3035, 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
    case 0x3005...0x3007, 0x3100...0x312F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF:
      self = .han
    default: self = .unknown
    }
  }

  /// Languages of espeak-ng that are written in this script, the usual one first; none if no voice reads it.
  var languages: [String] {
    switch self {
    case .latin:
      [
        "en", "af", "az", "bs", "ca", "cs", "cy", "da", "de", "eo", "es", "et", "eu", "fi", "fr", "ga", "gd", "hr",
        "ht",
        "hu", "id", "is", "it", "la", "lb", "lt", "lv", "mi", "ms", "mt", "nb", "nl", "pl", "pt", "ro", "sk", "sl",
        "sq",
        "sv", "sw", "tr", "uz", "vi",
      ]
    case .cyrillic: ["ru", "ba", "be", "bg", "cv", "kk", "ky", "mk", "sr", "tt", "uk"]
    case .greek: ["el"]
    case .armenian: ["hy"]
    case .georgian: ["ka"]
    case .hebrew: ["he"]
    case .arabic: ["ar", "fa", "sd", "ug", "ur"]
    case .ethiopic: ["am"]
    case .devanagari: ["hi", "mr", "ne"]
    case .bengali: ["bn", "as"]
    case .gurmukhi: ["pa"]
    case .gujarati: ["gu"]
    case .oriya: ["or"]
    case .tamil: ["ta"]
    case .telugu: ["te"]
    case .kannada: ["kn"]
    case .malayalam: ["ml"]
    case .sinhala: ["si"]
    case .thai: ["th"]
    case .myanmar: ["my"]
    case .hangul: ["ko"]
    case .kana: ["ja"]
    case .han, .unknown: []
    }
  }

  /// The voice for this script: that of the first language that is written in it, else the usual one.
  func voice(preferring languages: [String?]) -> String? {
    languages.lazy.compactMap { $0 }.first { self.languages.contains($0) } ?? self.languages.first
  }
}

/// The names of languages in tags and locales.
package enum LanguageCode {
  /// The code of ISO 639-1 in a tag such as `deu`, `ger`, `de-AT`, `de_DE.UTF-8` or `German`; nil if it is none of those
  /// that are known.
  package static func code(of text: String) -> String? {
    let word = text.lowercased().prefix { $0.isLetter && $0.isASCII }
    if word.count == 2 { return word == "no" || word == "nn" ? "nb" : String(word) }
    return others[String(word)]
  }

  /// By the codes of ISO 639-2, both kinds, and English names.
  private static let others: [String: String] = {
    let lines = """
      ar ara arabic,be bel belarusian,bg bul bulgarian,bn ben bengali,ca cat catalan,cs ces cze czech,cy cym wel welsh,
      da dan danish,de deu ger german,el ell gre greek,en eng english,es spa spanish,et est estonian,eu eus baq basque,
      fa fas per persian,fi fin finnish,fr fra fre french,ga gle irish,gu guj gujarati,he heb hebrew,hi hin hindi,
      hr hrv croatian,hu hun hungarian,hy hye arm armenian,id ind indonesian,is isl ice icelandic,it ita italian,
      ja jpn japanese,ka kat geo georgian,kk kaz kazakh,kn kan kannada,ko kor korean,la lat latin,lt lit lithuanian,
      lv lav latvian,mk mkd mac macedonian,ml mal malayalam,mr mar marathi,ms msa may malay,mt mlt maltese,
      nb nob nor nno norwegian,ne nep nepali,nl nld dut dutch,pa pan punjabi,pl pol polish,pt por portuguese,
      ro ron rum romanian,ru rus russian,si sin sinhala,sk slk slo slovak,sl slv slovenian,sq sqi alb albanian,
      sr srp serbian,sv swe swedish,sw swa swahili,ta tam tamil,te tel telugu,th tha thai,tr tur turkish,
      uk ukr ukrainian,ur urd urdu,vi vie vietnamese,zh zho chi chinese
      """
    var codes: [String: String] = [:]
    for line in lines.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      let words = line.split(separator: " ").map(String.init)
      for word in words.dropFirst() { codes[word] = words[0] }
    }
    return codes
  }()
}
