package import MediaModel

/// Rounds samples to integers after adding noise of triangular distribution, two steps wide, which makes the rounding
/// error independent of the signal (Lipshitz, Wannamaker and Vanderkooy 1992).
///
/// The noise is the same each time, so that equal input gives equal files. Samples beyond full scale are not clipped.
package final class Dither: SoundEffect {
  package let format: AudioFormat
  private let scale: Double
  private var state: UInt64 = 0x5DEE_CE66

  /// - Parameter bits: The size of an integer, 2…24; a float holds no more.
  package init(bits: Int, format: AudioFormat) {
    precondition((2...24).contains(bits), "dither needs 2 to 24 bits")
    self.format = format
    scale = Double(1 << (bits - 1))
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    output.reserveCapacity(output.count + samples.count)
    for index in samples.indices {
      let noise = next()
      output.append(Float((Double(samples[index]) * scale + noise).rounded(.toNearestOrEven) / scale))
    }
  }

  package func finish(into output: inout [Float]) -> Bool { false }

  /// The difference of two uniform numbers in 0..<1, which are the halves of one number of SplitMix64.
  private func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return (Double(mixed >> 32) - Double(mixed & 0xFFFF_FFFF)) * 0x1p-32
  }
}
