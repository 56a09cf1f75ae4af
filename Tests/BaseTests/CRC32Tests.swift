import Base
import Testing

struct CRC32Tests {
  @Test func `the check value of the standard`() {
    #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.checksum([]) == 0)
  }

  @Test(arguments: 0..<40)
  func `eight bytes a step give what one bit a step gives`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = (crc & 1 == 1) ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    #expect(CRC32.checksum(bytes) == ~crc)
  }
}
