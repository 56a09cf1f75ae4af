internal import MediaModel

/// Lines of values for spreadsheets and scripts. Control and invisible characters are escaped as on a terminal, where such
/// lines often end.
enum SeparatedText {
  /// RFC 4180, but with plain line feeds: values with commas, quotes or line breaks stand in quotes.
  static func csv(_ values: [String]) -> String {
    values.map { value in
      // Within quotes a line break is a part of the value; that of other systems is one, too.
      let safe = value.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
      return safe.utf8.contains { ",\"\n".utf8.contains($0) }
        ? "\"" + safe.replacing("\"", with: "\"\"") + "\"" : safe
    }.joined(separator: ",") + "\n"
  }

  /// Tabs, line breaks and backslashes within values are written `\t`, `\n`, `\r` and `\\`.
  static func tsv(_ values: [String]) -> String {
    values.map { TerminalText.escaped($0.replacing("\\", with: "\\\\")) }.joined(separator: "\t") + "\n"
  }
}
