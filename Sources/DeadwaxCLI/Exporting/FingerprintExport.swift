internal import Base
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// The fingerprints of files, in the forms of `fpcalc`, each with the path of its file.
///
/// Files without one, because they are too short or were never decoded, are counted on standard error.
struct FingerprintExport: ExportContent {
  static let formats = ["text", "json", "csv"]

  private let files: ProductRows
  private let choices: ExportChoices

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.choices = choices
    files = try ProductRows(query, with: QueryField("duration", .duration), in: store, isQuiet: choices.isQuiet)
  }

  var inputs: [BytePath] { files.inputs }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    if choices.format == "csv" { try sink("path,duration,fingerprint\n") }
    var isFirst = true
    try files.write("a fingerprint") { id, duration in
      try FingerprintText(ofRecording: id, durationInSeconds: duration, in: store, isRaw: choices.isRaw)
    } entry: { path, text in
      try sink(entry(path, text, isFirst: isFirst))
      isFirst = false
    }
  }

  private func entry(_ path: BytePath, _ text: FingerprintText, isFirst: Bool) -> String {
    switch choices.format {
    case "json":
      let members = JSONValue.path(path).map { "\"\($0.key)\": \($0.value.text)" }
      return "{\((members + [text.jsonMembers]).joined(separator: ", "))}\n"
    case "csv":
      return SeparatedText.csv([
        SpreadsheetCell.text(path.displayString, choices.formulas), NumberText.decimal(text.durationInSeconds, 2),
        text.words,
      ])
    default:
      return (isFirst ? "" : "\n") + "FILE=\(TerminalText.escaped(path.displayString))\n" + text.text
    }
  }
}
