package import MediaModel

/// Files of a query taken together where some of their fields are equal, counted and summed up.
package struct QueryGrouping: Hashable, Sendable {
  /// None for one group of all.
  package var keys: [QueryField]
  package var sums: [QueryField]
  package var hasCount: Bool

  package init(by keys: [QueryField], sums: [QueryField], hasCount: Bool) {
    self.keys = keys
    self.sums = sums
    self.hasCount = hasCount
  }

  package static let count = QueryField("count", .integer)

  /// The columns of a row: the keys, the count, the sums.
  package var fields: [QueryField] { keys + (hasCount ? [Self.count] : []) + sums }
}
