internal import Base
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// The fingerprints of files, in the forms of `fpcalc`, each with the path of its file.
///
/// Files without one, because they are too short or were never decoded, are counted on standard error.
struct FingerprintExport: ExportContent {
  static let formats = ["text", "json", "csv"]

  private struct Row {
    var recordingID: Int64?
    var path: BytePath
    var durationInSeconds: Double?
  }

  private let rows: [Row]
  private let choices: ExportChoices

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.choices = choices
    var rows: [Row] = []
    let fields = [.id, QueryField("path", .path), QueryField("duration", .duration)]
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .path(let path) = values[1] else { return }
      var row = Row(path: path)
      if case .integer(let id) = values[0] { row.recordingID = id }
      if case .real(let seconds) = values[2] { row.durationInSeconds = seconds }
      rows.append(row)
    }
    self.rows = rows
  }

  var inputs: [BytePath] { rows.map(\.path) }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    if choices.format == "csv" { try sink("path,duration,fingerprint\n") }
    var writtenCount = 0
    for row in rows {
      guard let text = try text(of: row, in: store) else { continue }
      try sink(entry(row.path, text, isFirst: writtenCount == 0))
      writtenCount += 1
    }
    if writtenCount < rows.count, !choices.isQuiet {
      StandardError.line(
        "\(rows.count - writtenCount) of \(NumberText.count(rows.count, "file")) without a fingerprint")
    }
  }

  /// nil if there is none; a damaged fingerprint is reported and left out.
  private func text(of row: Row, in store: MediaStore) throws -> FingerprintText? {
    guard let id = row.recordingID else { return nil }
    do {
      return try FingerprintText(
        ofRecording: id, durationInSeconds: row.durationInSeconds, in: store, isRaw: choices.isRaw)
    } catch let error as StoreError {
      guard case .damagedProduct = error else { throw error }
      StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      return nil
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
