import AudioEffects
import Foundation
import MediaModel
import Testing

/// The whole output of an effect for interleaved samples, which it gets in blocks of these numbers of frames, in turns.
func output(of effect: any SoundEffect, for samples: [Float], blockSizes: [Int] = [4096], channelCount: Int = 1)
  throws -> [Float]
{
  var output: [Float] = []
  var start = 0
  var turn = 0
  while start < samples.count {
    let end = min(samples.count, start + blockSizes[turn % blockSizes.count] * channelCount)
    try effect.process(samples.span.extracting(start..<end), into: &output)
    start = end
    turn += 1
  }
  while try effect.finish(into: &output) {}
  return output
}

/// Expects the same bits, wherever the stream is cut.
func expectSameWhereverCut(
  _ samples: [Float], channelCount: Int, sourceLocation: SourceLocation = #_sourceLocation,
  _ effect: () throws -> any SoundEffect
) throws {
  let whole = try output(of: try effect(), for: samples, blockSizes: [samples.count], channelCount: channelCount)
  #expect(whole.count == samples.count || whole.contains { $0 != 0 }, sourceLocation: sourceLocation)
  for sizes in [[1], [7, 64, 1, 1025], [63], [64], [5000]] {
    let cut = try output(of: try effect(), for: samples, blockSizes: sizes, channelCount: channelCount)
    #expect(
      cut.map(\.bitPattern) == whole.map(\.bitPattern), "blocks of \(sizes)", sourceLocation: sourceLocation)
  }
}

/// The level in decibels of the discrete-time Fourier transform of samples at some frequencies.
func spectrum(of samples: [Float], at frequencies: [Double], sampleRate: Double) -> [Double] {
  let last = samples.lastIndex { $0 != 0 } ?? 0
  return frequencies.map { frequency in
    let step = 2 * Double.pi * frequency / sampleRate
    var (real, imaginary) = (0.0, 0.0)
    var (c, s) = (1.0, 0.0)
    for index in 0...last {
      // Recomputed from time to time, because the rotation drifts.
      if index % 1024 == 0 { (c, s) = (cos(step * Double(index)), sin(step * Double(index))) }
      real += Double(samples[index]) * c
      imaginary -= Double(samples[index]) * s
      (c, s) = (c * cos(step) - s * sin(step), s * cos(step) + c * sin(step))
    }
    return 10 * log10(max(real * real + imaginary * imaginary, 1e-30))
  }
}

/// Frequencies on a logarithmic scale from 20 Hz to 0.45 of the rate.
func testFrequencies(sampleRate: Double, count: Int = 60) -> [Double] {
  (0..<count).map { 20 * pow(0.45 * sampleRate / 20, Double($0) / Double(count - 1)) }
}

func mono(_ sampleRateInHz: Int) -> AudioFormat { AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: 1) }

func stereo(_ sampleRateInHz: Int) -> AudioFormat { AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: 2) }

/// The frequency of a sine from its zero crossings, over whole periods.
func frequency(of samples: some Collection<Float>, sampleRate: Double) -> Double {
  let samples = Array(samples)
  var crossings: [Double] = []
  for index in 1..<samples.count where samples[index - 1] < 0 && samples[index] >= 0 {
    crossings.append(Double(index - 1) + Double(samples[index - 1] / (samples[index - 1] - samples[index])))
  }
  guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
  return Double(crossings.count - 1) * sampleRate / (last - first)
}
