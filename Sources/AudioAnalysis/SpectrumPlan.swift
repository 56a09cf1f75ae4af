internal import MediaModel

/// Which transforms serve which bands of a stream.
///
/// One transform cannot resolve 6.7 Hz at 100 Hz and follow time at 10 kHz. So the signal is also taken at lower rates
/// with longer windows, and each band comes from the first level whose bins are narrow enough for it.
struct SpectrumPlan {
  struct Level {
    /// Halvings of the sample rate before the transform.
    let halvingCount: Int
    /// The length at this level's rate of a frame of the level before, from which it gets its samples; 0 at the first.
    let lowBandSize: Int
    let transformSize: Int
    /// The slopes of one window lie on those of the next; see ``SpectrumWindow``.
    var hop: Int { SpectrumWindow.hop(ofSize: transformSize) }
    let binWidthInHz: Double
    /// The bands that this level is to measure.
    let bands: Range<Int>
  }

  /// A band of fewer bins would lose more than 0.1 dB of a sine in its middle to its neighbours, because the window
  /// spreads a sine over several bins.
  private static let binsPerBand = 4.7
  /// The widest bins of each level in Hz.
  private static let widestBins = [24.0, 6, 1.5]
  /// A level's rate is at least this many times its highest frequency, so that its bands lie in the flat part of
  /// ``LowBandSynthesis``.
  private static let leastRatePerFrequency = 2 / LowBandSynthesis.flatPart
  private static let transformSizes = 64...32_768

  let levels: [Level]
  /// Bands below half the sample rate; the others stay at the floor.
  let bandCount: Int

  init(sampleRateInHz: Int, bands: SpectrumBands) {
    let fullRate = Double(sampleRateInHz)
    let edges = bands.edgesInHz
    bandCount = (0..<bands.count).first { edges[$0] >= fullRate / 2 } ?? bands.count

    var levels: [Level] = []
    var unservedCount = bandCount
    var rate = fullRate
    var halvingCount = 0
    /// The length of a frame of the level before, at this level's rate.
    var lowBandSize = 0
    for widestBin in Self.widestBins where levels.isEmpty || unservedCount > 0 {
      if !levels.isEmpty {
        let leastRate = Self.leastRatePerFrequency * edges[unservedCount]
        while rate / 2 >= leastRate, lowBandSize / 2 >= LowBandSynthesis.leastSize {
          rate /= 2
          halvingCount += 1
          lowBandSize /= 2
        }
      }
      var size = Self.transformSizes.lowerBound
      while rate / Double(size) > widestBin, size < Self.transformSizes.upperBound { size *= 2 }
      let binWidth = rate / Double(size)
      let isLast = levels.count == Self.widestBins.count - 1
      let firstServed =
        isLast
        ? 0
        : (0..<unservedCount).first { edges[$0 + 1] - edges[$0] >= Self.binsPerBand * binWidth } ?? unservedCount
      levels.append(
        Level(
          halvingCount: halvingCount, lowBandSize: lowBandSize, transformSize: size, binWidthInHz: binWidth,
          bands: firstServed..<unservedCount))
      unservedCount = firstServed
      lowBandSize = size
    }
    self.levels = levels
  }
}
