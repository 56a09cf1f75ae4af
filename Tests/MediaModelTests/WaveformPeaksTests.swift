import Base
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

  @Test(arguments: [(9, 2), (8, 2), (7, 2), (13, 3), (5, 1)])
  func `the last point that the audio reaches takes what is left`(frameCount: Int64, pointCount: Int) throws {
    // Points of 4 frames, as many as there would be of 6 frames from so much audio.
    let old = (Int(frameCount) + 3) / 4
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 4, channelCount: 1, resolution: .bits16,
      values: (0..<old).flatMap { [Int16(-$0 - 1), Int16($0 + 1)] })
    let coarse = peaks.rescaled(toFramesPerPoint: 6, frameCount: frameCount)
    #expect(coarse.pointCount == pointCount)
    #expect(coarse.values.suffix(2) == [Int16(-old), Int16(old)])
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
