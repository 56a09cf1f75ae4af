/// Why a preset cannot be: one sentence that names the value and what it may be.
package struct PresetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// `value` if it is a number of `range`.
  ///
  /// - Parameter name: Begins the sentence, such as `gain`.
  /// - Returns: Never a negative zero.
  package static func checked(
    _ value: Double, _ name: String, in range: ClosedRange<Double>, unit: String
  ) throws(PresetError) -> Double {
    guard value.isFinite, range.contains(value) else {
      let suffix = unit.isEmpty ? "" : " " + unit
      let found = value.isFinite ? DecimalText.number(value, places: 3) + suffix : "no number"
      let low = DecimalText.number(range.lowerBound, places: 3)
      let high = DecimalText.number(range.upperBound, places: 3)
      throw PresetError("\(name) is \(found), it may be \(low) to \(high)\(suffix)")
    }
    return value == 0 ? 0 : value
  }
}
