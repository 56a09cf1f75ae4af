internal import MediaModel

/// All levels of one or two lines of samples; each level hands its low band to the next.
final class SpectrumPyramid {
  let levels: [SpectrumLevel]

  init(plan: SpectrumPlan, signals: SpectrumLevel.Signals, bands: SpectrumBands) {
    var levels: [SpectrumLevel] = []
    for level in plan.levels.reversed() {
      levels.insert(SpectrumLevel(plan: level, signals: signals, bands: bands, next: levels.first), at: 0)
    }
    self.levels = levels
  }

  /// Adds `PlanarChunk.capacity` samples of each line; for a single line the second is not read.
  func consume(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
    levels.first?.consume(first, second, count: PlanarChunk.capacity)
  }

  var isComplete: Bool { levels.allSatisfy { $0.isComplete } }
}
