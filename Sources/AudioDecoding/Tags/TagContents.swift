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

    var isPage: Bool { if case .page = self { true } else { false } }
  }

  /// A value, as it stands in the file.
  struct Text {
    var name: String
    var bytes: [UInt8]
    var encoding: Encoding
    /// What the tag calls it, if that says more than the name.
    var source = ""
    /// What a performer plays, which is part of the value: `Nora Vale (violin)`.
    var instrument: String?
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
  /// What the tag calls the item whose texts are added next.
  var source = ""
  private(set) var pictures: [Picture] = []
  private var textByteCount = 0
  private var pictureByteCount = 0
  /// Whether something was left out or repaired, because it is not as the standard of the tag has it.
  var isOdd = false
  /// Whether there is more than is kept.
  var isTruncated = false

  /// UTF-16 of the longest value, and a bit more, which shows that there is more.
  static let maximumBodyByteCount = 1 << 20

  mutating func add(
    _ name: String, _ bytes: some Sequence<UInt8>, _ encoding: Encoding, instrument: String? = nil
  ) {
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
    texts.append(Text(name: name, bytes: bytes, encoding: encoding, source: source, instrument: instrument))
  }

  mutating func add(_ name: String, _ text: String) { add(name, text.utf8, .utf8) }

  mutating func add(
    picture type: Int, mimeType: String, caption: [UInt8] = [], encoding: Encoding = .utf8, bytes: [UInt8]
  ) {
    // An address is no picture (ID3v2.4.0-frames, section 4.14; FLAC has it, too).
    guard !bytes.isEmpty, !mimeType.hasSuffix("-->") else { return }
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

  /// Gives what was added under a name another one.
  mutating func rename(_ name: String, _ other: String) {
    for index in texts.indices where texts[index].name == name { texts[index].name = other }
  }

  /// Whether a value of this name is there.
  func has(_ name: String) -> Bool { texts.contains { $0.name == name } }

  // MARK: Texts

  /// Whether a text of a tag without encodings is UTF-16, although it has no mark.
  static func hasWideTexts(_ tag: RawTag) throws(DecodingError) -> Bool {
    for item in tag.items {
      if TextEncoding.isWideWithoutMark(try tag.body(item, limit: maximumBodyByteCount)) { return true }
    }
    return false
  }

  /// A text up to the NUL at its end, which in UTF-16 is a unit.
  static func endingAtNUL(_ bytes: [UInt8], amongWide: Bool) -> ArraySlice<UInt8> {
    guard Decoder.isWide(bytes, amongWide: amongWide) else { return bytes.prefix { $0 != 0 } }
    let end = stride(from: 0, to: bytes.count - 1, by: 2).first { bytes[$0] == 0 && bytes[$0 + 1] == 0 }
    return bytes[..<(end ?? bytes.count)]
  }

  /// Decodes texts of one tag, whose misnamed encodings are guessed from all of them together.
  struct Decoder {
    /// Instead of Latin-1; nil if the texts are what they claim.
    private let latin1: TextEncoding?
    /// Of texts that are neither UTF-8 nor of a named encoding; nil if all of them are UTF-8, whole or damaged.
    private let unnamed: TextEncoding?
    /// Whether texts without a named encoding are UTF-16.
    private let hasWideTexts: Bool
    /// Of UTF-16 without a mark.
    private let order: TextEncoding
    private(set) var isGuess = false

    init(_ texts: [Text]) {
      hasWideTexts = texts.contains { $0.encoding == .none && TextEncoding.isWideWithoutMark($0.bytes) }
      var (claimed, broken): ([UInt8], [UInt8]) = ([], [])
      var wide: [[UInt8]] = []
      var isLegacy = false
      for text in texts where !LegacyText.isWide(text.bytes) {
        switch text.encoding {
        case .latin1:
          if text.bytes.contains(where: { $0 >= 0x80 }) { claimed += text.bytes + [10] }
        case .none where Self.isWide(text.bytes, amongWide: hasWideTexts): wide.append(text.bytes)
        case .utf8, .none:
          guard String(validating: text.bytes, as: UTF8.self) == nil else { break }
          broken += text.bytes + [10]
          if !Self.isDamaged(text.bytes) { isLegacy = true }
        case .utf16: wide.append(text.bytes)
        case .utf16BigEndian, .page: break
        }
      }
      latin1 = claimed.isEmpty ? nil : TextEncoding.contradicting(latin1: claimed)
      // Pairs that happen to be UTF-8 are in the code page of the other texts.
      unnamed = isLegacy ? TextEncoding.likeliest(of: broken) : nil
      order = Self.order(of: wide)
    }

    /// Whether bytes that are not UTF-8 once were: two that belong together are no accident, unless they are in every text of
    /// an East Asian code page.
    private static func isDamaged(_ bytes: [UInt8]) -> Bool {
      let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
      return text.count { $0.value >= 0x80 && $0.value != 0xFFFD } >= text.count { $0.value == 0xFFFD }
    }

    /// Whether a text of no named encoding is UTF-16: without zeros, only if other texts of the tag are, and it has control
    /// characters otherwise.
    static func isWide(_ bytes: [UInt8], amongWide: Bool) -> Bool {
      if LegacyText.isWide(bytes) || TextEncoding.wide(bytes) != nil { return true }
      guard amongWide, bytes.count % 2 == 0, let last = bytes.lastIndex(where: { $0 != 0 }) else { return false }
      return bytes[...last].contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The order in which the high bytes of units without a mark come: more of them are 0, or they differ less.
    private static func order(of texts: [[UInt8]]) -> TextEncoding {
      var (zeros, values): ([Int], [Set<UInt8>]) = ([0, 0], [[], []])
      for text in texts {
        for (index, byte) in text.enumerated() {
          if byte == 0 { zeros[index & 1] += 1 }
          values[index & 1].insert(byte)
        }
      }
      if zeros[0] != zeros[1] { return zeros[0] > zeros[1] ? .utf16BigEndian : .utf16LittleEndian }
      return values[0].count < values[1].count ? .utf16BigEndian : .utf16LittleEndian
    }

    mutating func decoded(_ text: Text) -> String { decoded(text.bytes, text.encoding) }

    mutating func decoded(_ bytes: [UInt8], _ encoding: Encoding) -> String {
      // In a named code page these are letters.
      if LegacyText.isWide(bytes), !encoding.isPage {
        if encoding != .utf16, encoding != .utf16BigEndian { isGuess = true }
        // Marks that are doubled are dropped.
        return String(LegacyText.decoded(bytes[...]).unicodeScalars.drop { $0 == "\u{FEFF}" })
      }
      switch encoding {
      case .latin1:
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return latin1.map { guessed($0.decoded(bytes[...])) } ?? LegacyText.western(bytes[...])
      case .utf16: return bytes.count < 2 ? "" : guessed(order.decoded(bytes[...]))
      case .utf16BigEndian: return TextEncoding.utf16BigEndian.decoded(bytes[...])
      case .none where Self.isWide(bytes, amongWide: hasWideTexts): return guessed(order.decoded(bytes[...]))
      case .utf8, .none, .page:
        guard String(validating: bytes, as: UTF8.self) == nil else { return TextEncoding.utf8.decoded(bytes[...]) }
        if case .page(let page) = encoding { return page.decoded(bytes[...]) }
        return guessed((unnamed ?? .utf8).decoded(bytes[...]))
      }
    }

    private mutating func guessed(_ text: String) -> String {
      isGuess = true
      return text
    }
  }
}

extension TextEncoding {
  fileprivate static func isWideWithoutMark(_ bytes: [UInt8]) -> Bool {
    !LegacyText.isWide(bytes) && wide(bytes) != nil
  }
}

// MARK: - Names

extension TagContents {
  /// What MusicBrainz Picard and others call texts with a name of their own, in capitals, in ID3v2 and MP4; other names
  /// are the library's already.
  static let describedNames: [String: String] = [
    "MUSICBRAINZ ALBUM ID": "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ ARTIST ID": "MUSICBRAINZ_ARTISTID",
    "MUSICBRAINZ ALBUM ARTIST ID": "MUSICBRAINZ_ALBUMARTISTID",
    "MUSICBRAINZ ALBUM RELEASE COUNTRY": "RELEASECOUNTRY", "MUSICBRAINZ ALBUM STATUS": "RELEASESTATUS",
    "MUSICBRAINZ ALBUM TYPE": "RELEASETYPE", "MUSICBRAINZ RELEASE GROUP ID": "MUSICBRAINZ_RELEASEGROUPID",
    "MUSICBRAINZ RELEASE TRACK ID": "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ WORK ID": "MUSICBRAINZ_WORKID",
    "MUSICBRAINZ DISC ID": "MUSICBRAINZ_DISCID", "MUSICBRAINZ TRM ID": "MUSICBRAINZ_TRMID",
    "MUSICBRAINZ ORIGINAL ALBUM ID": "MUSICBRAINZ_ORIGINALALBUMID",
    "MUSICBRAINZ ORIGINAL ARTIST ID": "MUSICBRAINZ_ORIGINALARTISTID",
    "ACOUSTID ID": "ACOUSTID_ID", "ACOUSTID FINGERPRINT": "ACOUSTID_FINGERPRINT", "MUSICIP PUID": "MUSICIP_PUID",
  ]
}
