import AudioDecoding
import Base

/// Texts in frames of ID3v2, in one of its encodings (ID3v2.4.0-structure, section 4).
enum ID3v2Encoding: UInt8 {
  case latin1 = 0
  /// With a byte order mark.
  case utf16 = 1
  case utf16BigEndian = 2
  case utf8 = 3

  /// The encoding for new texts: that of the frame that they replace, if it can have them and its version defines it.
  init(of texts: [String], like old: UInt8?, version: UInt8, allowsLatin1: Bool) {
    let fits = allowsLatin1 && texts.allSatisfy { Latin1.encoded($0) != nil }
    switch old.flatMap(ID3v2Encoding.init) {
    case .latin1 where fits: self = .latin1
    case .utf16: self = .utf16
    case .utf16BigEndian where version == 4: self = .utf16BigEndian
    default: self = version == 4 ? .utf8 : .utf16
    }
  }

  func bytes(_ text: String) -> [UInt8] {
    switch self {
    case .latin1: Latin1.encoded(text) ?? []
    case .utf16: [0xFF, 0xFE] + text.utf16.flatMap(\.littleEndianBytes)
    case .utf16BigEndian: text.utf16.flatMap(\.bigEndianBytes)
    case .utf8: Array(text.utf8)
    }
  }

  var terminator: [UInt8] { self == .utf16 || self == .utf16BigEndian ? [0, 0] : [0] }

  /// Texts with NUL between them, as versions before 2.4 have them, too, in what programs write.
  func joined(_ texts: [String]) -> [UInt8] { Array(texts.map(bytes).joined(separator: terminator)) }

  /// The text at the start of some bytes, up to NUL, and what follows it.
  func split(_ bytes: ArraySlice<UInt8>) -> (text: String, rest: ArraySlice<UInt8>) {
    var end = bytes.endIndex
    var next = end
    if terminator.count == 1 {
      end = bytes.firstIndex(of: 0) ?? end
      next = min(end + 1, bytes.endIndex)
    } else if let found = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
      .first(where: { bytes[$0] == 0 && bytes[$0 + 1] == 0 })
    {
      (end, next) = (found, found + 2)
    }
    return (decoded(bytes[bytes.startIndex..<end]), bytes[next...])
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    switch self {
    case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .utf16:
      LegacyText.isWide(Array(bytes.prefix(2)))
        ? LegacyText.decoded(bytes) : TextEncoding.utf16LittleEndian.decoded(bytes)
    case .utf16BigEndian: TextEncoding.utf16BigEndian.decoded(bytes)
    case .utf8: String(decoding: bytes, as: UTF8.self)
    }
  }
}
