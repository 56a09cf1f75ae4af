import Base
import Testing

struct ArgumentTextTests {
  @Test(arguments: [
    Array("plain".utf8), Array("Émilie 夜 🎵".utf8), [0xFF, 0xFE], [0x61, 0xC3], [0xC3, 0x28, 0x62], [0xE5, 0xA4],
    [0xED, 0xA0, 0x80], [],
  ])
  func `every argument comes back byte for byte`(bytes: [UInt8]) {
    #expect(ArgumentText.bytes(of: ArgumentText.text(ofBytes: bytes)) == bytes)
  }

  @Test func `valid text is left as it is`() {
    #expect(ArgumentText.text(ofBytes: Array("cafe\u{301}".utf8)).unicodeScalars.count == 5)
  }
}
