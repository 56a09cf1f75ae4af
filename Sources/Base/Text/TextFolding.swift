/// Folds text for searches: without case and accents.
///
/// Letters become lower case by the mapping of Unicode, independent of the locale. Accents of Latin, Greek, Cyrillic,
/// Hebrew and kana are dropped, precomposed or combining; those of Arabic only if combining. `ß` becomes `ss`, `æ`
/// `ae`, `ø` `o`; full-width forms become ASCII. Hangul syllables stay as they are, precomposed or decomposed.
package enum TextFolding {
  /// - Complexity: O(n), with a fast path for ASCII.
  package static func fold(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isPlain = true
    for byte in text.utf8 {
      guard byte < 0x80 else {
        isPlain = false
        break
      }
      bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }
    return isPlain ? String(decoding: bytes, as: UTF8.self) : foldScalars(text)
  }

  private static func foldScalars(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
      } else if scalar.value < frequentLimit {
        bytes.append(contentsOf: frequent[Int(scalar.value)])
      } else {
        bytes.append(contentsOf: folded(scalar))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The folded letters of Latin, Greek and Cyrillic, computed once.
  private static let frequentLimit: UInt32 = 0x530
  private static let frequent: [[UInt8]] = (0..<frequentLimit).map { Unicode.Scalar($0).map(folded) ?? [] }

  private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
    var result = String.UnicodeScalarView()
    for lower in lowercased(scalar) where !isAccent(lower) {
      if let base = bases[lower] { result.append(contentsOf: base) } else { result.append(plain(lower)) }
    }
    return Array(String(result).utf8)
  }

  private static func lowercased(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    scalar.isASCII && !("A"..."Z").contains(scalar)
      ? String.UnicodeScalarView([scalar]) : scalar.properties.lowercaseMapping.unicodeScalars
  }

  /// Full-width ASCII as plain ASCII.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
    case 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    case 0x3099...0x309A, 0xFE20...0xFE2F: true
    default: false
    }
  }

  private static let bases: [Unicode.Scalar: String.UnicodeScalarView] = {
    var bases: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for (base, variants) in letters {
      for variant in variants.unicodeScalars { bases[variant] = base.unicodeScalars }
    }
    return bases
  }()
}

extension TextFolding {
  /// Lower-case letters of Latin, Greek, Cyrillic and kana with their folded form: those that Unicode decomposes into
  /// a letter and marks, and those that people type as plain letters (`ø`, `ß`, `ł`).
  static let letters: [(base: String, variants: String)] = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ("ae", "æǣǽ"),
    ("b", "ḃḅḇ"),
    ("c", "çćĉċčḉ"),
    ("d", "ðďđḋḍḏḑḓ"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ḟ"),
    ("g", "ĝğġģǧǵḡ"),
    ("h", "ĥħȟḣḥḧḩḫẖ"),
    ("i", "ìíîïĩīĭįıǐȉȋḭḯỉị"),
    ("ij", "ĳ"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵ"),
    ("l", "ĺļľłḷḹḻḽ"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňŋǹṅṇṉṋ"),
    ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ("oe", "œ"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšſșṡṣṥṧṩẛ"),
    ("ss", "ß"),
    ("t", "ţťŧțṫṭṯṱẗ"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕ"),
    ("ʒ", "ǯ"),
    ("α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"),
    ("ε", "έἐἑἒἓἔἕὲέ"),
    ("η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"),
    ("ι", "ΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ"),
    ("ο", "όὀὁὂὃὄὅὸό"),
    ("ρ", "ῤῥ"),
    ("σ", "ς"),
    ("υ", "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"),
    ("ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"),
    ("а", "ӑӓ"),
    ("г", "ѓ"),
    ("е", "ѐёӗ"),
    ("ж", "ӂӝ"),
    ("з", "ӟ"),
    ("и", "йѝӣӥ"),
    ("к", "ќ"),
    ("о", "ӧ"),
    ("у", "ўӯӱӳ"),
    ("ч", "ӵ"),
    ("ы", "ӹ"),
    ("э", "ӭ"),
    ("і", "ї"),
    ("ѵ", "ѷ"),
    ("ә", "ӛ"),
    ("ө", "ӫ"),
    ("う", "ゔ"),
    ("か", "が"),
    ("き", "ぎ"),
    ("く", "ぐ"),
    ("け", "げ"),
    ("こ", "ご"),
    ("さ", "ざ"),
    ("し", "じ"),
    ("す", "ず"),
    ("せ", "ぜ"),
    ("そ", "ぞ"),
    ("た", "だ"),
    ("ち", "ぢ"),
    ("つ", "づ"),
    ("て", "で"),
    ("と", "ど"),
    ("は", "ばぱ"),
    ("ひ", "びぴ"),
    ("ふ", "ぶぷ"),
    ("へ", "べぺ"),
    ("ほ", "ぼぽ"),
    ("ゝ", "ゞ"),
    ("ウ", "ヴ"),
    ("カ", "ガ"),
    ("キ", "ギ"),
    ("ク", "グ"),
    ("ケ", "ゲ"),
    ("コ", "ゴ"),
    ("サ", "ザ"),
    ("シ", "ジ"),
    ("ス", "ズ"),
    ("セ", "ゼ"),
    ("ソ", "ゾ"),
    ("タ", "ダ"),
    ("チ", "ヂ"),
    ("ツ", "ヅ"),
    ("テ", "デ"),
    ("ト", "ド"),
    ("ハ", "バパ"),
    ("ヒ", "ビピ"),
    ("フ", "ブプ"),
    ("ヘ", "ベペ"),
    ("ホ", "ボポ"),
    ("ワ", "ヷ"),
    ("ヰ", "ヸ"),
    ("ヱ", "ヹ"),
    ("ヲ", "ヺ"),
    ("ヽ", "ヾ"),
  ]
}
