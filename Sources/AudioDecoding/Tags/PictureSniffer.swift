/// The kind of a picture, judged by its first bytes: what tags claim is often wrong.
enum PictureSniffer {
  /// nil for what is none of the usual formats.
  static func mimeType(of bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.has("GIF8", at: 0) { return "image/gif" }
    if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return "image/webp" }
    if bytes.has("BM", at: 0) { return "image/bmp" }
    if bytes.has("ftypavif", at: 4) || bytes.has("ftypavis", at: 4) { return "image/avif" }
    if bytes.has("ftypheic", at: 4) || bytes.has("ftypmif1", at: 4) { return "image/heic" }
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
      return "image/tiff"
    }
    return isSVG(bytes) ? "image/svg+xml" : nil
  }

  /// A page of script as much as a picture: to be told from what may be shown.
  private static func isSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return head.hasPrefix("<svg") || head.hasPrefix("<?xml") && head.contains("<svg")
  }
}
