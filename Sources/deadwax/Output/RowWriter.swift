internal import MediaModel
internal import MediaStore

/// Writes the rows of a list in one of its formats.
struct RowWriter {
  private let fields: [QueryField]
  private let format: ListFormat
  private let endsWithNUL: Bool
  private var table: TextTable
  private var list: ListWriter

  init(_ fields: [QueryField], _ format: ListFormat, endsWithNUL: Bool) {
    self.fields = fields
    self.format = format
    self.endsWithNUL = endsWithNUL
    let columns = fields.map { field in
      TextTable.Column(
        title: field.name.uppercased(), isAlignedRight: field.kind.isNumeric, canShrink: field.kind.isLong)
    }
    table = TextTable(columns)
    list = ListWriter(isLines: format == .jsonl)
  }

  func begin() throws(StandardOutput.Failure) {
    switch format {
    case .csv: try StandardOutput.write(SeparatedText.csv(fields.map(\.name)))
    case .tsv: try StandardOutput.write(SeparatedText.tsv(fields.map(\.name)))
    case .table, .json, .jsonl, .paths: break
    }
  }

  mutating func add(_ values: [FieldValue]) throws(StandardOutput.Failure) {
    switch format {
    case .table: try table.add(zip(values, fields).map { $0.readable($1) })
    case .json, .jsonl: try list.add(.object(zip(values, fields).flatMap { $0.members(key: $1.name) }))
    case .csv: try StandardOutput.write(SeparatedText.csv(values.map(\.plain)))
    case .tsv: try StandardOutput.write(SeparatedText.tsv(values.map(\.plain)))
    case .paths:
      guard case .path(let path) = values[0] else { return }
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
    case .json, .jsonl: try list.finish()
    case .csv, .tsv, .paths: break
    }
  }
}

extension QueryField.Kind {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .real, .size, .duration: true
    case .text, .tag, .path, .keyword, .hexadecimal, .date, .instant: false
    }
  }

  /// Whether its values may be cut in a narrow terminal.
  fileprivate var isLong: Bool {
    switch self {
    case .text, .tag, .path, .hexadecimal: true
    case .integer, .real, .size, .duration, .keyword, .date, .instant: false
    }
  }
}
