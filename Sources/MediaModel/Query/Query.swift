/// What to look for in a library and in which order: the value of a query's text.
package struct Query: Hashable, Sendable {
  /// nil stands for everything.
  package var condition: QueryCondition?
  package var order: [SortTerm]

  package static let everything = Query()

  package init(condition: QueryCondition? = nil, order: [SortTerm] = []) {
    self.condition = condition
    self.order = order
  }
}

/// One field that results are sorted by. Rows without a value come last in either direction.
package struct SortTerm: Hashable, Sendable {
  package var field: QueryField
  package var isDescending: Bool

  package init(_ field: QueryField, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}
