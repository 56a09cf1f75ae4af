/// Why a product is not what this version of the program would make.
package enum RedoReason: String, CaseIterable, Comparable, Sendable {
  case missing
  /// Its bytes are not those that were written, or are gone.
  case damaged
  case olderVersion = "older version"
  case newerVersion = "newer version"
  case otherParameters = "other parameters"
  /// It is, and is asked for all the same.
  case forced

  package static func < (left: RedoReason, right: RedoReason) -> Bool { left.rawValue < right.rawValue }
}
