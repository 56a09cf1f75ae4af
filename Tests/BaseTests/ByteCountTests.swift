import Base
import Testing

struct ByteCountTests {
  @Test(arguments: [
    ("0", 0), ("268435456", 268_435_456), ("256M", 256_000_000), ("256MiB", 268_435_456), ("64mi", 67_108_864),
    ("1.5k", 1500), ("2GB", 2_000_000_000),
  ])
  func `a number of bytes is read with its unit`(text: String, count: Int) {
    #expect(ByteCount.parse(text) == count)
  }

  @Test(arguments: ["", "-1", "M", "1.5", "256 M", "1e9", "nan", "0x10", "99999999T", "12X"])
  func `anything else is none`(text: String) { #expect(ByteCount.parse(text) == nil) }
}
