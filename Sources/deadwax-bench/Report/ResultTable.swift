/// Measured numbers in rows and columns, to be written in several forms.
struct ResultTable {
  enum Cell: Hashable {
    case text(String)
    /// With so many digits after the point; nil where there was nothing to measure.
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

  /// - Precondition: there is a cell for each column.
  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }
}
