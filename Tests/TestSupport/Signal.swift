import Foundation

/// Made-up signals whose spectrum and levels are known.
package enum Signal {
  /// A sine of the given amplitude, starting at `phase` radians.
  package static func sine(
    hz: Double, sampleRateInHz: Int, frameCount: Int, amplitude: Double = 1, phase: Double = 0
  ) -> [Float] {
    let step = 2 * Double.pi * hz / Double(sampleRateInHz)
    return (0..<frameCount).map { Float(amplitude * sin(step * Double($0) + phase)) }
  }

  /// The same signal, faded in over its first quarter and out over its last.
  ///
  /// A signal that starts abruptly has all frequencies at that moment.
  package static func faded(_ samples: [Float]) -> [Float] {
    let length = samples.count / 4
    return samples.indices.map { index in
      let position = min(index, samples.count - 1 - index)
      return position < length
        ? samples[index] * Float(0.5 - 0.5 * cos(.pi * Double(position) / Double(length))) : samples[index]
    }
  }

  /// White noise of the given RMS, the same for the same seed.
  package static func whiteNoise(frameCount: Int, rms: Double, seed: UInt64 = 1) -> [Float] {
    var random = RepeatableRandom(seed: seed)
    // A uniform distribution of -a...a has the RMS a/√3.
    let range = rms * 3.0.squareRoot()
    return (0..<frameCount).map { _ in Float(Double.random(in: -range...range, using: &random)) }
  }

  /// One channel behind the other, frame by frame.
  package static func interleave(_ channels: [[Float]]) -> [Float] {
    let frameCount = channels.map(\.count).min() ?? 0
    return (0..<frameCount).flatMap { frame in channels.map { $0[frame] } }
  }

  /// Chords of four tones between 60 Hz and 3.3 kHz that change four times a second, over quiet noise.
  ///
  /// - Parameter channel: Channels have other tones.
  package static func chords(seconds: Double, sampleRateInHz: Int, channel: Int = 0) -> [Float] {
    var random = RepeatableRandom(seed: UInt64(17 + channel))
    let frameCount = Int(seconds * Double(sampleRateInHz))
    var samples = whiteNoise(frameCount: frameCount, rms: 0.01, seed: UInt64(3 + channel))
    let length = sampleRateInHz / 4
    for start in stride(from: 0, to: frameCount, by: length) {
      for _ in 0..<4 {
        let step = 2 * Double.pi * 60 * pow(55, Double.random(in: 0..<1, using: &random)) / Double(sampleRateInHz)
        let amplitude = Float.random(in: 0.02..<0.15, using: &random)
        for frame in start..<min(start + length, frameCount) {
          samples[frame] += amplitude * Float(sin(step * Double(frame - start)))
        }
      }
    }
    return samples
  }
}

/// The SplitMix64 generator: random numbers that are the same in every run.
package struct RepeatableRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
