import MediaModel
import Testing

struct WaveformPeaksTests {
  /// The worked example of the format's description: 8 kHz, 4 frames a point, the last point partly filled.
  let mono = WaveformPeaks(
    sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 1, resolution: .bits16,
    values: [-300, 200, -32768, 32767, -255, 255])

  @Test func `one channel becomes version 1`() {
    #expect(
      hex(mono.datBytes) == "0100000000000000401f00000400000003000000d4fec8000080ff7f01ffff00")
  }

  @Test func `two channels become version 2`() {
    let split = WaveformPeaks(
      sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 2, resolution: .bits8,
      values: [-11, 7, -3, 2, 0, 46, -128, 0])
    #expect(hex(split.datBytes) == "0200000001000000401f0000040000000200000002000000f507fd02002e8000")
  }

  @Test func `what was written is read back`() throws {
    #expect(try WaveformPeaks(datBytes: mono.datBytes) == mono)
  }

  @Test func `a short body gives the points that are there`() throws {
    #expect(try WaveformPeaks(datBytes: mono.datBytes.dropLast()).pointCount == 2)
  }

  @Test func `a version that nobody defined is refused with its offset`() {
    #expect(throws: ByteReader.Failure(offset: 0, reason: "version 7 is not 1 or 2")) {
      try WaveformPeaks(datBytes: [7, 0, 0, 0] + mono.datBytes.dropFirst(4))
    }
  }

  @Test func `rescaling keeps the extremes of each group`() {
    #expect(mono.rescaled(toFramesPerPoint: 8).values == [-32768, 32767, -255, 255])
  }

  @Test func `groups of a zoom that is no multiple start at the rounded-down point`() {
    // Points 0..<1, then 1..<3: floor(1 * 6 / 4) and floor(2 * 6 / 4).
    #expect(mono.rescaled(toFramesPerPoint: 6).values == [-300, 200, -32768, 32767])
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
