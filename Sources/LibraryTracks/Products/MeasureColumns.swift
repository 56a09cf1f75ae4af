package import LibraryDatabase
package import MediaModel

/// Reads and writes the table `measures`; ``Measures/columns`` names its columns.
package enum MeasureColumns {
  private static let names = Measures.columns.map(\.name)

  private static let compared = ["version", "parameters"] + names

  /// Does not write a row that would not change.
  package static let upsert = """
    INSERT INTO measures (audio_id, version, parameters, made_at, \(names.joined(separator: ", ")))
    VALUES (:audio, :version, :parameters, :now, \(names.map { ":" + $0 }.joined(separator: ", ")))
    ON CONFLICT (audio_id) DO UPDATE
       SET \((["version", "parameters", "made_at"] + names).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
     WHERE (\(compared.map { "measures.\($0)" }.joined(separator: ", ")))
           IS NOT (\(compared.map { "excluded.\($0)" }.joined(separator: ", ")))
    """

  /// Numbers that are not finite become NULL.
  package static func arguments(_ measures: Measures) -> StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    for column in Measures.columns {
      let value: (any DatabaseValueConvertible)? =
        switch column.slot {
        case .real(let path): measures[keyPath: path]?.finite
        case .count(let path): measures[keyPath: path]
        }
      values[column.name] = .some(value)
    }
    return StatementArguments(values)
  }

  package static func measures(_ row: Row) throws -> Measures {
    var measures = Measures()
    for column in Measures.columns {
      switch column.slot {
      case .real(let path): measures[keyPath: path] = try row[column.name]
      case .count(let path): measures[keyPath: path] = try row[column.name]
      }
    }
    return measures
  }
}
