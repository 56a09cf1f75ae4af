import Base
import Testing

struct CompactNumberTests {
  @Test(
    arguments: [
      (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]), (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    ] as [(UInt32, [UInt8])])
  func `a number takes as many bytes as it needs, and is read back`(number: UInt32, bytes: [UInt8]) throws {
    var writer = ByteWriter()
    writer.append(compact: number)
    #expect(writer.bytes == bytes)
    var reader = ByteReader(bytes)
    #expect(try reader.readCompact() == number && reader.remainingCount == 0)
  }
}
