/// A promise that does not hold for some input.
package struct PropertyFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Throws a `PropertyFailure` with `description` unless `condition` holds.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw PropertyFailure(description()) }
}
