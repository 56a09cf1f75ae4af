import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct WaveformPeakAnalyzerTests {
  /// The worked examples of the format's description.
  let mono: [Int16] = [0, 100, -300, 200, 513, -1_000, 32_767, -32_768, 255, -255]
  let stereo: [Int16] = [1_000, -1_000, 2_000, -500, -256, 256, -3_000, 700, 12_000, -32_768, 5, -7]

  @Test(arguments: [AudioFormat.SampleEncoding.integer, .floatingPoint], [1, 2, 3, 6])
  func `8-bit points are 16-bit points divided by 256, also if rounding decides`(
    encoding: AudioFormat.SampleEncoding, channelCount: Int
  ) {
    var random = RepeatableRandom(seed: 7)
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: channelCount, sampleEncoding: encoding)
    // Levels within 1.5 steps of a multiple of 256, of one sign in most points, and sometimes beyond full scale.
    let samples = (0..<4_000).flatMap { frame -> [Float] in
      let level = Double(256 * Int.random(in: -3...130, using: &random)) * (frame / 256 % 2 == 0 ? 1 : -1)
      return (0..<channelCount).map { _ in Float((level + Double.random(in: -1.5...1.5, using: &random)) / 32_768) }
    }
    let fine = analyze(samples, format, .mixed, framesPerPoint: 256, resolution: .bits16)
    let coarse = analyze(samples, format, .mixed, framesPerPoint: 256, resolution: .bits8)
    #expect(coarse.values == fine.values.map { $0 / 256 })
  }

  @Test func `16-bit peaks of the mono example`() {
    #expect(peaks(mono, channelCount: 1, .mixed, .bits16).values == [-300, 200, -32_768, 32_767, -255, 255])
  }

  @Test func `8-bit peaks are rounded toward zero`() {
    #expect(peaks(mono, channelCount: 1, .mixed, .bits8).values == [-1, 0, -128, 127, 0, 0])
  }

  @Test func `separate channels have their own peaks`() {
    let split = peaks(stereo, channelCount: 2, .separate(limit: 8), .bits16)
    #expect(split.values == [-3_000, 2_000, -1_000, 700, 5, 12_000, -32_768, -7])
    #expect(split.channelCount == 2)
  }

  @Test func `the mono mix is the integer mean, rounded toward zero`() {
    #expect(peaks(stereo, channelCount: 2, .mixed, .bits16).values == [-1_150, 750, -10_384, -1])
  }

  @Test func `a stream without frames has no points`() {
    #expect(peaks([], channelCount: 2, .mixed, .bits8).values.isEmpty)
  }

  @Test func `the number of separate channels is limited`() {
    let samples = (0..<40).map { Int16($0) }
    let split = peaks(samples, channelCount: 10, .separate(limit: 8), .bits16)
    #expect(split.channelCount == 8)
    #expect(split.values == (0..<8).flatMap { [Int16($0), Int16($0) + 30] })
  }

  @Test(arguments: AudioFormat.SampleEncoding.allCasesForTests, [1, 2, 3, 6])
  func `random samples give the peaks of simple arithmetic`(encoding: AudioFormat.SampleEncoding, channelCount: Int) {
    // Beyond full scale, so that samples are clamped; the length is no multiple of a vector, point or chunk.
    let samples = Signal.whiteNoise(frameCount: 3_003 * channelCount, rms: 0.5)
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: channelCount, sampleEncoding: encoding)
    for framesPerPoint in [2, 7, 256, 1_000, 5_000] {
      let mixed = reference(samples, format, framesPerPoint: framesPerPoint, mixes: true)
      #expect(analyze(samples, format, .mixed, framesPerPoint: framesPerPoint).values == mixed)
      let separate = reference(samples, format, framesPerPoint: framesPerPoint, mixes: false)
      #expect(analyze(samples, format, .separate(limit: 8), framesPerPoint: framesPerPoint).values == separate)
    }
  }

  @Test(arguments: [1, 3, 64, 1_000, 4_096])
  func `cutting the stream into blocks does not change the peaks`(blockSize: Int) {
    let samples = Signal.whiteNoise(frameCount: 2 * 9_999, rms: 0.3)
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)
    for channels in [WaveformPeakAnalyzer.Channels.mixed, .separate(limit: 8)] {
      #expect(
        analyze(samples, format, channels, framesPerPoint: 300, blockSize: blockSize)
          == analyze(samples, format, channels, framesPerPoint: 300))
    }
  }

  @Test(
    .enabled(if: Corpora.root != nil, "shared/corpora is not beside the project"),
    arguments: ["stereo", "speech-mono"], [256, 1_000])
  func `equal audiowaveform's bytes`(name: String, framesPerPoint: Int) throws {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let wave = try WaveFile(folder.appending(path: "\(name).wav"))
    let format = AudioFormat(
      sampleRateInHz: wave.sampleRateInHz, channelCount: wave.channelCount, sampleEncoding: .integer)
    for resolution in [WaveformPeaks.Resolution.bits8, .bits16] {
      for split in [false, true] where wave.channelCount > 1 || !split {
        let file = "\(name).wav.b\(resolution.rawValue).z\(framesPerPoint)\(split ? ".split" : "").dat"
        let expected = [UInt8](try Data(contentsOf: folder.appending(path: file)))
        let peaks = analyze(
          wave.floats, format, split ? .separate(limit: 8) : .mixed, framesPerPoint: framesPerPoint,
          resolution: resolution)
        #expect(peaks.datBytes == expected, "\(file)")
      }
    }
  }

  private func peaks(
    _ samples: [Int16], channelCount: Int, _ channels: WaveformPeakAnalyzer.Channels,
    _ resolution: WaveformPeaks.Resolution
  ) -> WaveformPeaks {
    let format = AudioFormat(sampleRateInHz: 8_000, channelCount: channelCount, sampleEncoding: .integer)
    return analyze(samples.map { Float($0) / 32_768 }, format, channels, framesPerPoint: 4, resolution: resolution)
  }

  private func analyze(
    _ samples: [Float], _ format: AudioFormat, _ channels: WaveformPeakAnalyzer.Channels, framesPerPoint: Int,
    resolution: WaveformPeaks.Resolution = .bits16, blockSize: Int = .max
  ) -> WaveformPeaks {
    var analyzer = WaveformPeakAnalyzer(
      format: format, channels: channels, framesPerPoint: framesPerPoint, resolution: resolution)
    samples.forEachBlock(of: blockSize, channelCount: format.channelCount) { analyzer.consume($0) }
    return analyzer.finish()
  }

  /// Minimum and maximum of 16-bit integers, sample by sample.
  private func reference(
    _ samples: [Float], _ format: AudioFormat, framesPerPoint: Int, mixes: Bool
  ) -> [Int16] {
    let integers = samples.map { sample -> Int in
      let scaled =
        format.sampleEncoding == .integer ? (sample * 32_768).rounded(.down) : (sample * 32_767).rounded(.towardZero)
      return max(-32_768, min(Int(scaled), 32_767))
    }
    let count = format.channelCount
    let frames = stride(from: 0, to: integers.count, by: count).map { start in
      mixes ? [integers[start..<start + count].reduce(0, +) / count] : Array(integers[start..<start + count])
    }
    return stride(from: 0, to: frames.count, by: framesPerPoint).flatMap { start in
      let point = frames[start..<min(start + framesPerPoint, frames.count)]
      return (0..<frames[0].count).flatMap { line in
        let values = point.map { Int16($0[line]) }
        return [values.min() ?? 0, values.max() ?? 0]
      }
    }
  }
}

extension AudioFormat.SampleEncoding {
  static let allCasesForTests: [AudioFormat.SampleEncoding] = [.integer, .floatingPoint]
}
