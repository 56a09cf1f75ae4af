import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct SoundColumnsTests {
  /// Everything that a consumer is given.
  private final class Recorder: SoundColumnConsumer {
    var samples: [Float] = []
    var columns: [[Float]] = []

    func consume(samples: UnsafeBufferPointer<Float>) { self.samples += Array(samples) }
    func consume(column: UnsafePointer<Float>) {
      columns.append(Array(UnsafeBufferPointer(start: column, count: SoundColumns.binCount)))
    }
  }

  private func record(_ samples: [Float], rate: Int, channelCount: Int = 1, blockSize: Int = .max) -> Recorder {
    let recorder = Recorder()
    let columns = SoundColumns(
      format: AudioFormat(sampleRateInHz: rate, channelCount: channelCount), consumers: [recorder])
    var assembler = ChunkAssembler(channelCount: channelCount)
    samples.forEachBlock(of: blockSize, channelCount: channelCount) { block in
      assembler.append(block) { columns.consume($0) }
    }
    assembler.finish { columns.consume($0) }
    columns.finish()
    return recorder
  }

  /// The bin that is 1,001.3 Hz at 11,025 Hz.
  private let bin = 93
  private var hz: Double { Double(bin) * SoundColumns.binWidthInHz }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 37_800, 44_100, 48_000, 88_200, 96_000, 192_000])
  func `a sine of amplitude 1 has the power 1 in its bin at any sample rate`(rate: Int) {
    let recorder = record(Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: rate), rate: rate)
    #expect(recorder.columns.count == 44)
    for column in recorder.columns.dropFirst(3).dropLast(3) {
      #expect(abs(column[bin] - 1) < 0.01)
      // A Hann window has a quarter of the power in the neighbours, and nothing beyond them.
      #expect(abs(column[bin + 1] - 0.25) < 0.01)
      #expect(column[bin + 3] < 1e-4 && column[bin - 3] < 1e-4)
    }
  }

  @Test(arguments: [8_000, 11_025, 44_100, 48_000, 192_000])
  func `the middle of a column is at a multiple of the hop`(rate: Int) {
    // A click at 0.5 s, which is sample 5,512.5, between columns 21 and 22.
    var click = [Float](repeating: 0, count: rate)
    click[rate / 2] = 1
    let sums = record(click, rate: rate).columns.map { $0[20..<200].reduce(0, +) }
    #expect(sums.firstIndex(of: sums.max() ?? 0) == 22)
    #expect(sums[21] > 0 && sums[24] < sums[23] && sums[19] < sums[20])
  }

  @Test(arguments: [0, 1, 255, 256, 257, 5_000])
  func `a stream has as many samples as it lasts, and a column for every 256 of them`(count: Int) {
    let recorder = record([Float](repeating: 0.1, count: count), rate: 11_025)
    #expect(recorder.samples.count == count)
    #expect(recorder.columns.count == (count + 255) / 256)
  }

  @Test(arguments: [1, 3, 64, 1_000, 4_096], [8_000, 44_100, 48_000])
  func `where blocks are cut does not change a bit`(blockSize: Int, rate: Int) {
    let noise = Signal.whiteNoise(frameCount: 2 * 20_003, rms: 0.3)
    let whole = record(noise, rate: rate, channelCount: 2)
    let cut = record(noise, rate: rate, channelCount: 2, blockSize: blockSize)
    #expect(cut.samples == whole.samples && cut.columns == whole.columns)
  }

  @Test func `channels that are opposite to each other are not silent`() {
    let left = Signal.sine(hz: hz, sampleRateInHz: 44_100, frameCount: 44_100, amplitude: 0.5)
    let opposite = record(Signal.interleave([left, left.map { -$0 }]), rate: 44_100, channelCount: 2)
    let alone = record(left, rate: 44_100)
    #expect(opposite.columns == alone.columns)
  }

  @Test func `samples far beyond full scale give finite powers`() {
    let samples = (0..<20_000).map { [Float(3e38), -3e38, 0, 1e38][$0 % 4] }
    let recorder = record(samples, rate: 44_100, channelCount: 2)
    #expect(recorder.columns.count == 10)
    #expect(recorder.columns.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test func `a stream below 1,000 Hz has no columns`() {
    #expect(record([Float](repeating: 1, count: 5_000), rate: 999).columns.isEmpty)
  }
}
