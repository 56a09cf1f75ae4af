import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct SpectrogramAnalyzerTests {
  private func analyze(
    _ samples: [Float], _ recipe: SpectrogramRecipe, rate: Int = 44_100, channelCount: Int = 1, blockSize: Int = .max
  ) -> SpectrogramLevels {
    let format = AudioFormat(sampleRateInHz: rate, channelCount: channelCount, sampleEncoding: .floatingPoint)
    var analyzer = SpectrogramAnalyzer(format: format, recipe)
    let needed = SpectrogramAnalyzer.framesNeeded(for: recipe, sampleRateInHz: rate)
    let frames = Int(needed.lowerBound)..<min(Int(needed.upperBound), samples.count / channelCount)
    Array(samples[frames.lowerBound * channelCount..<frames.upperBound * channelCount])
      .forEachBlock(of: blockSize, channelCount: channelCount) { analyzer.consume($0) }
    return analyzer.finish()
  }

  private func standard(_ start: Int64, _ framesPerColumn: Int, _ count: Int) -> SpectrogramRecipe {
    SpectrogramRecipe(
      firstFrame: start, framesPerColumn: framesPerColumn, columnCount: count,
      edgesInHz: SpectrumBands.standard.edgesInHz)
  }

  @Test(arguments: [8_000, 44_100, 48_000, 192_000], [64, 441, 2_000, 20_000])
  func `a full-scale sine in the middle of a wide band reads 0 dB in every column`(rate: Int, hop: Int) {
    let edges = SpectrumBands(count: 20, fromHz: 100, toHz: 18_000).edgesInHz
    for band in stride(from: 2, to: 20, by: 3) where edges[band + 1] < 0.49 * Double(rate) {
      let hertz = (edges[band] * edges[band + 1]).squareRoot()
      let sine = Signal.sine(hz: hertz, sampleRateInHz: rate, frameCount: 2 * rate + 3 * hop)
      let result = analyze(
        sine, SpectrogramRecipe(firstFrame: Int64(rate), framesPerColumn: hop, columnCount: 3, edgesInHz: edges),
        rate: rate)
      for column in 0..<3 {
        let levels = result.levelsInDB[column * 20..<column * 20 + 20]
        #expect(abs(levels[column * 20 + band]) < 0.1, "band \(band)")
        let others = levels.enumerated().filter { abs($0.offset - band) > 2 }.map(\.element)
        #expect((others.max() ?? 0) < -55, "others than band \(band)")
      }
    }
  }

  @Test(arguments: [64, 256, 1_000, 5_000])
  func `the loudest band of a sweep contains its frequency in the middle of the column`(hop: Int) throws {
    let (rate, low, high, length) = (44_100.0, 150.0, 15_000.0, 441_000)
    let growth = log(high / low) / Double(length)
    let sweep = (0..<length).map { Float(sin(2 * .pi * low * (exp(growth * Double($0)) - 1) / growth / rate)) }
    let recipe = standard(100_000, hop, 150_000 / hop)
    let levels = analyze(sweep, recipe).levelsInDB
    var worst = 0.0
    for column in 0..<recipe.columnCount {
      let middle = 100_000 + (Double(column) + 0.5) * Double(hop)
      let hertz = low * exp(growth * middle)
      let band = try #require((0..<80).max { levels[column * 80 + $0] < levels[column * 80 + $1] })
      let (bottom, top) = (recipe.edgesInHz[band], recipe.edgesInHz[band + 1])
      worst = max(worst, bottom / hertz, hertz / top)
    }
    // Values above 1 come from columns in which the sweep crosses an edge.
    #expect(worst < 1 + 0.02 * Double(hop) / 5_000 + 0.003)
  }

  /// With the window and the discrete Fourier transform by their definitions.
  @Test func `levels are those of a transform in double precision`() {
    let noise = Signal.whiteNoise(frameCount: 4_096, rms: 0.1)
    let edges = [1_000.0, 2_000, 3_000.5, 9_999]
    let result = analyze(
      noise,
      SpectrogramRecipe(
        firstFrame: 1_000, framesPerColumn: 300, columnCount: 3, edgesInHz: edges, windowFrameCount: 1_024))
    for column in 0..<3 {
      let start = 1_000 + 300 * column + 150 - 512
      let windowed = (0..<1_024).map { index in
        Double(noise[start + index]) * pow(sin(.pi * (Double(index) + 0.5) / 1_024), 2)
      }
      let transform = ReferenceSpectrum.transform(real: windowed, imaginary: [Double](repeating: 0, count: 1_024))
      for band in 0..<3 {
        let (low, high) = (edges[band] / 44_100 * 1_024, edges[band + 1] / 44_100 * 1_024)
        var sum = 0.0
        for bin in 0..<512 {
          let share = max(0, min(high, Double(bin) + 0.5) - max(low, Double(bin) - 0.5))
          sum += share * (pow(transform.real[bin], 2) + pow(transform.imaginary[bin], 2))
        }
        // A sine of amplitude 1 has 3/8 · 1024²/4 in its bins: the mean of the squared window is 3/8.
        let expected = 10 * log10(sum / (3.0 / 8 * 1_024 * 1_024 / 4))
        #expect(abs(Double(result.levelsInDB[column * 3 + band]) - expected) < 0.001)
      }
    }
  }

  @Test(arguments: [1, 7, 1_024, 5_000])
  func `cutting the stream into blocks does not change the levels`(blockSize: Int) {
    let noise = Signal.whiteNoise(frameCount: 40_000, rms: 0.1)
    let recipe = standard(3_000, 777, 12)
    #expect(
      analyze(noise, recipe, channelCount: 2, blockSize: blockSize) == analyze(noise, recipe, channelCount: 2))
  }

  @Test func `a part has the same levels as the whole`() {
    let noise = Signal.whiteNoise(frameCount: 60_000, rms: 0.1)
    let whole = analyze(noise, standard(0, 500, 120)).levelsInDB
    let part = analyze(noise, standard(20_000, 500, 5)).levelsInDB
    let difference = zip(whole[40 * 80..<45 * 80], part).map { abs($0 - $1) }.max() ?? .infinity
    #expect(difference < 0.001)
  }

  @Test func `before and after the recording is silence`() {
    let constant = Signal.sine(hz: 1_000, sampleRateInHz: 44_100, frameCount: 10_000)
    let levels = analyze(constant, standard(0, 1_000, 30)).levelsInDB
    let loudest = (0..<30).map { column in levels[column * 80..<column * 80 + 80].max() ?? 0 }
    #expect(loudest[5] > -3.1)
    #expect(loudest[20...].allSatisfy { $0 == -120 })
    #expect(analyze([], standard(0, 1_000, 3)).levelsInDB == [Float](repeating: -120, count: 240))
  }

  @Test func `a click is in its column`() {
    var samples = [Float](repeating: 0, count: 44_100)
    samples[22_050 + 32] = 1
    let recipe = SpectrogramRecipe(
      firstFrame: 21_410, framesPerColumn: 64, columnCount: 21, edgesInHz: [2_000, 4_000, 8_000, 16_000],
      windowFrameCount: 64)
    let levels = analyze(samples, recipe).levelsInDB
    for band in 0..<3 {
      let loudest = (0..<21).max { levels[$0 * 3 + band] < levels[$1 * 3 + band] }
      #expect(loudest == 10)
    }
  }

  @Test func `bands above half the rate are at the floor`() {
    let noise = Signal.whiteNoise(frameCount: 8_000, rms: 0.1)
    let levels = analyze(noise, standard(0, 500, 4), rate: 8_000).levelsInDB
    for band in 0..<80 {
      #expect((levels[80 + band] == -120) == (SpectrumBands.standard.edgesInHz[band] >= 4_000), "band \(band)")
    }
  }

  @Test func `columns can be an hour long`() {
    let levels = analyze(Signal.whiteNoise(frameCount: 10_000, rms: 0.1), standard(0, 1 << 27, 1)).levelsInDB
    #expect(levels.count == 80)
  }
}
