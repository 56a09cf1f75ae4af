internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// The files of a query, for an export of what is stored about the sound of each.
struct ProductRows {
  struct Row {
    /// nil if the file was never decoded.
    var recordingID: Int64?
    var path: BytePath
    /// What the query was asked for beside the path.
    var number: Double?
  }

  let rows: [Row]
  private let isQuiet: Bool

  /// - Parameter number: a field of real numbers.
  init(_ query: Query, with number: QueryField, in store: MediaStore, isQuiet: Bool) throws {
    self.isQuiet = isQuiet
    var rows: [Row] = []
    try store.forEachRow(of: query, fields: [.id, QueryField("path", .path), number]) { values in
      guard case .path(let path) = values[1] else { return }
      var row = Row(path: path)
      if case .integer(let id) = values[0] { row.recordingID = id }
      if case .real(let number) = values[2] { row.number = number }
      rows.append(row)
    }
    self.rows = rows
  }

  var inputs: [BytePath] { rows.map(\.path) }

  /// Writes what each recording has. Files that have nothing are counted on standard error, damaged products are reported
  /// there.
  ///
  /// - Parameters:
  ///   - name: What it is, with its article.
  ///   - product: nil if a recording has none.
  func write<Value>(
    _ name: String, product: (_ recordingID: Int64, _ number: Double?) throws -> Value?,
    entry: (BytePath, Value) throws -> Void
  ) throws {
    var emptyCount = 0
    for row in rows {
      do {
        if let id = row.recordingID, let value = try product(id, row.number) {
          try entry(row.path, value)
        } else {
          emptyCount += 1
        }
      } catch let error as StoreError {
        guard case .damagedProduct = error else { throw error }
        StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      }
    }
    if emptyCount > 0, !isQuiet {
      StandardError.line("\(emptyCount) of \(NumberText.count(rows.count, "file")) without \(name)")
    }
  }
}
