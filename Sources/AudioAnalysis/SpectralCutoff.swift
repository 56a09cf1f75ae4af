internal import Glibc
internal import MediaModel

/// The edge in a mean spectrum above which nothing is left, as a lossy encoder or a lower sample rate leaves it.
///
/// At every frequency the level just below (median of 1 kHz) is compared with the highest level that is reached
/// anywhere above, 500 Hz further up (medians of 1 kHz). What the slope of the spectrum would have brought over that
/// distance is taken off, so that music which merely fades out, also into the noise of 16 bits, has no edge. What
/// remains is the height of the edge, and the highest one counts. A level just below that exceeds the one 2 kHz further
/// down counts as that: the skirts of a single tone are no plateau. Medians ignore tones themselves, such as the whistle
/// of a television set. docs/lossy-source.md has the reasons for the numbers and what they find in real music.
struct SpectralCutoff: Hashable {
  /// Width of the stretches whose levels are compared.
  static let stretchInHz = 1_000.0
  /// From the lower stretch to the upper one: encoders fall within some 530 Hz (LAME) or less.
  static let gapInHz = 500.0
  /// The upper stretch may be cut short by half the sample rate to this.
  static let leastStretchInHz = 250.0
  /// No edge is looked for below: telephone speech ends at 3.4 kHz.
  static let lowestInHz = 3_000.0
  /// An edge above this share of half the sample rate is the anti-aliasing filter of any converter.
  static let highestShare = 0.95
  /// Height in dB up to which an edge may be that of sound: a filter of 48 dB an octave at 6 kHz has one of 10, one of 96 dB
  /// at 14 kHz one of 9.
  static let doubtfulHeightInDB = 12.0
  /// Height in dB from which an edge is certain.
  static let certainHeightInDB = 36.0
  /// Bins below this power count as that (-150 dB): less than 24 bits can hold.
  static let emptyPower = 1e-15
  /// 0.7 s at 44.1 kHz: a spectrum of fewer frames is too rough.
  static let leastFrameCount = 20.0

  /// A cut-off lies where the level has fallen half of the way, at most by so many dB.
  static let greatestFallInDB = 20.0

  /// In Hz, interpolated between bins.
  let frequencyInHz: Double
  /// By how many dB the spectrum falls there beyond its slope.
  let heightInDB: Double
  /// `0...1`, in proportion between the doubtful and the certain height.
  var confidence: Double {
    min((heightInDB - Self.doubtfulHeightInDB) / (Self.certainHeightInDB - Self.doubtfulHeightInDB), 1)
  }

  /// nil where there is no edge, where it lies next to half the sample rate, and for less than some 0.7 s.
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
    /// The first bin that is not in the lower stretch.
    var bin = 0
    var gap = 0
    var below = 0.0
    var above = 0.0
    var height = -Double.infinity

    init?(levels: [Double], binWidthInHz: Double) {
      func count(_ hertz: Double) -> Int { max(Int((hertz / binWidthInHz).rounded()), 1) }
      let stretch = count(stretchInHz)
      gap = count(gapInHz)
      // The slope is taken from a stretch two lengths further down; the first bins hold DC.
      let first = max(count(lowestInHz), 3 * stretch + SpectralShape.firstBin)
      let last = levels.count - gap - count(leastStretchInHz)
      guard first <= last else { return nil }
      let medians = (0...(last + gap)).map { Self.median(levels[$0..<min($0 + stretch, levels.count)]) }
      // Slope times distance of the stretches' middles.
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

    /// The last place near the edge, in bins, at which the level comes down through the middle.
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
