/// Names what is not audio.
enum ForeignContent {
  /// The name of a format that is not audio, by its signature.
  static func name(_ head: [UInt8]) -> String? {
    let signatures: [(StaticString, Int, String)] = [
      ("GIF8", 0, "GIF"), ("%PDF", 0, "PDF"), ("PK", 0, "ZIP"), ("Rar!", 0, "RAR"), ("WEBP", 8, "WebP"),
      ("AVI ", 8, "AVI video"), ("FLV", 0, "Flash video"), ("SQLite format 3", 0, "SQLite database"),
      ("#EXTM3U", 0, "M3U playlist"), ("[playlist]", 0, "PLS playlist"), ("8BPS", 0, "Photoshop image"),
      ("ILBM", 8, "IFF image"), ("8SVX", 8, "8SVX sample"), ("{\\rtf", 0, "RTF text"),
    ]
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "JPEG" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "PNG" }
    if head.starts(with: [0x1F, 0x8B]) { return "gzip" }
    if head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) { return "ELF program" }
    if head.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) { return "7z" }
    if head.starts(with: [0, 0, 1, 0xBA]) { return "MPEG video" }
    if head.count > 188, head[0] == 0x47, head[188] == 0x47 { return "MPEG transport stream" }
    if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "TIFF" }
    for (mark, offset, name) in signatures where head.has(mark, at: offset) {
      if name == "M3U playlist", text(head).contains("#EXT-X-") { return "HLS playlist" }
      if name == "ZIP", head.count > 3, head[2] > 8 { continue }
      return name
    }
    return nil
  }

  /// The kind of markup that `head` is the start of; nil if it is none. What a server says instead of a file may stand
  /// before the rest of the file, so this is asked only if no audio follows.
  static func markupName(_ head: [UInt8]) -> String? {
    let start = text(head).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(200).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "HTML" }
    if start.hasPrefix("<?xml"), start.contains("<svg") { return "SVG" }
    if start.hasPrefix("<svg") { return "SVG" }
    if start.hasPrefix("<?xml") { return "XML" }
    return nil
  }

  /// The kind of text that `head` is the start of; nil for binary data.
  static func textName(_ head: [UInt8]) -> String? {
    // Latin-1 has letters from 0xC0 on, but rarely 0xFF; most of any text is ASCII.
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 < 0xFE || (0x09...0x0D).contains($0) }
    guard isText, head.count(where: { $0 < 0x80 }) * 2 > head.count else { return nil }
    let text = text(head)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
    if lines.contains(where: { $0.hasPrefix("FILE ") }), lines.contains(where: { $0.hasPrefix("TRACK ") }) {
      return "cue sheet"
    }
    return "text"
  }

  private static func text(_ head: [UInt8]) -> String {
    String(decoding: head.prefix(2048), as: UTF8.self)
  }
}
