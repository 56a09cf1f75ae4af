internal import MediaModel

extension SpectrumAnalyzer {
  /// What is known at the end of the stream.
  struct Result {
    let summary: SpectrumSummary
    /// The bins of the summary as powers, before they are rounded.
    let bins: BinPowers
    let grid: SpectrumGrid
    /// Power of the mix below 600 Hz, from 600 Hz to 4 kHz and above, for each point.
    let regionPowers: [BFloat16]
  }

  /// Ends the stream.
  consuming func finish() -> Result {
    complete()
    let mixLevels = pyramids[pyramids.count - 1].levels
    let bins = binPowers(mixLevels)
    var channels: [SpectrumSummary.Levels] = []
    if format.channelCount > 1 {
      let levels = pyramids[0].levels
      channels = [bandLevels(levels) { $0.first }, bandLevels(levels) { $0.second }]
    }
    return Result(
      summary: SpectrumSummary(
        sampleRateInHz: format.sampleRateInHz, mix: bandLevels(mixLevels) { $0.mix }, channels: channels,
        bins: SpectrumSummary.Levels(
          meanInDB: bins.means.map { Decibels.level(ofPower: $0) },
          maximumInDB: bins.maxima.map { Decibels.level(ofPower: $0) })),
      bins: bins,
      grid: grid(mixLevels),
      regionPowers: regionPowers(mixLevels))
  }

  private func bandLevels(
    _ levels: [SpectrumLevel], of signal: (SpectrumLevel) -> SignalSpectrum?
  ) -> SpectrumSummary.Levels {
    var means = [Float](repeating: DecibelStep.floorInDB, count: bands.count)
    var maxima = means
    for level in levels {
      guard let statistics = signal(level)?.bands.finish(), level.coverage > 0 else { continue }
      for (index, band) in level.plan.bands.enumerated() {
        means[band] = Decibels.level(ofPower: statistics.sums[index] / level.coverage)
        maxima[band] = Decibels.level(ofPower: statistics.maxima[index])
      }
    }
    return SpectrumSummary.Levels(meanInDB: means, maximumInDB: maxima)
  }

  /// A sine of amplitude 1 on a bin has the power 1 there, and so does a constant of 1 in the first.
  private func binPowers(_ levels: [SpectrumLevel]) -> BinPowers {
    guard let level = levels.first, let result = level.mix?.bins?.finish() else {
      return BinPowers(sampleRateInHz: format.sampleRateInHz, means: [], maxima: [], frameCount: 0)
    }
    let scale = 4 / (level.sumOfWindow * level.sumOfWindow) / level.mixPowerFactor
    let ends = [0, result.sums.count - 1]
    return BinPowers(
      sampleRateInHz: format.sampleRateInHz,
      means: result.sums.indices.map { bin in
        let mean = level.coverage > 0 ? result.sums[bin] / level.coverage : 0
        return mean * (ends.contains(bin) ? scale / 4 : scale)
      },
      maxima: result.maxima.indices.map { bin in
        Double(result.maxima[bin]) * (ends.contains(bin) ? scale / 4 : scale)
      },
      frameCount: level.coverage)
  }

  private func grid(_ levels: [SpectrumLevel]) -> SpectrumGrid {
    var steps: [UInt8] = []
    for level in levels {
      guard let columns = level.mix?.grid else { continue }
      let columnCount = columns.columnCount(forFrames: frameCount)
      if steps.isEmpty { steps = Array(repeating: 0, count: columnCount * bands.count) }
      let values = columns.finish(columnCount: columnCount)
      let width = level.plan.bands.count
      for column in 0..<columnCount {
        for index in 0..<width {
          steps[column * bands.count + level.plan.bands.lowerBound + index] = values[column * width + index]
        }
      }
    }
    return SpectrumGrid(columnsPerSecond: Double(Self.columnsPerSecond), bandCount: bands.count, steps: steps)
  }

  private func regionPowers(_ levels: [SpectrumLevel]) -> [BFloat16] {
    guard let columns = levels.first?.mix?.regions else { return [] }
    return columns.finish(columnCount: columns.columnCount(forFrames: frameCount))
  }
}
