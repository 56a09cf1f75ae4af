/// What a query asks of one field. A field without a value matches nothing but ``absent``.
package enum QueryMatch: Hashable, Sendable {
  /// The folded text is part of the folded value.
  case contains(String)
  /// The value is exactly this, letter by letter.
  case equals(String)
  /// The value is this without regard to case and accents; the text is folded.
  case equalsFolded(String)
  case matches(NFARegex)
  /// The folded folders are consecutive components of the folded path; with a slash in front, its first ones.
  case folder(String)
  /// The path, with a slash behind it, begins with exactly this, letter by letter, which ends with a slash.
  case below(String)
  case oneOf([String])
  case number(NumberRange)
  /// An ISO date from `lower` up to, not including, `upper`, compared as text.
  case date(lower: String?, upper: String?)
  case absent
}

/// An interval of numbers, open at either end where there is no limit.
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
