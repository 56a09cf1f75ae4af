/// A reader of bytes that nobody vouches for, as fuzzing puts it to the test.
package protocol FuzzTarget: Sendable {
  /// In words that can be typed and are names of folders: `worker-message`.
  var name: String { get }

  /// Inputs to begin with: small, and right, or wrong in a way that once was found.
  var seeds: [[UInt8]] { get throws }

  /// Words of the format, which chance would take long to spell.
  var dictionary: [String] { get }

  /// Inputs are not made longer than this.
  var maximumByteCount: Int { get }

  /// How many changed inputs the tests try: what takes a second or two.
  var repetitionCount: Int { get }

  /// Reads `bytes`; refusing them is right, a trap or a hang is not.
  ///
  /// - Throws: `PropertyFailure` where what was read breaks a promise.
  func check(_ bytes: [UInt8]) throws
}

extension FuzzTarget {
  package var dictionary: [String] { [] }
  package var maximumByteCount: Int { 4096 }
  package var repetitionCount: Int { 2_000 }
}
