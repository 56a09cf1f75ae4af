internal import CXXHash
package import MediaModel

/// XXH3 with 128 bits over bytes that come in pieces.
package final class ContentHasher {
  private let state: OpaquePointer
  private(set) var byteCount: Int64 = 0
  /// Whether nothing was added at all.
  private(set) var isEmpty = true

  /// nil if there is no memory.
  package init?() {
    guard let state = XXH3_createState() else { return nil }
    self.state = state
    XXH3_128bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    XXH3_128bits_update(state, base, bytes.count)
    isEmpty = false
    byteCount += Int64(bytes.count)
  }

  /// Adds what belongs to the identity, but not to the bytes that are counted.
  func note(_ text: String) { note(Array(text.utf8)) }

  /// The same for bytes.
  func note(_ bytes: [UInt8]) {
    isEmpty = isEmpty && bytes.isEmpty
    bytes.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
  }

  /// The same for a length: eight bytes, the lowest first.
  func note(length: Int64) {
    withUnsafeBytes(of: length.littleEndian) { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
  }

  package var digest: ContentHash {
    let hash = XXH3_128bits_digest(state)
    return ContentHash(high: hash.high64, low: hash.low64)
  }
}
