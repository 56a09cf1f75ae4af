internal import MediaModel

/// How float samples become the 16-bit integers that audiowaveform would have read from the same source.
///
/// Integers: the top 16 bits, so `floor(x · 32768)`. Floating point: `trunc(x · 32767)`. Both clamped.
struct SixteenBitScale {
  private let factor: Float
  private let roundsDown: Bool

  init(_ encoding: AudioFormat.SampleEncoding) {
    factor = encoding == .integer ? 32_768 : 32_767
    roundsDown = encoding == .integer
  }

  /// The integers, as floats; rises with the samples, so extremes may be found before or after.
  @inline(__always) func apply(_ samples: SIMD8<Float>) -> SIMD8<Float> {
    let scaled = lesser(greater(samples * factor, SIMD8(repeating: -32_768)), SIMD8(repeating: 32_767))
    return roundsDown ? Self.floor(scaled) : Self.truncate(scaled)
  }

  @inline(__always) func apply(_ sample: Float) -> Float {
    let scaled = min(max(sample * factor, -32_768), 32_767)
    return scaled.rounded(roundsDown ? .down : .towardZero)
  }

  /// Numbers below 2²² lose their fraction when 1.5 · 2²³ is added, since a float has no bits for it there.
  private static let fractionEater = SIMD8<Float>(repeating: 12_582_912)

  @inline(__always) private static func floor(_ values: SIMD8<Float>) -> SIMD8<Float> {
    let nearest = (values + fractionEater) - fractionEater
    return nearest - SIMD8<Float>.zero.replacing(with: 1, where: nearest .> values)
  }

  @inline(__always) private static func truncate(_ values: SIMD8<Float>) -> SIMD8<Float> {
    let sign = unsafeBitCast(values, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x8000_0000)
    let whole = unsafeBitCast(floor(magnitude(values)), to: SIMD8<UInt32>.self)
    return unsafeBitCast(whole | sign, to: SIMD8<Float>.self)
  }
}
