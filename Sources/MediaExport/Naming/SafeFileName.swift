internal import MediaModel

/// File names from any text: what comes out is a name on every file system, and hides nothing from who reads it.
package enum SafeFileName {
  /// Bytes that a name may have on Linux, macOS and (in characters) Windows.
  package static let maximumByteCount = 255

  /// Replaced where a system takes them for something else, or does not take them at all.
  private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
  /// Devices of Windows, whatever ending they have.
  private static let reserved: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// `text` without slashes, control characters, invisible ones, dots in front or at the end, and cut so that the ending
  /// fits.
  ///
  /// - Parameters:
  ///   - addition: goes between the name and its ending, and is never cut.
  ///   - ending: without its dot.
  package static func name(for text: String, addition: String = "", ending: String) -> String {
    var safe = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          forbidden.contains($0) || TerminalText.mustBeEscaped($0) || $0.properties.isNoncharacterCodePoint ? "_" : $0
        }))
    safe = trimmed(safe)
    // A hidden file, or the folder itself.
    if safe.hasPrefix(".") { safe = "_" + safe.dropFirst() }
    let stem = safe.prefix { $0 != "." }
    if reserved.contains(trimmed(String(stem)).lowercased()) { safe = "_" + safe }
    let tail = addition + "." + ending
    safe = trimmed(cut(safe, toByteCount: maximumByteCount - tail.utf8.count))
    return (safe.isEmpty ? "untitled" : safe) + tail
  }

  /// Without blanks around it, or dots at the end, which Windows drops.
  private static func trimmed(_ text: String) -> String {
    var rest = text[...].drop { $0.isWhitespace }
    while let last = rest.last, last.isWhitespace || last == "." { rest.removeLast() }
    return String(rest)
  }

  /// Whole characters; parts of one where a single one is too long.
  private static func cut(_ text: String, toByteCount limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var count = 0
    let characters = text.prefix { character in
      count += character.utf8.count
      return count <= limit
    }
    guard characters.isEmpty else { return String(characters) }
    count = 0
    return String(
      text.unicodeScalars.prefix { scalar in
        count += UTF8.width(scalar)
        return count <= limit
      })
  }
}
