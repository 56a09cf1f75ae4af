/// The media type of a picture, by its first bytes, because the one that a tag names is often wrong.
package enum PictureMediaType {
  /// So many bytes of a picture decide.
  package static let headByteCount = 1024

  /// Whether browsers show pictures of a type, and they cannot hold scripts.
  package static func isShown(_ type: String) -> Bool { shown.contains(type) }

  /// Whether a picture is of such a type, by its first bytes.
  package static func isShown(_ bytes: some Collection<UInt8>) -> Bool {
    name(ofPictureThatBegins: bytes).map { isShown($0) } ?? false
  }

  private static let shown: Set = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
  ]

  /// Such as `image/jpeg`; nil unless it is one of the usual formats.
  package static func name(ofPictureThatBegins bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(headByteCount))
    func has(_ text: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if has("GIF8") { return "image/gif" }
    if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
    if has("BM") { return "image/bmp" }
    if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return "image/avif" }
    if has("ftypheic", at: 4) || has("ftypmif1", at: 4) { return "image/heic" }
    if head.starts(with: [0x49, 0x49, 0x2A, 0x00]) || head.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
      return "image/tiff"
    }
    return isSVG(head) ? "image/svg+xml" : nil
  }

  /// SVG may contain scripts, so it must be told apart from pictures that are safe to show.
  private static func isSVG(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return text.hasPrefix("<svg") || text.hasPrefix("<?xml") && text.contains("<svg")
  }
}
