internal import Glibc

/// An encoding in which programs have written text without naming it.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case western = "CP1252"
  case centralEuropean = "CP1250"
  case cyrillic = "CP1251"
  case russian = "KOI8-R"
  case japanese = "CP932"
  case japaneseUnix = "EUC-JP"
  /// All that GBK and GB2312 have, and more.
  case chinese = "GB18030"
  case traditionalChinese = "BIG5"
  case korean = "CP949"
  case greek = "CP1253"
  case turkish = "CP1254"
  case hebrew = "CP1255"
  case arabic = "CP1256"
  case baltic = "CP1257"
  case thai = "CP874"
  case dosRussian = "CP866"
  // Only if they are named.
  case vietnamese = "CP1258"
  case dosAmerican = "CP437"
  case dosWestern = "CP850"

  /// By the number that Windows gives it; nil for 0, which names none, and for those that are not read.
  package init?(windowsCodePage: Int) {
    switch windowsCodePage {
    case 65001: self = .utf8
    case 1200: self = .utf16LittleEndian
    case 1201: self = .utf16BigEndian
    case 1252, 28591, 28605: self = .western
    case 1250, 28592: self = .centralEuropean
    case 1251: self = .cyrillic
    case 20866: self = .russian
    case 932: self = .japanese
    case 20932, 51932: self = .japaneseUnix
    case 936, 20936, 54936: self = .chinese
    case 950: self = .traditionalChinese
    case 949, 51949: self = .korean
    case 1253, 28597: self = .greek
    case 1254, 28599: self = .turkish
    case 1255, 28598, 38598: self = .hebrew
    case 1256, 28596: self = .arabic
    case 1257, 28594, 28603: self = .baltic
    case 1258: self = .vietnamese
    case 874, 28601: self = .thai
    case 437: self = .dosAmerican
    case 850: self = .dosWestern
    case 866: self = .dosRussian
    default: return nil
    }
  }

  /// By a name that documents declare, in lower case: `windows-1251`, `iso-8859-5`, `gbk`. nil for those that are not read.
  package init?(name: String) {
    let others = [
      "utf-8": 65001, "us-ascii": 1252, "latin1": 1252, "latin-1": 1252, "koi8-r": 20866, "shift_jis": 932, "sjis": 932,
      "windows-31j": 932, "euc-jp": 51932, "gbk": 936, "gb2312": 936, "gb18030": 54936, "big5": 950, "euc-kr": 949,
      "tis-620": 874,
    ]
    let numbered = [("windows-", 0), ("cp", 0), ("ibm", 0), ("iso-8859-", 28590)].lazy.compactMap { prefix, base in
      name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)).map { base + $0 } : nil
    }.first
    guard let number = others[name] ?? numbered else { return nil }
    self.init(windowsCodePage: number)
  }

  /// The text without a byte order mark; bytes without a meaning become U+FFFD.
  package func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    switch self {
    case .utf8:
      return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes, as: UTF8.self)
    case .utf16LittleEndian: return LegacyText.decoded([0xFF, 0xFE] + bytes)
    case .utf16BigEndian: return LegacyText.decoded([0xFE, 0xFF] + bytes)
    case .western: return LegacyText.western(bytes)
    default: return converted(bytes) ?? LegacyText.western(bytes)
    }
  }

  // MARK: Tables of the C library

  /// Keeps the tables of all encodings in memory. Call this in a process that may not open files later.
  package static func load() { _ = converters }

  /// Open as long as the process lives, so that the C library keeps their tables.
  private static let converters: [Int] = allCases.filter(\.hasTable).map {
    Int(bitPattern: iconv_open("UTF-8", $0.rawValue))
  }

  private var hasTable: Bool {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .western: false
    default: true
    }
  }

  /// nil if the C library has no table for it.
  private func converted(_ bytes: ArraySlice<UInt8>) -> String? {
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
        // Vietnamese and Hebrew letters wait for a mark behind them.
        _ = iconv(converter, nil, nil, &output, &outputCount)
        return capacity - outputCount
      }
    }
    return String(decoding: text[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
