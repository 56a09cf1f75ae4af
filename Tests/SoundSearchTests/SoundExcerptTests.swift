import Foundation
import MediaModel
import Testing
import TestSupport

@testable import SoundSearch

struct SoundExcerptTests {
  @Test func `raw samples of every format are read as the numbers that they are`() {
    func samples(_ sample: RawFormat.Sample, _ bytes: [UInt8]) -> [Float] {
      RawFormat(audio: AudioFormat(sampleRateInHz: 44_100, channelCount: 1), sample: sample).samples(bytes[...])
    }
    #expect(samples(.u8, [0, 128, 192]) == [-1, 0, 0.5])
    #expect(samples(.s16, [0, 0x80, 0, 0x40, 0, 0]) == [-1, 0.5, 0])
    #expect(samples(.s24, [0, 0, 0xC0, 0, 0, 0x20]) == [-0.5, 0.25])
    #expect(samples(.s32, [0, 0, 0, 0x80]) == [-1])
    #expect(samples(.f32, [0, 0, 0, 0x3F, 0, 0, 0xC0, 0x7F]) == [0.5, 0])
  }

  @Test(arguments: [1, 3, 1_000])
  func `where reads are cut makes no difference`(size: Int) throws {
    let sound = Signal.chords(seconds: 3, sampleRateInHz: 11_025)
    var bytes: [UInt8] = []
    for sample in sound { withUnsafeBytes(of: Int16(sample * 32_000).littleEndian) { bytes += $0 } }
    func landmarks(_ size: Int) throws -> ExcerptLandmarks {
      var rest = bytes[...]
      let format = RawFormat(audio: AudioFormat(sampleRateInHz: 11_025, channelCount: 1), sample: .s16)
      return try SoundExcerpt(raw: format, limitInSeconds: 2) {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }.landmarks
    }
    #expect(try landmarks(size) == landmarks(.max))
    #expect(try landmarks(size).usual.columnCount == Int32((2 * 11_025 + 255) / 256))
  }
}
