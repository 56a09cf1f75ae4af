internal import Base
internal import Foundation

/// Measured numbers in rows and columns.
struct ResultTable {
  enum Cell: Hashable {
    case text(String)
    /// A number shown with `digits` digits after the point; nil if nothing was measured.
    case number(Double?, digits: Int)
    case count(Int?)
  }

  struct Column: Hashable {
    /// In JSON, with its unit: `user_s`.
    let key: String
    /// For people.
    let heading: String

    init(_ key: String, _ heading: String) {
      self.key = key
      self.heading = heading
    }
  }

  /// In JSON, the member `table` of each row.
  let name: String
  let title: String
  let columns: [Column]
  private(set) var rows: [[Cell]] = []

  init(_ name: String, title: String, columns: [Column]) {
    self.name = name
    self.title = title
    self.columns = columns
  }

  /// - Precondition: There is a cell for each column.
  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }
}

extension ResultTable {
  /// One object a row, each naming its table.
  var jsonLines: [JSONValue] {
    rows.map { row in
      let members = zip(columns, row).map { JSONValue.Member($0.key, $1.json) }
      return JSONValue.object([JSONValue.Member("table", .string(name))] + members)
    }
  }

  /// Aligned columns under a title.
  var text: String {
    let widths = columnWidths
    let lines = ([columns.map(\.heading)] + rows.map { $0.map(\.text) }).map { cells in
      var line = ""
      for (index, cell) in cells.enumerated() {
        let blanks = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell))
        line += (index > 0 ? "  " : "") + (isNumeric(index) ? blanks + cell : cell + blanks)
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return ([title] + lines).joined(separator: "\n") + "\n"
  }

  /// A table between pipes under a heading of the third level.
  var markdown: String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rules = columns.indices.map { isNumeric($0) ? "---:" : "---" }
    let lines = [line(columns.map(\.heading)), "|" + rules.joined(separator: "|") + "|"]
    return (["### \(title)", ""] + lines + rows.map { line($0.map(\.text)) }).joined(separator: "\n") + "\n"
  }

  private var columnWidths: [Int] {
    columns.indices.map { index in
      max(DisplayWidth.of(columns[index].heading), rows.map { DisplayWidth.of($0[index].text) }.max() ?? 0)
    }
  }

  private func isNumeric(_ column: Int) -> Bool { rows.contains { $0[column].isNumeric } }
}

extension ResultTable.Cell {
  var isNumeric: Bool { if case .text = self { false } else { true } }

  /// A dash if there is no number.
  var text: String {
    switch self {
    case .text(let text): text
    case .number(let value?, let digits) where value.isFinite: String(format: "%.\(max(0, digits))f", value)
    case .count(let count?): String(count)
    case .number, .count: "–"
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let value, _): .number(value)
    case .count(let count): .integer(count)
    }
  }
}
