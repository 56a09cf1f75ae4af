internal import CZlib

/// Bytes that zlib has compressed (RFC 1950).
package enum Zlib {
  /// What was compressed; nil if it is broken, or longer than `limit`.
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
