/// A reader of untrusted bytes, to be fuzzed.
package protocol FuzzTarget: Sendable {
  /// A name that can be typed and names a folder: `worker-message`.
  var name: String { get }

  /// Inputs to start with: small, and correct, or wrong in a way that was found before.
  var seeds: [[UInt8]] { get throws }

  /// Words of the format, which random changes would take long to produce.
  var dictionary: [String] { get }

  /// The longest input.
  var maximumByteCount: Int { get }

  /// How many changed inputs the tests try, in a second or two.
  var repetitionCount: Int { get }

  /// Reads `bytes`, which it may refuse; it must not trap or hang.
  ///
  /// - Throws: `PropertyFailure` if what was read breaks a promise.
  func check(_ bytes: [UInt8]) throws
}

extension FuzzTarget {
  package var dictionary: [String] { [] }
  package var maximumByteCount: Int { 4096 }
  package var repetitionCount: Int { 2_000 }
}

/// A promise that does not hold for some input.
package struct PropertyFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Throws a `PropertyFailure` with `description` unless `condition` holds.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw PropertyFailure(description()) }
}
