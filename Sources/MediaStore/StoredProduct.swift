package import MediaModel

/// A product in the library, without its bytes.
package struct StoredProduct: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String
  package var byteCount: Int64

  package init(kind: ProductKind, version: Int, parameters: String, byteCount: Int64) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
    self.byteCount = byteCount
  }
}
