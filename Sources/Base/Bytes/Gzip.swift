internal import CZlib

/// Compression as in files of gzip (RFC 1952), which HTTP uses.
package enum Gzip {
  /// nil if there is no memory for it.
  ///
  /// - Parameter isSmallest: Whether to take the time that the smallest result needs.
  package static func compressed(_ bytes: [UInt8], isSmallest: Bool) -> [UInt8]? {
    let capacity = dw_gzip_bound(bytes.count)
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = dw_gzip(bytes, bytes.count, isSmallest ? 9 : 4, buffer.baseAddress, capacity)
    }
    return result.isEmpty ? nil : result
  }
}
