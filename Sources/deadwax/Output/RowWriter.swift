internal import MediaModel
internal import MediaStore

/// Writes the rows of a list in one of its formats.
struct RowWriter {
  private let fields: [QueryField]
  private let format: ListFormat
  private let endsWithNUL: Bool
  private var table: TextTable
  private var json: JSONRowWriter
  private var count = 0

  init(_ fields: [QueryField], _ format: ListFormat, endsWithNUL: Bool) {
    self.fields = fields
    self.format = format
    self.endsWithNUL = endsWithNUL
    let columns = fields.map { field in
      TextTable.Column(
        title: field.name.uppercased(), isAlignedRight: field.kind.isNumber, canShrink: field.kind.isLong)
    }
    table = TextTable(columns)
    json = JSONRowWriter(fields)
  }

  func begin() throws(StandardOutput.Failure) {
    switch format {
    case .csv: try StandardOutput.write(SeparatedText.csv(fields.map(\.name)))
    case .tsv: try StandardOutput.write(SeparatedText.tsv(fields.map(\.name)))
    case .table, .json, .jsonl, .paths: break
    }
  }

  mutating func add(_ row: ListRow) throws(StandardOutput.Failure) {
    defer { count += 1 }
    switch format {
    case .table: try table.add(zip(row.values, fields).map { $0.readable($1) })
    case .json: try json.write(row, before: count == 0 ? "[\n" : ",\n", after: "")
    case .jsonl: try json.write(row, before: "", after: "\n")
    case .csv: try StandardOutput.write(SeparatedText.csv(row.values.map(\.plain)))
    case .tsv: try StandardOutput.write(SeparatedText.tsv(row.values.map(\.plain)))
    case .paths:
      guard case .path(let path) = row.value(0) else { return }
      if endsWithNUL {
        try StandardOutput.write(bytes: path.bytes + [0])
      } else if StandardOutput.isTerminal {
        try StandardOutput.write(TerminalText.escaped(path.displayString) + "\n")
      } else {
        try StandardOutput.write(bytes: path.bytes + [0x0A])
      }
    }
  }

  mutating func finish() throws(StandardOutput.Failure) {
    switch format {
    case .table: try table.finish()
    case .json: try StandardOutput.write(count == 0 ? "[]\n" : "\n]\n")
    case .jsonl, .csv, .tsv, .paths: break
    }
  }
}

extension QueryField.Kind {
  /// Whether its values may be cut in a narrow terminal.
  fileprivate var isLong: Bool {
    switch self {
    case .text, .name, .tag, .path, .hexadecimal: true
    case .integer, .real, .size, .duration, .keyword, .date, .instant: false
    }
  }
}
