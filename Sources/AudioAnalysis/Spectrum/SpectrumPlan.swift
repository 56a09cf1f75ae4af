internal import MediaModel

/// Which transforms measure which bands of a stream.
///
/// One transform cannot both resolve 6.7 Hz at 100 Hz and follow changes at 10 kHz. So the signal is also analysed at
/// lower sample rates with longer windows, and each band is measured at the first level whose bins are narrow enough
/// for it.
struct SpectrumPlan {
  struct Stage {
    /// How often the sample rate is halved before the transform.
    let halvingCount: Int
    /// The length, at this level's rate, of a frame of the previous level, which supplies the samples; 0 at the first
    /// level.
    let lowBandSize: Int
    let transformSize: Int
    /// In samples of this level; the slopes of successive windows overlap, see ``SpectrumWindow``.
    var hop: Int { SpectrumWindow.hop(ofSize: transformSize) }
    let binWidthInHz: Double
    /// The bands that this level measures.
    let bands: Range<Int>
  }

  /// A band of fewer bins would lose more than 0.1 dB of a sine in its middle to its neighbours, because the window
  /// spreads a sine over several bins.
  private static let binsPerBand = 4.7
  /// The largest width of a bin at each level, in Hz.
  private static let widestBins = [24.0, 6, 1.5]
  /// The sample rate of a level is at least this many times its highest frequency, so that its bands are in the flat
  /// part of ``LowBandSynthesis``.
  private static let leastRatePerFrequency = 2 / LowBandSynthesis.flatPart
  private static let transformSizes = 64...32_768

  let stages: [Stage]
  /// The number of bands below half the sample rate; the others stay at the floor.
  let bandCount: Int

  init(sampleRateInHz: Int, bands: SpectrumBands) {
    let fullRate = Double(sampleRateInHz)
    let edges = bands.edgesInHz
    bandCount = (0..<bands.count).first { edges[$0] >= fullRate / 2 } ?? bands.count

    var stages: [Stage] = []
    var unservedCount = bandCount
    var rate = fullRate
    var halvingCount = 0
    // The length of a frame of the previous level, at this level's rate.
    var lowBandSize = 0
    for widestBin in Self.widestBins where stages.isEmpty || unservedCount > 0 {
      if !stages.isEmpty {
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
      let isLast = stages.count == Self.widestBins.count - 1
      let firstServed =
        isLast
        ? 0
        : (0..<unservedCount).first { edges[$0 + 1] - edges[$0] >= Self.binsPerBand * binWidth } ?? unservedCount
      stages.append(
        Stage(
          halvingCount: halvingCount, lowBandSize: lowBandSize, transformSize: size, binWidthInHz: binWidth,
          bands: firstServed..<unservedCount))
      unservedCount = firstServed
      lowBandSize = size
    }
    self.stages = stages
  }
}
