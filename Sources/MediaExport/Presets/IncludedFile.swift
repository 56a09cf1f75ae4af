/// A file that another one names, as whoever knows files found it.
package struct IncludedFile: Sendable {
  /// Two files are one where these are equal: a path without links, for example.
  package var identity: String
  package var bytes: [UInt8]

  package init(identity: String, bytes: [UInt8]) {
    self.identity = identity
    self.bytes = bytes
  }

  /// Finds the file that `name` stands for in the file of the given identity (nil: the file itself); nil where there is none.
  package typealias Finder = (_ name: String, _ includer: String?) -> IncludedFile?
}
