internal import Base

/// Finds the largest magnitude between two frames of a signal by interpolation: with four points per frame if that is
/// well below a limit, and with eight points and a longer filter if it is near or above the limit.
///
/// Four points miss up to 0.7 dB of a peak (ITU-R BS.1770-4, annex 2), eight points 0.17 dB at half the sample rate.
struct TruePeakDetector {
  /// The number of frames that an interval needs after its first frame, and before it.
  static let lookahead = 24
  static let history = 23

  /// For each frame of the neighbourhood its weight at each of the points.
  private static let coarse: [SIMD4<Float>] = weights(reach: 10, shape: 5).map { weights in
    SIMD4(weights[0], weights[2], weights[4], weights[6])
  }
  private static let fine: [SIMD8<Float>] = weights(reach: lookahead, shape: 5).map { weights in
    var result = SIMD8<Float>.zero
    for phase in 0..<8 { result[phase] = weights[phase] }
    return result
  }

  /// No interval has a larger magnitude than the largest sample of its neighbourhood times this.
  static let greatestGrowth: Float = {
    (0..<8).map { phase in fine.reduce(0) { $0 + abs($1[phase]) } }.max() ?? 1
  }()

  /// A sinc under a Kaiser window (β = `shape`), `reach` frames to each side, at eight points between two frames.
  private static func weights(reach: Int, shape: Double) -> [[Float]] {
    (1 - reach...reach).map { tap in
      (0..<8).map { phase in
        let distance = Double(tap) - Double(phase) / 8
        let place = distance / Double(reach)
        guard abs(place) < 1 else { return 0 }
        let window = WindowedSinc.kaiserWeight(at: place, beta: shape)
        return Float(WindowedSinc.sinc(.pi * distance) * window / WindowedSinc.kaiserWeight(at: 0, beta: shape))
      }
    }
  }

  private let coarse = TruePeakDetector.coarse
  private let fine = TruePeakDetector.fine
  /// Up to this the coarse result is returned.
  private let limit: Float

  /// - Parameter ceiling: Magnitudes above this, and near it, are measured with the longer filter.
  init(ceiling: Float) { limit = 0.8 * ceiling }

  /// The largest magnitude from a frame to the next, of one channel of interleaved samples.
  ///
  /// - Parameter frame: The first of the two.
  func peak(at frame: UnsafePointer<Float>, stride: Int) -> Float {
    var sums = SIMD4<Float>.zero
    var place = frame - (coarse.count / 2 - 1) * stride
    for weights in coarse {
      sums += weights * place.pointee
      place += stride
    }
    let peak = max(sums.max(), -sums.min())
    guard peak > limit else { return peak }
    var more = SIMD8<Float>.zero
    place = frame - Self.history * stride
    for weights in fine {
      more += weights * place.pointee
      place += stride
    }
    return max(more.max(), -more.min())
  }
}
