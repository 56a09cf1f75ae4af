/// Where the frames of one signal are found in another one.
///
/// Of both signals, the one with the lower sample rate is the grid: frame `n` of it is at the place `offset + step * n` of the
/// other one.
package struct Placement: Hashable, Sendable {
  /// In frames of the other signal.
  package var offset: Double
  /// Frames of the other signal for each frame of the grid.
  package var step: Double

  func place(of frame: Double) -> Double { offset + step * frame }

  /// Where the other signal begins, in frames of the grid.
  var start: Double { -offset / step }

  /// The frames of the grid that lie within both signals, without the last one if it lies in the other's last frame only.
  func overlap(ofGrid gridCount: Int, andOther otherCount: Int) -> Range<Int> {
    let first = max(0, Int(start.rounded(.up)))
    let last = min(gridCount, Int((start + Double(otherCount) / step).rounded(.down)))
    return first..<max(first, last)
  }
}

/// Both signals at the same frames of the grid.
struct AlignedPair {
  let grid: any ComparedSignal
  let other: any ComparedSignal
  /// Whether mixes are compared because one of them has one channel.
  let isMono: Bool
  private let interpolator: SincInterpolator?
  private let step: Double

  /// - Parameter step: Of the placements that are used with it.
  init(grid: any ComparedSignal, other: any ComparedSignal, step: Double) {
    self.grid = grid
    self.other = other
    self.step = step
    isMono = min(grid.channelCount, other.channelCount) == 1
    interpolator = step == 1 ? nil : SincInterpolator(step: step)
  }

  /// Without a step of 1, the signals between their samples; with it, whole samples: the rest of the offset is left.
  var isInterpolated: Bool { interpolator != nil }

  func ofGrid(_ frames: Range<Int>) throws -> SignalPair { try grid.pair(frames, isMono: isMono) }

  func ofOther(_ frames: Range<Int>, at placement: Placement) throws -> SignalPair {
    let start = placement.place(of: Double(frames.lowerBound))
    guard let interpolator else {
      let first = Int(start.rounded())
      return try other.pair(first..<first + frames.count, isMono: isMono)
    }
    let source = try other.pair(interpolator.frames(from: start, count: frames.count), isMono: isMono)
    return interpolator.values(of: source, from: start, count: frames.count)
  }

  /// What ``ofOther(_:at:)`` leaves of the offset, in frames of the grid: `-0.5...0.5`.
  func remainder(of placement: Placement) -> Double {
    isInterpolated ? 0 : placement.offset - placement.offset.rounded()
  }
}
