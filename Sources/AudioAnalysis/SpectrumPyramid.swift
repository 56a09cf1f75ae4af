internal import MediaModel

/// All levels of one or two lines of samples, and the decimators between them.
final class SpectrumPyramid {
  let levels: [SpectrumLevel]
  /// For each halving of the rate, one decimator a line.
  private let decimators: [[HalfBandDecimator]]

  init(plan: SpectrumPlan, signals: SpectrumLevel.Signals, bands: SpectrumBands) {
    levels = plan.levels.map { SpectrumLevel(plan: $0, signals: signals, bands: bands) }
    decimators = (0..<(plan.levels.last?.halvingCount ?? 0)).map { halving in
      (0..<signals.lineCount).map { _ in HalfBandDecimator(inputCount: PlanarChunk.capacity >> halving) }
    }
  }

  /// Adds `PlanarChunk.capacity` samples of each line; for a single line the second is not read.
  func consume(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
    var lines = (first, second)
    var count = PlanarChunk.capacity
    for halvingCount in 0...decimators.count {
      for level in levels where level.plan.halvingCount == halvingCount {
        level.consume(lines.0, lines.1, count: count)
      }
      guard halvingCount < decimators.count else { break }
      let stage = decimators[halvingCount]
      lines.0 = stage[0].decimate(lines.0)
      if stage.count > 1 { lines.1 = stage[1].decimate(lines.1) }
      count /= 2
    }
  }
}
