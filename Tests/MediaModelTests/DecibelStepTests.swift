import MediaModel
import Testing

struct DecibelStepTests {
  @Test func `every byte stands for a level that becomes the same byte again`() {
    for byte in UInt8.min...UInt8.max { #expect(DecibelStep.encode(DecibelStep.decode(byte)) == byte) }
  }

  @Test(arguments: [(-120, 0), (0, 240), (7.5, 255), (-119.8, 0), (-119.7, 1), (-59.9, 120)] as [(Float, UInt8)])
  func `a level becomes the nearest step`(decibels: Float, byte: UInt8) {
    #expect(DecibelStep.encode(decibels) == byte)
  }

  @Test(arguments: [(.nan, 0), (-.infinity, 0), (-1e30, 0), (.infinity, 255), (1e30, 255)] as [(Float, UInt8)])
  func `what is not a level stays within a byte`(decibels: Float, byte: UInt8) {
    #expect(DecibelStep.encode(decibels) == byte)
  }
}
