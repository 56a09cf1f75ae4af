import AudioAnalysis
import Foundation
import MediaModel
import TestSupport

/// The signals of EBU Tech 3341 and 3342, made up: sines of 1 kHz at 48 kHz whose level steps.
enum SteppedTone {
  static let rate = 48_000

  /// A level in dBFS, nil for silence, and how long it lasts.
  typealias Step = (level: Double?, seconds: Double)

  /// One channel; the phase goes on over the steps.
  static func samples(_ steps: [Step]) -> [Float] {
    var samples: [Float] = []
    for step in steps {
      let amplitude = step.level.map { pow(10, $0 / 20) } ?? 0
      let frameCount = Int((step.seconds * Double(rate)).rounded())
      for _ in 0..<frameCount {
        samples.append(Float(amplitude * sin(2 * .pi * 1_000 / Double(rate) * Double(samples.count))))
      }
    }
    return samples
  }

  /// The same in both channels of a stereo recording, measured.
  static func measure(_ steps: [Step]) -> Measures {
    let samples = samples(steps)
    return AudioAnalysisTests.measure([samples, samples], sampleRateInHz: rate)
  }
}

/// Measures channels of equal length.
func measure(_ channels: [[Float]], sampleRateInHz: Int = 48_000) -> Measures {
  analyze(
    Signal.interleave(channels), sampleRateInHz: sampleRateInHz, channelCount: channels.count, kinds: [.measures]
  ).measures ?? Measures()
}
