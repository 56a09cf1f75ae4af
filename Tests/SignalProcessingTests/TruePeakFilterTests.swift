import Foundation
import SignalProcessing
import TestSupport
import Testing

struct TruePeakFilterTests {
  @Test(arguments: [0.25, 0.5, 0.75])
  func `up to 0.46 of the sample rate a phase is a delay with an error below -55 dB`(fraction: Double) {
    let taps = TruePeakFilter.phase(fraction)
    let middle = Double(TruePeakFilter.tapCount / 2 - 1)
    for step in 0...460 {
      let angle = 2 * Double.pi * Double(step) / 1_000
      var (real, imaginary) = (-1.0, 0.0)
      for (index, tap) in taps.enumerated() {
        let time = Double(index) - middle - fraction
        real += tap * cos(angle * time)
        imaginary += tap * sin(angle * time)
      }
      #expect(20 * log10(hypot(real, imaginary)) < -55)
    }
  }

  @Test func `a straight line is not exceeded, and the gain of a bend is close to one half`() {
    // A straight line has no bend: its values are between its samples.
    let line = (0..<200).map { Float($0) / 200 }
    let filter = TruePeakFilter(pointCount: 4)
    #expect(filter.lineGain < 1.000_1)
    #expect(filter.bendGain > 0.5 && filter.bendGain < 0.55)
    for phase in filter.phases {
      let value = zip(phase, line[76...]).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(value > line[99] && value < line[100])
    }
  }

  @Test(arguments: [4, 8], [20, 48])
  func `no value is larger than the bounds say`(pointCount: Int, tapCount: Int) {
    let filter = TruePeakFilter(pointCount: pointCount, tapCount: tapCount)
    var random = RepeatableRandom(seed: 1)
    for _ in 0..<200 {
      let samples: [Float] = (0..<tapCount).map { _ in Float.random(in: -1...1, using: &random) }
      let middle = tapCount / 2
      let line = max(abs(samples[middle - 1]), abs(samples[middle]))
      let largest = samples.map(abs).max() ?? 0
      var bend: Float = 0
      for index in 2..<tapCount { bend = max(bend, abs(samples[index] - 2 * samples[index - 1] + samples[index - 2])) }
      for phase in filter.phases {
        var value: Float = 0
        for (tap, sample) in zip(phase, samples) { value += tap * sample }
        let bound = filter.lineGain * line + filter.bendGain * bend
        #expect(abs(value) <= 1.000_1 * bound)
        #expect(abs(value) <= 1.000_1 * filter.greatestGrowth * largest)
      }
    }
  }
}
