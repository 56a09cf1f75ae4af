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

/// A file of gzip (RFC 1952) that is written piece by piece.
package final class GzipWriter {
  private let stream: OpaquePointer

  /// nil if there is no memory for it.
  package init?() {
    guard let stream = dw_gzip_open(4) else { return nil }
    self.stream = stream
  }

  deinit { dw_gzip_close(stream) }

  /// The next bytes of the file, from which all of `bytes` can be read.
  ///
  /// - Parameter isLast: Whether the file ends with them; nothing may follow.
  package func compressed(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var result: [UInt8] = []
    bytes.withUnsafeBufferPointer { buffer in
      var (rest, count) = (buffer.baseAddress, buffer.count)
      var written: Int
      let capacity = max(1 << 12, bytes.count / 2)
      repeat {
        let part = [UInt8](unsafeUninitializedCapacity: capacity) { output, size in
          size = dw_gzip_write(stream, &rest, &count, isLast ? 1 : 0, output.baseAddress, capacity)
        }
        written = part.count
        result += part
      } while written == capacity
    }
    return result
  }
}
