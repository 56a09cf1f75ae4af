internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// All fields of each file, for spreadsheets and programs.
struct TrackExport: ExportContent {
  static let formats = ["csv", "jsonl", "json", "tsv"]

  let query: Query
  let fields: [QueryField]
  let format: String
  let formulas: SpreadsheetCell.Formulas
  let inputs: [BytePath]

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.query = query
    format = choices.format
    formulas = choices.formulas
    fields =
      try choices.fields.map { try FieldList.fields($0, store.vocabulary, option: "--fields") } ?? MediaStore.fields
    inputs = try ExportInputs.paths(of: query, in: store, output: choices.file)
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    if format == "csv" { try sink(SeparatedText.csv(fields.map(\.name))) }
    if format == "tsv" { try sink(SeparatedText.tsv(fields.map(\.name))) }
    var count = 0
    try store.forEachListRow(of: query, fields: fields) { row in
      switch format {
      case "csv": try sink(SeparatedText.csv(row.values.map { $0.cell(formulas) }))
      case "tsv": try sink(SeparatedText.tsv(row.values.map(\.plain)))
      default:
        let object = JSONValue.object(zip(row.values, fields).flatMap { $0.members(key: $1.name) }).text
        try sink(format == "jsonl" ? object + "\n" : (count == 0 ? "[\n" : ",\n") + object)
      }
      count += 1
    }
    if format == "json" { try sink(count == 0 ? "[]\n" : "\n]\n") }
  }
}

/// The media files that an export must not replace.
enum ExportInputs {
  /// Empty if the output is standard output.
  static func paths(of query: Query, in store: MediaStore, output: BytePath?) throws -> [BytePath] {
    guard output != nil else { return [] }
    var paths: [BytePath] = []
    try store.forEachRow(of: query, fields: [QueryField("path", .path)]) { values in
      if case .path(let path) = values[0] { paths.append(path) }
    }
    return paths
  }
}

/// All tags of each file: a line for each value, or an object for each file.
struct TagExport: ExportContent {
  static let formats = ["csv", "jsonl", "json", "tsv"]

  let query: Query
  let format: String
  let formulas: SpreadsheetCell.Formulas
  let inputs: [BytePath]

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.query = query
    format = choices.format
    formulas = choices.formulas
    inputs = try ExportInputs.paths(of: query, in: store, output: choices.file)
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    let line = format == "csv" ? SeparatedText.csv : SeparatedText.tsv
    if format == "csv" || format == "tsv" { try sink(line(["path", "name", "position", "value"])) }
    var count = 0
    try store.files.forEachTagged(of: query) { path, tags in
      if format == "csv" || format == "tsv" {
        for property in tags.properties {
          for (position, value) in property.values.enumerated() {
            let cells = [path.displayString, property.name, String(position), value]
            try sink(line(format == "csv" ? cells.map { SpreadsheetCell.text($0, formulas) } : cells))
          }
        }
      } else {
        let values = tags.properties.map { JSONValue.Member($0.name, .array($0.values.map { .string($0) })) }
        let object = JSONValue.object(JSONValue.path(path) + [.init("tags", .object(values))]).text
        try sink(format == "jsonl" ? object + "\n" : (count == 0 ? "[\n" : ",\n") + object)
      }
      count += 1
    }
    if format == "json" { try sink(count == 0 ? "[]\n" : "\n]\n") }
  }
}
