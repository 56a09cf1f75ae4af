package import MediaModel

/// The value of one field in one row of a list.
package enum FieldValue: Hashable, Sendable {
  case none
  case text(String)
  case integer(Int64)
  case real(Double)
  case path(BytePath)
  /// Seconds since 1970.
  case instant(Int64)
}
