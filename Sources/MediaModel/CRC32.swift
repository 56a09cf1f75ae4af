/// The checksum of zlib, gzip and PNG, so that stored bytes can be checked with any of their tools.
package enum CRC32 {
  /// - Complexity: O(n), eight bytes a step.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { buffer in
      tables.withUnsafeBufferPointer { tables in
        var crc: UInt32 = ~0
        var index = 0
        while index + 8 <= buffer.count {
          let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(crc)
          crc = 0
          for byte in 0..<8 {
            let value = Int(truncatingIfNeeded: (word >> UInt64(8 * byte)) & 255)
            crc ^= tables[(7 - byte) * 256 + value]
          }
          index += 8
        }
        while index < buffer.count {
          crc = (crc >> 8) ^ tables[Int((crc ^ UInt32(buffer[index])) & 255)]
          index += 1
        }
        return ~crc
      }
    }
  }

  /// Eight tables of 256: the k-th is the checksum of a byte that k zero bytes follow.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    tables.reserveCapacity(2048)
    for byte in 0..<UInt32(256) {
      var crc = byte
      for _ in 0..<8 { crc = (crc & 1 == 1) ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
      tables.append(crc)
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append((before >> 8) ^ tables[Int(before & 255)])
    }
    return tables
  }()
}
