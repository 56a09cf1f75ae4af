internal import ArgumentParser
internal import Base
internal import Foundation
internal import LibraryQueries
internal import QueryLanguage

extension SpreadsheetCell.Formulas: ExpressibleByArgument {}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case paths
}

/// Writes the rows of a list in one of its formats.
struct RowWriter {
  private let fields: [QueryField]
  private let format: ListFormat
  private let endsWithNUL: Bool
  private let formulas: SpreadsheetCell.Formulas
  private var table: TextTable
  private var json: JSONRowWriter
  /// The number of rows so far.
  private(set) var count = 0

  /// - Parameter dispensable: names of fields that a table in a narrow terminal leaves out, the first ones first.
  init(
    _ fields: [QueryField], _ format: ListFormat, endsWithNUL: Bool, formulas: SpreadsheetCell.Formulas,
    dispensable: [String] = []
  ) {
    self.fields = fields
    self.formulas = formulas
    self.format = format
    self.endsWithNUL = endsWithNUL
    let columns = fields.map { field in
      TextTable.Column(
        title: field.name.uppercased(), isAlignedRight: field.kind.isNumber, canShrink: field.kind.isLong,
        overflow: field.kind == .path ? .isCutAsPath : .isCut,
        dispensability: dispensable.firstIndex(of: field.name).map { -$0 + dispensable.count })
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

  mutating func add(_ row: borrowing ListRow) throws(StandardOutput.Failure) {
    defer { count += 1 }
    switch format {
    case .table: try table.add(zip(row.values, fields).map { $0.tabular($1) })
    case .json: try json.write(row, before: count == 0 ? "[\n" : ",\n", after: "")
    case .jsonl: try json.write(row, before: "", after: "\n")
    case .csv: try StandardOutput.write(SeparatedText.csv(row.values.map { $0.cell(formulas) }))
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
    case .integer, .real, .tempo, .size, .duration, .keyword, .musicalKey, .keyText, .date, .instant: false
    }
  }
}

/// Writes rows of a list as JSON objects, directly from the bytes in SQLite.
struct JSONRowWriter {
  /// `"name":` of each field.
  private let keys: [[UInt8]]
  private let names: [String]
  private var line: [UInt8] = []

  init(_ fields: [QueryField]) {
    names = fields.map(\.name)
    keys = names.map { Array((JSONValue.string($0).text + ":").utf8) }
  }

  mutating func write(_ row: borrowing ListRow, before: String, after: String) throws(StandardOutput.Failure) {
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: before.utf8)
    line.append(UInt8(ascii: "{"))
    for index in keys.indices {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      append(row, index)
    }
    line.append(UInt8(ascii: "}"))
    line.append(contentsOf: after.utf8)
    try StandardOutput.write(bytes: line)
  }

  private mutating func append(_ row: borrowing ListRow, _ index: Int) {
    let cell = row.cell(index)
    switch cell {
    case .text, .path:
      let isWritten = row.withBytes(index) { bytes in
        guard Self.isPlain(bytes), cell == .text || Self.isUTF8(bytes) else { return false }
        line.append(contentsOf: keys[index])
        line.append(UInt8(ascii: "\""))
        bytes.withUnsafeBufferPointer { line.append(contentsOf: $0) }
        line.append(UInt8(ascii: "\""))
        return true
      }
      if isWritten { return }
    case .none, .integer, .real, .instant:
      line.append(contentsOf: keys[index])
      switch cell {
      case .integer(let number): line.append(contentsOf: String(number).utf8)
      case .real(let number): line.append(contentsOf: JSONValue.number(number).text.utf8)
      case .instant: line.append(contentsOf: JSONValue.string(row.value(index).plain).text.utf8)
      case .none, .text, .path: line.append(contentsOf: "null".utf8)
      }
      return
    }
    // A path that is not UTF-8 has two members.
    let members = row.value(index).members(key: names[index]).map {
      "\(JSONValue.string($0.key).text):\($0.value.text)"
    }
    line.append(contentsOf: members.joined(separator: ",").utf8)
  }

  /// Whether a text can go into JSON unchanged: nothing must be escaped, and no character may be invisible.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      switch bytes[index] {
      case ..<0x20, 0x22, 0x5C, 0x7F: return false
      // The first bytes of all characters for which `TerminalText.mustBeEscaped` is true, but for U+3164: its first byte
      // is that of the Japanese syllables.
      case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xEF, 0xF0...0xF4: return false
      case 0xE3 where index + 2 < bytes.count && bytes[index + 1] == 0x85 && bytes[index + 2] == 0xA4: return false
      default: break
      }
    }
    return true
  }

  private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    (try? UTF8Span(validating: bytes)) != nil
  }
}

/// Writes items as a JSON array with one item per line, or as lines of JSON.
struct ListWriter {
  private let isLines: Bool
  private var count = 0

  init(isLines: Bool) {
    self.isLines = isLines
  }

  mutating func add(_ item: JSONValue) throws(StandardOutput.Failure) {
    if !isLines { try StandardOutput.write(count == 0 ? "[\n" : ",\n") }
    try StandardOutput.write(item.text + (isLines ? "\n" : ""))
    count += 1
  }

  func finish() throws(StandardOutput.Failure) {
    if !isLines { try StandardOutput.write(count == 0 ? "[]\n" : "\n]\n") }
  }
}
