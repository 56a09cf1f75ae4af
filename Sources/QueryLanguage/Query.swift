/// A parsed query: what to search a library for, and in which order to return it.
package struct Query: Hashable, Sendable {
  /// nil matches every file.
  package var condition: QueryCondition?
  package var order: [SortTerm]

  package static let everything = Query()

  package init(condition: QueryCondition? = nil, order: [SortTerm] = []) {
    self.condition = condition
    self.order = order
  }
}

/// A field that results are sorted by. Rows without a value come last in either direction.
package struct SortTerm: Hashable, Sendable {
  package var field: QueryField
  package var isDescending: Bool

  package init(_ field: QueryField, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

/// A condition on one file, as a tree of tests.
package indirect enum QueryCondition: Hashable, Sendable {
  /// All of at least two conditions.
  case all([QueryCondition])
  /// Any of at least two conditions.
  case any([QueryCondition])
  /// True if the other condition is false, so also if a field has no value.
  case not(QueryCondition)
  /// The folded text is part of the title, artist, album, album artist, genre or file name.
  case word(String)
  case test(QueryField, QueryMatch)
}

/// A condition on the value of one field. A field without a value matches only ``absent``.
package enum QueryMatch: Hashable, Sendable {
  /// The folded text is part of the folded value.
  case contains(String)
  /// The value is exactly this, letter by letter.
  case equals(String)
  /// The value equals this, regardless of case and accents; the text is folded.
  case equalsFolded(String)
  case matches(NFARegex)
  /// The folded folders are consecutive components of the folded path; if they start with a slash, its first ones.
  case folder(String)
  /// The path, with a slash appended, starts with exactly this, which ends with a slash.
  case below(String)
  case oneOf([String])
  case number(NumberRange)
  /// An ISO date from `lower` up to but not including `upper`, compared as text.
  case date(lower: String?, upper: String?)
  case absent
}

/// An interval of numbers; an end without a limit is unbounded.
package struct NumberRange: Hashable, Sendable {
  package struct Limit: Hashable, Sendable {
    package var value: Double
    package var isIncluded: Bool

    package init(_ value: Double, isIncluded: Bool) {
      self.value = value
      self.isIncluded = isIncluded
    }
  }

  package var lower: Limit?
  package var upper: Limit?

  package init(lower: Limit? = nil, upper: Limit? = nil) {
    self.lower = lower
    self.upper = upper
  }

  package func contains(_ number: Double) -> Bool {
    if let lower, lower.isIncluded ? number < lower.value : number <= lower.value { return false }
    if let upper, upper.isIncluded ? number > upper.value : number >= upper.value { return false }
    return true
  }
}

/// Why a query is invalid.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  /// The position in the query, in Unicode scalars from 1.
  package var column: Int
  /// Whether the query names a field that there is not.
  package var isAboutField: Bool

  package init(_ message: String, column: Int, isAboutField: Bool = false) {
    self.message = message
    self.column = column
    self.isAboutField = isAboutField
  }

  package var description: String { "query, column \(column): \(message)" }
}
