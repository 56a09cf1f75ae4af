internal import CZlib

/// The checksum of zlib, gzip and PNG; common tools can verify stored bytes with it.
package enum CRC32 {
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    dw_crc32(bytes, bytes.count)
  }

  /// That of what `checksum` is of, followed by more bytes; 0 is that of nothing.
  package static func checksum(_ checksum: UInt32, continuedWith bytes: [UInt8]) -> UInt32 {
    dw_crc32_continued(checksum, bytes, bytes.count)
  }

  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    dw_crc32(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}

/// The CRC of Ogg pages: polynomial 0x04C11DB7, most significant bit first, no inversion (RFC 3533 section 6).
package enum OggChecksum {
  /// Eight tables of 256 entries, to process eight bytes per step.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte) << 24
      for _ in 0..<8 { value = value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
      tables[byte] = value
    }
    for slice in 1..<8 {
      for byte in 0..<256 {
        let last = tables[(slice - 1) * 256 + byte]
        tables[slice * 256 + byte] = last << 8 ^ tables[Int(last >> 24)]
      }
    }
    return tables
  }()

  /// The checksum of a whole page; the bytes of its checksum field count as zero.
  package static func ofPage(_ page: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var crc: UInt32 = 0
      for index in 0..<min(page.count, 26) {
        let byte = (22..<26).contains(index) ? 0 : page[index]
        crc = crc << 8 ^ tables[Int(crc >> 24) ^ Int(byte)]
      }
      var index = 26
      while index + 8 <= page.count {
        let high = page.loadUnaligned(fromByteOffset: index, as: UInt32.self).bigEndian ^ crc
        let low = page.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self).bigEndian
        crc =
          tables[7 * 256 + Int(high >> 24)] ^ tables[6 * 256 + Int(high >> 16 & 255)]
          ^ tables[5 * 256 + Int(high >> 8 & 255)] ^ tables[4 * 256 + Int(high & 255)]
          ^ tables[3 * 256 + Int(low >> 24)] ^ tables[2 * 256 + Int(low >> 16 & 255)]
          ^ tables[256 + Int(low >> 8 & 255)] ^ tables[Int(low & 255)]
        index += 8
      }
      while index < page.count {
        crc = crc << 8 ^ tables[Int(crc >> 24) ^ Int(page[index])]
        index += 1
      }
      return crc
    }
  }
}
