internal import MediaModel
internal import SignalProcessing

/// How float samples become 16-bit integers, by audiowaveform's rules for PCM.
///
/// Integers: the top 16 bits, that is `floor(x · 32768)`. Floating point: `trunc(x · 32767)`. Both are clamped. For
/// Vorbis and Opus audiowaveform uses libsndfile's `sf_readf_short`, which rounds to nearest: there a value may differ
/// by one step.
struct SixteenBitScale {
  let factor: Float
  private let roundsDown: Bool

  init(_ encoding: AudioFormat.SampleEncoding) {
    factor = encoding == .integer ? 32_768 : 32_767
    roundsDown = encoding == .integer
  }

  /// Whether no sample up to this magnitude is clamped.
  func isLinear(upTo magnitude: Float) -> Bool { magnitude * factor <= 32_767 }

  /// Writes the integers, as floats, to `result`, or adds them to what is there.
  ///
  /// The conversion is monotonic, so extremes may be found before or after it.
  ///
  /// - Precondition: `count` is a multiple of 8.
  func apply(
    _ samples: UnsafePointer<Float>, count: Int, into result: UnsafeMutablePointer<Float>, adding: Bool
  ) {
    // Four loops, so that no loop has a branch per vector.
    switch (roundsDown, adding) {
    case (true, false):
      for index in stride(from: 0, to: count, by: 8) {
        result.store(Self.floor(scaled(samples.vector8(at: index))), at: index)
      }
    case (true, true):
      for index in stride(from: 0, to: count, by: 8) {
        result.store(result.vector8(at: index) + Self.floor(scaled(samples.vector8(at: index))), at: index)
      }
    case (false, false):
      for index in stride(from: 0, to: count, by: 8) {
        result.store(Self.truncate(scaled(samples.vector8(at: index))), at: index)
      }
    case (false, true):
      for index in stride(from: 0, to: count, by: 8) {
        result.store(result.vector8(at: index) + Self.truncate(scaled(samples.vector8(at: index))), at: index)
      }
    }
  }

  @inline(__always) func apply(_ sample: Float) -> Float {
    let scaled = min(max(sample * factor, -32_768), 32_767)
    // Through an integer, because without SSE 4.1 rounding is a function call.
    let whole = Float(Int32(scaled))
    return roundsDown && whole > scaled ? whole - 1 : whole
  }

  @inline(__always) private func scaled(_ samples: SIMD8<Float>) -> SIMD8<Float> {
    lesser(greater(samples * factor, SIMD8(repeating: -32_768)), SIMD8(repeating: 32_767))
  }

  @inline(__always) private static func floor(_ values: SIMD8<Float>) -> SIMD8<Float> {
    // Numbers below 2²² lose their fraction when 1.5 · 2²³ is added, because a float of that size has no bits for it.
    let fractionEater = SIMD8<Float>(repeating: 12_582_912)
    let nearest = (values + fractionEater) - fractionEater
    return nearest - SIMD8<Float>.zero.replacing(with: 1, where: nearest .> values)
  }

  @inline(__always) private static func truncate(_ values: SIMD8<Float>) -> SIMD8<Float> {
    let sign = unsafeBitCast(values, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x8000_0000)
    let whole = unsafeBitCast(floor(magnitude(values)), to: SIMD8<UInt32>.self)
    return unsafeBitCast(whole | sign, to: SIMD8<Float>.self)
  }
}
