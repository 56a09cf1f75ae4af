internal import Base

/// A comparison (`>5`, `<=5`), a range (`1..5`, `1..`, `..5`) or a single value, of numbers or dates.
struct QueryRange {
  enum Shape {
    case single(String)
    case above(String, isIncluded: Bool)
    case below(String, isIncluded: Bool)
    case between(String, String)
  }

  let field: QueryField
  let value: QueryLexer.Value
  let shape: Shape

  init(field: QueryField, value: QueryLexer.Value) {
    self.field = field
    self.value = value
    let text = value.text
    shape =
      if text.hasPrefix(">=") {
        .above(String(text.dropFirst(2)), isIncluded: true)
      } else if text.hasPrefix(">") {
        .above(String(text.dropFirst()), isIncluded: false)
      } else if text.hasPrefix("<=") {
        .below(String(text.dropFirst(2)), isIncluded: true)
      } else if text.hasPrefix("<") {
        .below(String(text.dropFirst()), isIncluded: false)
      } else if let dots = text.firstRange(of: "..") {
        .between(String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
      } else {
        .single(text)
      }
  }

  var isComparison: Bool { if case .single = shape { false } else { true } }

  private func error(_ message: String) -> QueryError { QueryError("\(field.name): \(message)", column: value.column) }

  /// Refuses a comparison with nothing.
  private func requireLimit() throws(QueryError) {
    switch shape {
    case .above("", _), .below("", _): throw error("nothing after the \(value.text)")
    case .single, .above, .below, .between: break
    }
  }

  // MARK: - Numbers

  func numbers() throws(QueryError) -> NumberRange {
    try requireLimit()
    switch shape {
    case .single(let text):
      let number = try number(text)
      if field.kind == .integer || field.kind == .size, number.isPlainInteger {
        let limit = NumberRange.Limit(number.value, isIncluded: true)
        return NumberRange(lower: limit, upper: limit)
      }
      // Equal in the digits that were written, because nobody knows a duration to the microsecond.
      return NumberRange(
        lower: .init(number.value - number.step / 2, isIncluded: true),
        upper: .init(number.value + number.step / 2, isIncluded: false))
    case .above(let text, let isIncluded):
      return NumberRange(lower: lowerEnd(try number(text), isIncluded: isIncluded))
    case .below(let text, let isIncluded):
      return NumberRange(upper: upperEnd(try number(text), isIncluded: isIncluded))
    case .between(let from, let to):
      let first = try from.isEmpty ? nil : number(from)
      let last = try to.isEmpty ? nil : number(to)
      if let first, let last, first.value > last.value { throw error("the range is reversed") }
      return try checked(
        NumberRange(
          lower: first.map { lowerEnd($0, isIncluded: true) }, upper: last.map { upperEnd($0, isIncluded: true) }))
    }
  }

  private func lowerEnd(_ number: WrittenNumber, isIncluded: Bool) -> NumberRange.Limit {
    NumberRange.Limit(number.value - (isIncluded ? tolerance(of: number) : 0), isIncluded: isIncluded)
  }

  private func upperEnd(_ number: WrittenNumber, isIncluded: Bool) -> NumberRange.Limit {
    let reach = isIncluded ? tolerance(of: number) : 0
    return NumberRange.Limit(number.value + reach, isIncluded: isIncluded && reach == 0)
  }

  /// How far an included end reaches beyond its number: that of a tempo as far as a single value. Other limits are meant
  /// exactly, such as `truepeak:>=0`.
  private func tolerance(of number: WrittenNumber) -> Double { field.kind == .tempo ? number.step / 2 : 0 }

  private func checked(_ range: NumberRange) throws(QueryError) -> NumberRange {
    guard range.lower != nil || range.upper != nil else { throw error("a range needs at least one end") }
    if let lower = range.lower, let upper = range.upper, lower.value > upper.value {
      throw error("the range is reversed")
    }
    return range
  }

  private func number(_ text: String) throws(QueryError) -> WrittenNumber {
    let number =
      switch field.kind {
      case .duration: NumberUnits.duration(text)
      case .size: WrittenNumber(text, units: NumberUnits.size)
      case .real, .tempo: WrittenNumber(text, units: NumberUnits.real)
      default: WrittenNumber(text, units: NumberUnits.frequency)
      }
    guard let number else { throw error("'\(text.prefix(40))' is not \(expectation)") }
    return number
  }

  private var expectation: String {
    switch field.kind {
    case .duration: "a duration such as 210, 3:30 or 3m30s"
    case .size: "a size such as 800k, 10M or 4Gi"
    default: "a number"
    }
  }

  // MARK: - Dates

  func dates() throws(QueryError) -> QueryMatch {
    func unit(_ text: String) throws(QueryError) -> QueryDate.Unit {
      guard let unit = QueryDate.unit(text) else {
        throw error("'\(text.prefix(40))' is not a date such as 2023, 2023-04 or 2023-04-17")
      }
      return unit
    }
    try requireLimit()
    switch shape {
    case .single(let text):
      let unit = try unit(text)
      return .date(lower: unit.lowerText, upper: unit.upperText)
    case .above(let text, let isIncluded):
      let unit = try unit(text)
      return .date(lower: isIncluded ? unit.lowerText : unit.upperText, upper: nil)
    case .below(let text, let isIncluded):
      let unit = try unit(text)
      return .date(lower: nil, upper: isIncluded ? unit.upperText : unit.lowerText)
    case .between(let from, let to):
      let lower = from.isEmpty ? nil : try unit(from)
      let upper = to.isEmpty ? nil : try unit(to)
      guard lower != nil || upper != nil else { throw error("a range needs at least one end") }
      if let lower, let upper, lower.lowerText >= upper.upperText { throw error("the range is reversed") }
      return .date(lower: lower?.lowerText, upper: upper?.upperText)
    }
  }

  func instants(now: Int64) throws(QueryError) -> NumberRange {
    func limits(_ text: String) throws(QueryError) -> (Double, Double) {
      if let moment = QueryDate.relative(text, now: now) { return (moment, moment) }
      guard let unit = QueryDate.unit(text) else {
        throw error("'\(text.prefix(40))' is not a date such as 2023-04 or -2w")
      }
      return (unit.lower, unit.upper)
    }
    try requireLimit()
    switch shape {
    case .single(let text):
      let limits = try limits(text)
      // A single relative time means since then, or until then.
      if limits.0 == limits.1 {
        return limits.0 <= Double(now)
          ? NumberRange(lower: .init(limits.0, isIncluded: true))
          : NumberRange(upper: .init(limits.0, isIncluded: true))
      }
      return NumberRange(lower: .init(limits.0, isIncluded: true), upper: .init(limits.1, isIncluded: false))
    case .above(let text, let isIncluded):
      let limits = try limits(text)
      return NumberRange(lower: .init(isIncluded ? limits.0 : limits.1, isIncluded: isIncluded || limits.0 < limits.1))
    case .below(let text, let isIncluded):
      let limits = try limits(text)
      return NumberRange(
        upper: .init(isIncluded ? limits.1 : limits.0, isIncluded: isIncluded && limits.0 == limits.1))
    case .between(let from, let to):
      let lower = from.isEmpty ? nil : NumberRange.Limit(try limits(from).0, isIncluded: true)
      var upper: NumberRange.Limit?
      if !to.isEmpty {
        let limits = try limits(to)
        upper = .init(limits.1, isIncluded: limits.0 == limits.1)
      }
      return try checked(NumberRange(lower: lower, upper: upper))
    }
  }
}
