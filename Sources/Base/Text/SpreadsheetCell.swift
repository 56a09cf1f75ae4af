/// Texts of strangers in tables that spreadsheets open.
///
/// A cell that begins with `=`, `+`, `-`, `@`, a tab or a line break is a formula for them, also if it is quoted: a tag
/// could send the whole table away (OWASP, CSV injection).
package enum SpreadsheetCell {
  /// What is done about texts that would be formulas.
  package enum Formulas: String, CaseIterable, Sendable {
    /// Nothing, for programs that read the exact text.
    case keep
    /// They get a `'` in front, which makes every spreadsheet take them as text.
    case escape
  }

  /// `text` as it goes into a cell, before it is quoted.
  ///
  /// A number stays a number, whatever its sign: it computes nothing.
  package static func text(_ text: String, _ formulas: Formulas) -> String {
    formulas == .escape && isFormula(text) ? "'" + text : text
  }

  /// Whether a spreadsheet may compute `text` instead of showing it.
  package static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first {
    case "=", "@", "\t", "\r", "\n": return true
    case "+", "-": return DecimalText.parse(text) == nil
    // Some take the wide forms for the narrow ones.
    case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
    default: return false
    }
  }
}
