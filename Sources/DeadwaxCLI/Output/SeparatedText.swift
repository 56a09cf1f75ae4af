internal import Base

/// Lines of values for spreadsheets and scripts. Control and invisible characters are escaped, because such lines are
/// often printed on a terminal.
enum SeparatedText {
  /// RFC 4180, but with plain line feeds: values with commas, quotes or line breaks are quoted.
  static func csv(_ values: [String]) -> String {
    line(values, separatedBy: ",") { value in
      guard !isPlain(value, besides: ",\"") else { return value }
      // Within quotes a line break is part of the value; CR LF becomes LF.
      let safe =
        value.utf8.contains(UInt8(ascii: "\n"))
        ? value.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
          .map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
        : TerminalText.escaped(value)
      return safe.utf8.contains { ",\"\n".utf8.contains($0) }
        ? "\"" + safe.escaping("\"", with: "\"") + "\"" : safe
    }
  }

  /// Tabs, line breaks and backslashes within values are written as `\t`, `\n`, `\r` and `\\`.
  static func tsv(_ values: [String]) -> String {
    line(values, separatedBy: "\t") { value in
      isPlain(value, besides: "\\") ? value : TerminalText.escaped(value.escaping("\\", with: "\\"))
    }
  }

  private static func line(_ values: [String], separatedBy separator: String, _ text: (String) -> String) -> String {
    var line = ""
    for (index, value) in values.enumerated() {
      if index > 0 { line += separator }
      line += text(value)
    }
    return line + "\n"
  }

  /// Whether a value consists of visible ASCII characters, as most do, and contains none of `characters`.
  private static func isPlain(_ value: String, besides characters: StaticString) -> Bool {
    let others = UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount)
    return value.utf8.allSatisfy { (0x20..<0x7F).contains($0) && !others.contains($0) }
  }
}
