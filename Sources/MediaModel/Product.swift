/// One stored analysis of one recording, with what is needed to know whether it must be made again.
package struct Product: Hashable, Sendable {
  package var kind: ProductKind
  /// Version of the algorithm that made it; a higher one makes this product stale.
  package var version: Int
  /// The settings that shaped it, in the form `name=value name=value`.
  package var parameters: String
  /// In the layout that docs/formats.md gives for `kind` and `version`.
  package var bytes: [UInt8]

  package init(kind: ProductKind, version: Int, parameters: String, bytes: [UInt8]) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
    self.bytes = bytes
  }
}
