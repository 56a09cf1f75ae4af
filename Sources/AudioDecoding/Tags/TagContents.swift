internal import Base
import MediaModel

/// What a tag says, whatever its kind: texts under the library's names, and pictures.
struct TagContents {
  /// Which encoding a tag gives to a text.
  enum Encoding: Hashable {
    case latin1, utf8
    /// With a byte order mark, which some programs leave out.
    case utf16, utf16BigEndian
    /// None, or one for all texts, by the code page of the tag.
    case none, page(TextEncoding)
  }

  /// A value, as it stands in the file.
  struct Text {
    var name: String
    var bytes: [UInt8]
    var encoding: Encoding
  }

  struct Picture {
    /// As in ID3v2; 3 is the front cover.
    var type: Int
    var mimeType: String
    var caption: [UInt8]
    var encoding: Encoding
    var bytes: [UInt8]
  }

  private(set) var texts: [Text] = []
  private(set) var pictures: [Picture] = []
  private var textByteCount = 0
  private var pictureByteCount = 0
  /// Whether something was left out or repaired, because it is not as the standard of the tag has it.
  var isOdd = false
  /// Whether there is more than is kept.
  var isTruncated = false

  /// UTF-16 of the longest value, and a bit more, which shows that there is more.
  static let maximumBodyByteCount = 1 << 20

  mutating func add(_ name: String, _ bytes: some Sequence<UInt8>, _ encoding: Encoding) {
    guard texts.count < TagLimits.maximumValueCount, textByteCount < TagLimits.maximumTextByteCount else {
      isTruncated = true
      return
    }
    // In UTF-16 with marks and four bytes for a character no more is kept.
    let limit = 2 * TagLimits.maximumValueByteCount + 16
    var bytes = Array(bytes.prefix(limit))
    if bytes.count == limit, encoding == .utf8 {
      // Not in the middle of a character.
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    textByteCount += bytes.count
    texts.append(Text(name: name, bytes: bytes, encoding: encoding))
  }

  mutating func add(_ name: String, _ text: String) { add(name, text.utf8, .utf8) }

  mutating func add(
    picture type: Int, mimeType: String, caption: [UInt8] = [], encoding: Encoding = .utf8, bytes: [UInt8]
  ) {
    guard !bytes.isEmpty else { return }
    guard pictures.count < TagLimits.maximumPictureCount, bytes.count <= TagLimits.maximumPictureByteCount,
      pictureByteCount + bytes.count <= TagLimits.maximumPicturesByteCount
    else {
      isTruncated = true
      return
    }
    pictureByteCount += bytes.count
    pictures.append(
      Picture(type: type, mimeType: mimeType, caption: Array(caption.prefix(4096)), encoding: encoding, bytes: bytes))
  }

  /// Whether a value of this name is there.
  func has(_ name: String) -> Bool { texts.contains { $0.name == name } }

  // MARK: Texts

  /// Decodes texts of one tag, whose misnamed encodings are guessed from all of them together.
  struct Decoder {
    /// Instead of Latin-1; nil if the texts are what they claim.
    private let latin1: TextEncoding?
    /// Of texts that are neither UTF-8 nor of a named encoding.
    private let unnamed: TextEncoding
    private(set) var isGuess = false

    init(_ texts: [Text]) {
      var (claimed, broken): ([UInt8], [UInt8]) = ([], [])
      for text in texts {
        switch text.encoding {
        case .latin1:
          if !LegacyText.isWide(text.bytes), text.bytes.contains(where: { $0 >= 0x80 }) { claimed += text.bytes + [10] }
        case .utf8, .none:
          if Decoder.isLegacy(text.bytes), text.encoding != .none || !Decoder.isWide(text.bytes) {
            broken += text.bytes + [10]
          }
        default: break
        }
      }
      latin1 = claimed.isEmpty ? nil : TextEncoding.contradicting(latin1: claimed)
      unnamed = broken.isEmpty ? .western : TextEncoding.likeliest(of: broken)
    }

    /// Whether bytes are not UTF-8, and not UTF-8 that was damaged either.
    private static func isLegacy(_ bytes: [UInt8]) -> Bool {
      guard String(validating: bytes, as: UTF8.self) == nil else { return false }
      // Two bytes that belong together are no accident, unless they are in every text of an East Asian code page.
      let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
      return text.count { $0.value >= 0x80 && $0.value != 0xFFFD } < text.count { $0.value == 0xFFFD }
    }

    private static func isWide(_ bytes: [UInt8]) -> Bool {
      LegacyText.isWide(bytes) || TextEncoding.wide(bytes) != nil
    }

    mutating func decoded(_ text: Text) -> String { decoded(text.bytes, text.encoding) }

    mutating func decoded(_ bytes: [UInt8], _ encoding: Encoding) -> String {
      switch encoding {
      case .latin1:
        if LegacyText.isWide(bytes) { return guessed(Self.wide(bytes, orElse: .utf16LittleEndian)) }
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return latin1.map { guessed($0.decoded(bytes[...])) } ?? LegacyText.western(bytes[...])
      case .utf8: return String(validating: bytes, as: UTF8.self) ?? guessed(repaired(bytes))
      case .utf16:
        if LegacyText.isWide(bytes) { return Self.wide(bytes, orElse: .utf16LittleEndian) }
        return bytes.count < 2 ? "" : guessed(Self.wide(bytes, orElse: .utf16LittleEndian))
      case .utf16BigEndian:
        return LegacyText.isWide(bytes)
          ? Self.wide(bytes, orElse: .utf16BigEndian) : TextEncoding.utf16BigEndian.decoded(bytes[...])
      case .page(let page):
        return String(validating: bytes, as: UTF8.self) ?? page.decoded(bytes[...])
      case .none:
        if Self.isWide(bytes) { return guessed(Self.wide(bytes, orElse: .utf16LittleEndian)) }
        return String(validating: bytes, as: UTF8.self) ?? guessed(repaired(bytes))
      }
    }

    private func repaired(_ bytes: [UInt8]) -> String {
      Self.isLegacy(bytes) ? unnamed.decoded(bytes[...]) : String(decoding: bytes, as: UTF8.self)
    }

    private mutating func guessed(_ text: String) -> String {
      isGuess = true
      return text
    }

    /// With the mark, or in the order that fits; marks that are doubled are dropped.
    private static func wide(_ bytes: [UInt8], orElse usual: TextEncoding) -> String {
      if LegacyText.isWide(bytes) {
        return String(LegacyText.decoded(bytes[...]).unicodeScalars.drop { $0 == "\u{FEFF}" })
      }
      let zeros = [0, 1].map { half in bytes.indices.count { $0 & 1 == half && bytes[$0] == 0 } }
      let encoding: TextEncoding =
        zeros[0] == zeros[1] ? usual : zeros[0] > zeros[1] ? .utf16BigEndian : .utf16LittleEndian
      return encoding.decoded(bytes[...])
    }
  }
}
