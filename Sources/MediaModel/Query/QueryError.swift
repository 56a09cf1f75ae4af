/// Why a query cannot be understood.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  /// Where in the query, counted in Unicode scalars from 1.
  package var column: Int

  package init(_ message: String, column: Int) {
    self.message = message
    self.column = column
  }

  package var description: String { "query, column \(column): \(message)" }
}
