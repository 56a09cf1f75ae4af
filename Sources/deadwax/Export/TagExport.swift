internal import MediaModel
internal import MediaStore

/// Every tag of every file: a value a line, or an object a file.
struct TagExport: ExportContent {
  static let formats = ["csv", "jsonl", "json", "tsv"]

  let query: Query
  let format: String
  let inputs: [BytePath]

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.query = query
    format = choices.format
    inputs = try ExportInputs.paths(of: query, in: store, output: choices.file)
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    let line = format == "csv" ? SeparatedText.csv : SeparatedText.tsv
    if format == "csv" || format == "tsv" { try sink(line(["path", "name", "position", "value"])) }
    var count = 0
    try store.forEachTagged(of: query) { path, tags in
      if format == "csv" || format == "tsv" {
        for property in tags.properties {
          for (position, value) in property.values.enumerated() {
            try sink(line([path.displayString, property.name, String(position), value]))
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
