import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct SpectrumAnalyzerTests {
  private let bands = SpectrumBands.standard

  @Test(arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000, 384_000])
  func `a full-scale sine in the middle of a band reads 0 dB there`(rate: Int) throws {
    for band in stride(from: 0, to: 80, by: 5) where bands.edgesInHz[band + 1] < 0.49 * Double(rate) {
      let sine = Signal.sine(hz: bands.center(of: band), sampleRateInHz: rate, frameCount: 3 * rate)
      let mix = try analyze(sine, sampleRateInHz: rate, kinds: [.spectrum]).spectrum.mix
      #expect(abs(mix.meanInDB[band]) < 0.1, "mean of band \(band)")
      #expect(abs(mix.maximumInDB[band]) < 0.1, "maximum of band \(band)")
      let faded = try analyze(Signal.faded(sine), sampleRateInHz: rate, kinds: [.spectrum]).spectrum.mix
      let others = faded.maximumInDB.enumerated().filter { abs($0.offset - band) > 2 }.map(\.element)
      #expect(abs(faded.maximumInDB[band]) < 0.1, "faded band \(band)")
      #expect((others.max() ?? 0) < -50, "others than band \(band)")
    }
  }

  @Test(arguments: [8_000, 44_100, 96_000])
  func `white noise reads the power of each band`(rate: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 30 * rate, rms: 0.1)
    let mix = try analyze(noise, sampleRateInHz: rate, kinds: [.spectrum]).spectrum.mix
    var worst = 0.0
    for band in 0..<80 where bands.edgesInHz[band + 1] < Double(rate) / 2 {
      let width = bands.edgesInHz[band + 1] - bands.edgesInHz[band]
      // A full-scale sine has the power 1/2.
      let expected = 10 * log10(0.01 * width / (Double(rate) / 2) / 0.5)
      // The level of a band of noise scatters by 4.34 dB divided by the square root of the number of independent
      // measurements.
      let scatter = 4.34 / (width * 30).squareRoot()
      worst = max(worst, abs(Double(mix.meanInDB[band]) - expected) / (0.02 + 4.5 * scatter))
    }
    #expect(worst < 1)
  }

  @Test func `the bands of noise add up to its power`() throws {
    let noise = Signal.whiteNoise(frameCount: 44_100 * 20, rms: 0.1)
    let mix = try analyze(noise, kinds: [.spectrum]).spectrum.mix
    let sum = mix.meanInDB.reduce(0.0) { $0 + pow(10, Double($1) / 10) }
    #expect(abs(10 * log10(sum) - 10 * log10(0.01 * 17_900 / 22_050 / 0.5)) < 0.05)
  }

  @Test func `bands above half the rate stay at the floor`() throws {
    let mix = try analyze(
      Signal.whiteNoise(frameCount: 8_000, rms: 0.1), sampleRateInHz: 8_000, kinds: [.spectrum]
    ).spectrum.mix
    for band in 0..<80 { #expect((mix.meanInDB[band] == -120) == (bands.edgesInHz[band] >= 4_000), "band \(band)") }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func `a full-scale sine on a linear bin reads 0 dB there`(rate: Int) throws {
    let width = SpectrumPlan(sampleRateInHz: rate, bands: bands).stages[0].binWidthInHz
    let sine = Signal.sine(hz: 100 * width, sampleRateInHz: rate, frameCount: rate)
    let mean = try analyze(sine, sampleRateInHz: rate, kinds: [.spectrum]).spectrum.bins.meanInDB
    #expect(abs(mean[100]) < 0.1)
    let summary = try analyze(Signal.faded(sine), sampleRateInHz: rate, kinds: [.spectrum]).spectrum
    #expect(abs(summary.bins.maximumInDB[100]) < 0.02)
    // The next bin has the value of the window's transform one bin from its middle.
    let window = ReferenceSpectrum.window(2_048)
    let neighbour = ReferenceSpectrum.transform(real: window, imaginary: window.map { _ in 0 })
    let expected = 20 * log10(hypot(neighbour.real[1], neighbour.imaginary[1]) / neighbour.real[0])
    #expect(abs(Double(summary.bins.maximumInDB[101]) - expected) < 0.05)
    #expect(summary.bins.maximumInDB[300] < -110)
    #expect(abs(summary.binWidthInHz - width) < 1e-9)
  }

  @Test func `a constant of 1 reads 0 dB in the first bin`() throws {
    let constant = Signal.faded([Float](repeating: 1, count: 44_100))
    let bins = try analyze(constant, kinds: [.spectrum]).spectrum.bins
    #expect(bins.meanInDB.count == 1_025)
    #expect(abs(bins.maximumInDB[0]) < 0.02)
    #expect(bins.maximumInDB[300] < -110)
  }

  @Test func `frames equal the transform in double precision`() throws {
    let noise = Signal.whiteNoise(frameCount: 2_048, rms: 0.2)
    // Frames begin at -256, 1280, 2816 and so on: the second contains all of the noise.
    let signal = [Float](repeating: 0, count: 1_280) + noise + [Float](repeating: 0, count: 4_096)
    let bins = try analyze(signal, kinds: [.spectrum]).spectrum.bins
    let window = ReferenceSpectrum.window(2_048)
    let sumOfWindow = window.reduce(0, +)
    var maxima = [Double](repeating: 0, count: 1_025)
    for start in [-256, 1_280, 2_816] {
      let frame = (0..<2_048).map { index in
        let position = start + index
        return signal.indices.contains(position) ? Double(signal[position]) * window[index] : 0
      }
      let result = ReferenceSpectrum.transform(real: frame, imaginary: [Double](repeating: 0, count: 2_048))
      for bin in 0...1_024 {
        let power = result.real[bin] * result.real[bin] + result.imaginary[bin] * result.imaginary[bin]
        maxima[bin] = max(maxima[bin], power * (bin % 1_024 == 0 ? 1 : 4) / (sumOfWindow * sumOfWindow))
      }
    }
    for bin in 0...1_024 {
      #expect(abs(Double(bins.maximumInDB[bin]) - 10 * log10(maxima[bin])) < 0.02, "bin \(bin)")
    }
  }

  @Test(arguments: [0, 100, 511, 512, 1_279, 1_280, 1_300, 2_000, 4_000, 5_631])
  func `the position of a click does not change its weight`(position: Int) throws {
    var signal = [Float](repeating: 0, count: 5_632)
    signal[position] = 1
    let summary = try analyze(signal, kinds: [.spectrum]).spectrum
    // The windows that contain the click share its power; the stream is 5632 / 1536 hops long.
    let window = ReferenceSpectrum.window(2_048)
    let sumOfWindow = window.reduce(0, +)
    let frames = 5_632.0 / 1_536
    let expected = 10 * log10(4 / (sumOfWindow * sumOfWindow) / frames)
    #expect(abs(Double(summary.bins.meanInDB[700]) - expected) < 0.02)
  }

  @Test(arguments: [0.01, 0.05, 0.3, 1, 2.2])
  func `noise of any length reads its power, even if it fills little of a window`(seconds: Double) throws {
    // The mean over many noises, because a short one scatters.
    var power = 0.0
    for seed in 1...40 {
      let noise = Signal.whiteNoise(frameCount: Int(seconds * 22_050), rms: 0.1, seed: UInt64(seed))
      let mix = try analyze(noise, sampleRateInHz: 22_050, kinds: [.spectrum]).spectrum.mix
      for band in 0..<70 { power += pow(10, Double(mix.meanInDB[band]) / 10) / 40 }
    }
    let expected = 0.01 * (bands.edgesInHz[70] - 100) / 11_025 / 0.5
    #expect(abs(10 * log10(power / expected)) < 0.6)
  }

  @Test(arguments: [1, 2, 100])
  func `a handful of frames has a spectrum`(frameCount: Int) throws {
    let analysis = analyze(
      [Float](repeating: 0.5, count: frameCount), kinds: [.spectrum, .spectrogram, .waveformEnergy])
    #expect(try analysis.spectrum.mix.meanInDB.allSatisfy { $0 > -120 && $0 < 20 })
    #expect(try analysis.grid.columnCount == 1)
    #expect(try analysis.energy.points.count == 1)
  }

  @Test func `a stream without frames has an empty grid, and all levels are at the floor`() throws {
    let analysis = analyze([], channelCount: 2, kinds: [.spectrum, .spectrogram])
    let spectrum = try analysis.spectrum
    #expect(spectrum.mix.meanInDB == [Float](repeating: -120, count: 80))
    #expect(spectrum.channels.count == 2)
    #expect(spectrum.bins.maximumInDB == [Float](repeating: -120, count: 1_025))
    #expect(try analysis.grid.columnCount == 0)
  }

  @Test func `digital silence is at the floor`() throws {
    let analysis = analyze([Float](repeating: 0, count: 88_200), kinds: [.spectrum, .spectrogram, .waveformEnergy])
    #expect(try analysis.spectrum.mix.maximumInDB == [Float](repeating: -120, count: 80))
    #expect(
      try analysis.grid == SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: Array(repeating: 0, count: 640)))
    #expect(try analysis.energy.points.allSatisfy { $0 == WaveformEnergy.Point(rms: 0, low: 0, mid: 0, high: 0) })
  }

  @Test func `channels are told apart, and the mix is their mean`() throws {
    let left = Signal.sine(hz: bands.center(of: 30), sampleRateInHz: 44_100, frameCount: 88_200)
    let right = Signal.sine(hz: bands.center(of: 60), sampleRateInHz: 44_100, frameCount: 88_200, amplitude: 0.5)
    let samples = Signal.interleave([Signal.faded(left), Signal.faded(right)])
    let spectrum = try analyze(samples, channelCount: 2, kinds: [.spectrum]).spectrum
    #expect(abs(spectrum.channels[0].maximumInDB[30]) < 0.1)
    #expect(spectrum.channels[0].maximumInDB[60] < -100)
    #expect(abs(spectrum.channels[1].maximumInDB[60] + 6.02) < 0.1)
    #expect(spectrum.channels[1].maximumInDB[30] < -100)
    #expect(abs(spectrum.mix.maximumInDB[30] + 6.02) < 0.1)
    #expect(abs(spectrum.mix.maximumInDB[60] + 12.04) < 0.1)
  }

  @Test func `opposite channels leave a silent mix`() throws {
    let noise = Signal.whiteNoise(frameCount: 44_100, rms: 0.2)
    let samples = Signal.interleave([noise, noise.map { -$0 }])
    let analysis = analyze(samples, channelCount: 2, kinds: [.spectrum, .spectrogram])
    #expect(try analysis.spectrum.mix.maximumInDB.allSatisfy { $0 < -110 })
    #expect(try analysis.spectrum.channels[0].meanInDB.allSatisfy { $0 > -50 })
  }

  @Test(arguments: [1, 2, 3])
  func `the same signal in any number of channels has the same mix`(channelCount: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 50_000, rms: 0.2)
    let mono = analyze(noise, kinds: [.spectrum, .spectrogram])
    let copies = analyze(
      Signal.interleave(Array(repeating: noise, count: channelCount)), channelCount: channelCount,
      kinds: [.spectrum, .spectrogram])
    #expect(try copies.spectrum.channels.count == (channelCount == 1 ? 0 : 2))
    for (one, other) in zip(try mono.spectrum.mix.meanInDB, try copies.spectrum.mix.meanInDB) {
      #expect(abs(one - other) < 0.011)
    }
    for (one, other) in zip(try mono.grid.steps, try copies.grid.steps) { #expect(abs(Int(one) - Int(other)) <= 1) }
  }

  @Test func `a tone in the second second is in the columns of the second second`() throws {
    let rate = 48_000
    let tone = Signal.sine(hz: bands.center(of: 55), sampleRateInHz: rate, frameCount: rate)
    let gap = [Float](repeating: 0, count: rate)
    let grid = try analyze(gap + tone + gap, sampleRateInHz: rate, kinds: [.spectrogram]).grid
    #expect(grid.columnCount == 12)
    for column in 0..<12 {
      let level = DecibelStep.decode(grid.steps[column * 80 + 55])
      if (5...6).contains(column) { #expect(abs(level) <= 0.5, "column \(column)") }
      if column < 3 || column > 8 { #expect(level < -60, "column \(column)") }
    }
  }

  @Test func `an impulse is in its column and flat in the finest bins`() throws {
    var signal = [Float](repeating: 0, count: 44_100)
    // In the middle of a frame: frames begin at -256 + 1536 f.
    let position = -256 + 1_024 + 14 * 1_536
    signal[position] = 1
    let analysis = analyze(signal, kinds: [.spectrum, .spectrogram])
    let bins = try analysis.spectrum.bins.maximumInDB
    let sumOfWindow = ReferenceSpectrum.window(2_048).reduce(0, +)
    #expect(bins[1..<1_024].allSatisfy { abs(Double($0) - 20 * log10(2 / sumOfWindow)) < 0.02 })
    let highest = try analysis.grid.steps.enumerated().filter { $0.offset % 80 == 79 }.map(\.element)
    #expect(highest.firstIndex(of: highest.max() ?? 0) == position * 4 / 44_100)
  }
}
