package import MediaModel

/// A product in the library, without its bytes.
package struct StoredProduct: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String
  package var byteCount: Int64
}
