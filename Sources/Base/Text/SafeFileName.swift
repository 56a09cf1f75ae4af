/// Makes file names from any text: valid on every file system, and without invisible characters.
package enum SafeFileName {
  /// The longest name in bytes on Linux and macOS; Windows allows as many characters.
  package static let maximumByteCount = 255

  /// Characters that some system refuses or interprets.
  private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
  /// Device names of Windows, which are reserved with any extension.
  private static let reserved: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// `text` without slashes, control and invisible characters, and dots at either end; truncated so that the extension
  /// fits.
  ///
  /// - Parameters:
  ///   - addition: Is inserted before the extension, and never truncated.
  ///   - ending: The extension without its dot.
  package static func name(for text: String, addition: String = "", ending: String) -> String {
    name(for: text, tail: addition + "." + ending)
  }

  /// The same for a folder, which has no extension.
  package static func folder(for text: String) -> String { name(for: text, tail: "") }

  private static func name(for text: String, tail: String) -> String {
    var safe = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          forbidden.contains($0) || TerminalText.mustBeEscaped($0) || $0.properties.isNoncharacterCodePoint ? "_" : $0
        }))
    safe = trimmed(safe)
    // A dot in front would make a hidden file, or name the folder itself.
    if safe.hasPrefix(".") { safe = "_" + safe.dropFirst() }
    let stem = safe.prefix { $0 != "." }
    if reserved.contains(trimmed(String(stem)).lowercased()) { safe = "_" + safe }
    safe = trimmed(cut(safe, toByteCount: maximumByteCount - tail.utf8.count))
    return (safe.isEmpty ? "untitled" : safe) + tail
  }

  /// Without white space at both ends, and without dots at the end, which Windows drops.
  private static func trimmed(_ text: String) -> String {
    var rest = text[...].drop { $0.isWhitespace }
    while let last = rest.last, last.isWhitespace || last == "." { rest.removeLast() }
    return String(rest)
  }

  /// Truncates at a character boundary, unless a single character is too long.
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

/// Makes safe names that are distinct even on file systems that ignore case and Unicode normalization.
///
/// The names depend only on the texts and their order.
package struct UniqueFileNames {
  private let ending: String
  private var taken: Set<String> = []
  /// How often each name occurred, so that the thousandth needs no thousand attempts.
  private var counts: [String: Int] = [:]

  package init(ending: String) { self.ending = ending }

  /// A name for `text`; the second of one name ends in ` (2)`.
  package mutating func next(for text: String) -> String { next(for: [text]) }

  /// The same below folders: a path of safe names, the last of which is that of the file.
  package mutating func next(for texts: [String]) -> String {
    let folders = texts.dropLast().map { SafeFileName.folder(for: $0) + "/" }.joined()
    let text = texts.last ?? ""
    var name = folders + SafeFileName.name(for: text, ending: ending)
    let key = Self.key(name)
    var number = counts[key, default: 0] + 1
    if number > 1 { name = folders + SafeFileName.name(for: text, addition: " (\(number))", ending: ending) }
    while !taken.insert(Self.key(name)).inserted {
      number += 1
      name = folders + SafeFileName.name(for: text, addition: " (\(number))", ending: ending)
    }
    counts[key] = number
    return name
  }

  /// Swift compares strings by canonical equivalence, so normalization is ignored.
  private static func key(_ name: String) -> String { name.lowercased() }
}
