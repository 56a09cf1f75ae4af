internal import Glibc

/// The frequency in a mean spectrum above which nothing is left, as after lossy encoding or a lower sample rate.
///
/// At every frequency the level just below (median over 1 kHz) is compared with the highest level anywhere above, from
/// 500 Hz further up (medians over 1 kHz). The drop that the slope of the spectrum explains over that distance is
/// subtracted, so that music which gradually fades out, also into the noise of 16 bits, has no edge. The rest is the
/// height of the edge, and the highest edge counts. A level just below is limited to the level 2 kHz further down,
/// because the skirts of a single tone are not a plateau. Medians ignore the tones themselves, such as the whistle of a
/// television set. docs/lossy-source.md has the reasons for the numbers and what they find in real music.
struct SpectralCutoff: Hashable {
  /// The width of the stretches whose levels are compared.
  static let stretchInHz = 1_000.0
  /// From the lower stretch to the upper one: the slope of encoders is at most about 530 Hz wide (LAME).
  static let gapInHz = 500.0
  /// The upper stretch may be this short if it ends at half the sample rate.
  static let leastStretchInHz = 250.0
  /// The lowest possible edge: telephone speech ends at 3.4 kHz.
  static let lowestInHz = 3_000.0
  /// An edge above this share of half the sample rate is the anti-aliasing filter of any converter.
  static let highestShare = 0.95
  /// Up to this height in dB an edge may be part of the music: a filter of 48 dB per octave at 6 kHz makes an edge of
  /// 10 dB, one of 96 dB per octave at 14 kHz an edge of 9 dB.
  static let doubtfulHeightInDB = 12.0
  /// From this height in dB on an edge is certain.
  static let certainHeightInDB = 36.0
  /// The smallest power that a bin counts with (-150 dB), which is less than 24 bits can represent.
  static let emptyPower = 1e-15
  /// The smallest number of windows, 0.7 s at 44.1 kHz: a spectrum of fewer is too rough.
  static let leastFrameCount = 20.0
  /// The cutoff is where the level has fallen half of the way, but by no more than this many dB.
  static let greatestFallInDB = 20.0

  /// In Hz, interpolated between bins.
  let frequencyInHz: Double
  /// How many dB the spectrum falls there in addition to its slope.
  let heightInDB: Double
  /// `0...1`, linear between the doubtful and the certain height.
  var confidence: Double {
    min((heightInDB - Self.doubtfulHeightInDB) / (Self.certainHeightInDB - Self.doubtfulHeightInDB), 1)
  }

  /// nil if there is no edge, if it is close to half the sample rate, or if the stream is shorter than about 0.7 s.
  init?(_ bins: BinPowers) {
    guard bins.frameCount >= Self.leastFrameCount, bins.means.allSatisfy(\.isFinite) else { return nil }
    let levels = bins.means.map { 10 * log10(max($0, Self.emptyPower)) }
    guard let edge = Edge(levels: levels, binWidthInHz: bins.binWidthInHz), edge.height > Self.doubtfulHeightInDB
    else { return nil }
    frequencyInHz = edge.middle(in: levels) * bins.binWidthInHz
    heightInDB = edge.height
    guard frequencyInHz <= Self.highestShare * Double(bins.sampleRateInHz) / 2 else { return nil }
  }

  /// The highest edge, in bins.
  private struct Edge {
    /// The first bin above the lower stretch.
    var bin = 0
    var gap = 0
    var below = 0.0
    var above = 0.0
    var height = -Double.infinity

    init?(levels: [Double], binWidthInHz: Double) {
      func count(_ hertz: Double) -> Int { max(Int((hertz / binWidthInHz).rounded()), 1) }
      let stretch = count(stretchInHz)
      gap = count(gapInHz)
      // The slope is measured against a stretch two lengths further down; the first bins contain DC.
      let first = max(count(lowestInHz), 3 * stretch + SpectralShape.firstBin)
      let last = levels.count - gap - count(leastStretchInHz)
      guard first <= last else { return nil }
      let medians = (0...(last + gap)).map { Self.median(levels[$0..<min($0 + stretch, levels.count)]) }
      // The distance between the middles of the stretches, relative to that of the slope's stretches.
      let reach = Double(stretch + gap) / Double(2 * stretch)
      var highestAbove = -Double.infinity
      for bin in stride(from: last, through: first, by: -1) {
        highestAbove = max(highestAbove, medians[bin + gap])
        let further = medians[bin - 3 * stretch]
        let level = min(medians[bin - stretch], further)
        let slope = (further - level) * reach
        let height = level - highestAbove - slope
        guard height > self.height else { continue }
        self.bin = bin
        below = level
        above = highestAbove
        self.height = height
      }
    }

    /// The last place near the edge, in bins, where the level falls through the middle between both stretches.
    func middle(in levels: [Double]) -> Double {
      let middle = below - min((below - above) / 2, greatestFallInDB)
      let smooth = { (bin: Int) in Self.median(levels[max(bin - 2, 0)..<min(bin + 3, levels.count)]) }
      let last = min(bin + 2 * gap, levels.count - 1)
      for upper in stride(from: last, to: max(bin - 2 * gap, 0), by: -1) {
        let (high, low) = (smooth(upper - 1), smooth(upper))
        if high >= middle, low < middle { return Double(upper) - (middle - low) / (high - low) }
      }
      return Double(bin)
    }

    private static func median(_ levels: ArraySlice<Double>) -> Double {
      let sorted = levels.sorted()
      let middle = sorted.count / 2
      guard sorted.count % 2 == 0 else { return sorted[middle] }
      return sorted.isEmpty ? 0 : (sorted[middle - 1] + sorted[middle]) / 2
    }
  }
}
