/// Something that a query can ask about, by its name and the kind of values it has.
package struct QueryField: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Text of any kind: matched without case and accents.
    case text
    /// The name of something that may be there: text, and the word that says that there is nothing.
    case name(none: String)
    /// Every value of one tag; also compared as a number where it starts with one.
    case tag
    /// A path: a value with a slash names folders.
    case path
    /// One of a few words.
    case keyword([String])
    /// Digits of a hash.
    case hexadecimal
    /// Whole numbers, such as years and counts.
    case integer
    case real
    /// Bytes: `10M` is ten million, `10Mi` is 10 · 2^20.
    case size
    /// Seconds: `210`, `3:30`, `1:02:03`, `3m30s`.
    case duration
    /// `2023`, `2023-04`, `2023-04-17`, as a tag has it.
    case date
    /// A moment in seconds since 1970, asked for by local date or relative to now.
    case instant

    /// Whether values are compared as numbers.
    package var isNumber: Bool {
      switch self {
      case .integer, .real, .size, .duration: true
      case .text, .name, .tag, .path, .keyword, .hexadecimal, .date, .instant: false
      }
    }
  }

  /// The number of a recording.
  package static let id = QueryField("id", .integer)

  package var name: String
  package var kind: Kind

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The frequency in Hz that `band(1000)`, `band(1k)` and the like name; nil for any other name.
  package static func bandFrequency(of name: String) -> Double? {
    guard name.hasPrefix("band("), name.hasSuffix(")") else { return nil }
    return QueryNumber(name.dropFirst(5).dropLast(), units: QueryUnits.frequency).map(\.value)
  }
}
