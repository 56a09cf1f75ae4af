internal import SignalProcessing

/// Reads a signal at evenly spaced places between its samples: for another sample rate, another speed, or part of a sample.
///
/// A sinc under a Kaiser window (β = 10) of 32 zero crossings to each side, cut off below half of the lower of both rates. The
/// kernel is tabulated at 512 places a sample and interpolated between them, which leaves errors below -110 dB.
struct SincInterpolator {
  private static let zeroCrossingCount = 32
  private static let phaseCount = 512
  private static let beta = 10.0

  /// Samples of the signal for each place.
  let step: Double
  /// Samples before and after a place that it depends on.
  let reach: Int
  private let tapCount: Int
  /// ``phaseCount`` + 1 kernels of ``tapCount`` taps.
  private let kernels: [Float]

  init(step: Double) {
    self.step = step
    let bandwidth = min(1, 1 / step)
    let reach = Int((Double(Self.zeroCrossingCount) / bandwidth).rounded(.up))
    self.reach = reach
    let tapCount = (2 * reach + 7) / 8 * 8
    self.tapCount = tapCount
    var kernels: [Float] = []
    kernels.reserveCapacity((Self.phaseCount + 1) * tapCount)
    for phase in 0...Self.phaseCount {
      let fraction = Double(phase) / Double(Self.phaseCount)
      let taps = (0..<tapCount).map { tap in
        let distance = Double(tap - reach + 1) - fraction
        guard abs(distance) < Double(reach) else { return 0.0 }
        return WindowedSinc.sinc(.pi * bandwidth * distance)
          * WindowedSinc.kaiserWeight(at: distance / Double(reach), beta: Self.beta)
      }
      let sum = taps.reduce(0, +)
      kernels += taps.map { Float($0 / sum) }
    }
    self.kernels = kernels
  }

  /// The frames of a signal that ``values(of:from:start:count:)`` needs.
  func frames(from start: Double, count: Int) -> Range<Int> {
    let first = Int(start.rounded(.down)) - reach + 1
    return first..<max(first + tapCount, Int((start + step * Double(count)).rounded(.down)) + tapCount + 1)
  }

  /// - Parameters:
  ///   - source: The samples of ``frames(from:count:)``.
  ///   - start: The first place, in samples of the signal.
  func values(of source: SignalPair, from start: Double, count: Int) -> SignalPair {
    let first = Int(start.rounded(.down)) - reach + 1
    var left = [Float](repeating: 0, count: count)
    var right = left
    kernels.withUnsafeBufferPointer { kernels in
      source.left.withUnsafeBufferPointer { leftSource in
        source.right.withUnsafeBufferPointer { rightSource in
          guard let kernels = kernels.baseAddress, let leftSource = leftSource.baseAddress,
            let rightSource = rightSource.baseAddress
          else { return }
          for index in 0..<count {
            let place = start + step * Double(index)
            let whole = place.rounded(.down)
            let phase = (place - whole) * Double(Self.phaseCount)
            let number = min(Int(phase), Self.phaseCount - 1)
            let share = Float(phase - Double(number))
            let low = kernels + number * tapCount
            let begin = Int(whole) - reach + 1 - first
            let (leftTaps, rightTaps) = (leftSource + begin, rightSource + begin)
            var (leftSum, rightSum) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var tap = 0
            while tap < tapCount {
              let near = low.vector8(at: tap)
              let weight = near + (low.vector8(at: tap + tapCount) - near) * share
              leftSum += leftTaps.vector8(at: tap) * weight
              rightSum += rightTaps.vector8(at: tap) * weight
              tap += 8
            }
            left[index] = leftSum.sum()
            right[index] = rightSum.sum()
          }
        }
      }
    }
    return SignalPair(left: left, right: right)
  }
}
