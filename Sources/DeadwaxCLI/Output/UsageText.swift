internal import Base

/// Help texts with their lines of usage wrapped, which the parser leaves in one line.
enum UsageText {
  private static let beginnings = ["USAGE: ", "Usage: "]

  static func wrapped(_ help: String, toWidth width: Int) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      beginnings.contains { line.hasPrefix($0) } ? wrapped(usage: line, toWidth: width) : String(line)
    }.joined(separator: "\n")
  }

  /// Breaks between options; what is in brackets stays together.
  private static func wrapped(usage line: Substring, toWidth width: Int) -> String {
    var lines: [String] = []
    var current = ""
    for part in parts(of: line) {
      if !current.isEmpty, DisplayWidth.of(current) + 1 + DisplayWidth.of(part) > width {
        lines.append(current)
        current = "      "
      }
      current += (current.isEmpty ? "" : " ") + part
    }
    return (lines + [current]).joined(separator: "\n")
  }

  private static func parts(of line: Substring) -> [String] {
    var parts: [String] = [""]
    var depth = 0
    for character in line {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if character == " ", depth <= 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }
}
