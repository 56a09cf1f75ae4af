/// Lines of values for spreadsheets and scripts.
enum SeparatedText {
  /// RFC 4180, but with plain line feeds: values with commas, quotes or line breaks stand in quotes.
  static func csv(_ values: [String]) -> String {
    values.map { value in
      value.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
        ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
    }.joined(separator: ",") + "\n"
  }

  /// Tabs, line breaks and backslashes within values are written `\t`, `\n`, `\r` and `\\`.
  static func tsv(_ values: [String]) -> String {
    values.map { value in
      var text = ""
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\t": text += "\\t"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\\": text += "\\\\"
        default: text.unicodeScalars.append(scalar)
        }
      }
      return text
    }.joined(separator: "\t") + "\n"
  }
}
