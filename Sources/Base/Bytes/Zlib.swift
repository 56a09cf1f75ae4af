internal import CZlib

/// Compression by zlib.
package enum Zlib {
  /// A file of gzip (RFC 1952), as HTTP uses it; nil if there is no memory for it.
  ///
  /// - Parameter isSmallest: Whether to take the time that the smallest result needs.
  package static func gzipped(_ bytes: [UInt8], isSmallest: Bool) -> [UInt8]? {
    let capacity = dw_gzip_bound(bytes.count)
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = dw_gzip(bytes, bytes.count, isSmallest ? 9 : 4, buffer.baseAddress, capacity)
    }
    return result.isEmpty ? nil : result
  }

  /// What was compressed (RFC 1950); nil if it is broken, or longer than `limit`.
  package static func inflated(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    var capacity = min(limit, max(4096, 4 * bytes.count))
    while true {
      var size = 0
      let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        size = dw_inflate(source, bytes.count, buffer.baseAddress, buffer.count)
        count = max(0, size)
      }
      if size >= 0 { return result }
      guard size == DW_INFLATE_NO_ROOM, capacity < limit else { return nil }
      capacity = min(limit, 4 * capacity)
    }
  }
}
