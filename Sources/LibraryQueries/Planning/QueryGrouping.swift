internal import LibraryDatabase
internal import MediaStore
package import QueryLanguage

/// Groups the files of a query by equal values, and computes a count and measures of each group. A file with several values of a key,
/// such as two artists, is in the group of each.
package struct QueryGrouping: Hashable, Sendable {
  /// Empty for one group of all files.
  package var keys: [Key]
  package var hasCount: Bool
  package var measures: [Measure]

  package init(by keys: [Key], hasCount: Bool, measures: [Measure]) {
    self.keys = keys
    self.hasCount = hasCount
    self.measures = measures
  }

  package static let count = QueryField("count", .integer)

  /// The columns of a row: the keys, the count, the measures.
  package var fields: [QueryField] {
    keys.map(\.column) + (hasCount ? [Self.count] : []) + measures.map(\.column)
  }

  /// What files of one group have in common.
  package struct Key: Hashable, Sendable {
    package enum Period: String, CaseIterable, Sendable {
      case day, month, year

      /// The number of characters of an ISO date.
      fileprivate var length: Int {
        switch self {
        case .day: 10
        case .month: 7
        case .year: 4
        }
      }
    }

    package let field: QueryField
    /// For dates and times; nil for the value itself.
    package let period: Period?

    /// - Parameter period: nil for days of times, and for the value of any other field.
    /// - Returns: nil if the field has no such periods.
    package init?(_ field: QueryField, by period: Period?) {
      let isTime = field.kind == .instant
      guard period == nil || isTime || field.kind == .date else { return nil }
      self.field = field
      self.period = period ?? (isTime ? .day : nil)
    }

    fileprivate var column: QueryField { QueryField(field.name, period == nil ? field.kind : .date) }

    /// Whether values that differ only by case and accents are in one group, as players have genres.
    var joinsSpellings: Bool { field.name == "genre" }

    /// Times are those of the local time zone.
    func sql(_ column: String) -> String {
      guard let period else { return column }
      let date = field.kind == .instant ? "datetime(\(column), 'unixepoch', 'localtime')" : column
      return "substr(\(date), 1, \(period.length))"
    }
  }

  /// A number about all files of a group.
  package struct Measure: Hashable, Sendable {
    /// By the names of SQL's functions.
    package enum Function: String, CaseIterable, Sendable {
      case sum, avg, min, max, median
    }

    package let function: Function
    package let field: QueryField

    /// - Returns: nil if the function of these values means nothing, such as a sum of decibels.
    package init?(_ function: Function, of field: QueryField) {
      guard function == .sum ? field.canBeSummed : field.kind.isNumber else { return nil }
      self.function = function
      self.field = field
    }

    /// A sum has the name of its field.
    fileprivate var column: QueryField {
      QueryField(function == .sum ? field.name : "\(function.rawValue)_\(field.name)", field.kind)
    }

    func sql(_ column: String) -> String { "\(function.rawValue)(\(column))" }
  }
}

extension QueryField {
  /// Whether a sum of values means something: that of lengths, sizes and counts does, that of levels and years does not.
  var canBeSummed: Bool {
    switch kind {
    case .size, .duration: true
    case .integer: ["clipped", "attempts"].contains(name)
    default: false
    }
  }

  /// The field that a column is about, which may be a measure of a group.
  package var measuredName: Substring {
    for function in QueryGrouping.Measure.Function.allCases where name.hasPrefix(function.rawValue + "_") {
      return name.dropFirst(function.rawValue.count + 1)
    }
    return name[...]
  }
}
