internal import Glibc
internal import MediaModel

/// The peaks of an excerpt as a map of time and frequency, against which the peaks of a recording are held.
///
/// A peak covers its own place and those next to it: one column and one unit to each side.
struct LandmarkGrid {
  private static let unitCount = LandmarkScale.unitCount

  let columnCount: Int
  private var cells: [Bool]
  /// The share of the columns in which a unit is covered: how likely a peak of any recording is to find it so.
  private var density: [Double]

  init(_ landmarks: Landmarks) {
    columnCount = Int(landmarks.columnCount)
    cells = [Bool](repeating: false, count: columnCount * Self.unitCount)
    density = [Double](repeating: 0, count: Self.unitCount)
    for peak in landmarks.peaks {
      for column in max(0, Int(peak.column) - 1)...min(columnCount - 1, Int(peak.column) + 1) {
        for unit in max(0, Int(peak.unit) - 1)...min(Self.unitCount - 1, Int(peak.unit) + 1) {
          let cell = column * Self.unitCount + unit
          if !cells[cell] {
            cells[cell] = true
            density[unit] += 1
          }
        }
      }
    }
    for unit in density.indices { density[unit] /= Double(max(1, columnCount)) }
  }

  /// How well the peaks of a recording lie on those of the excerpt.
  struct Fit {
    /// The column of the recording at which the excerpt begins.
    var offset: Double
    /// Columns of the recording for each column of the excerpt.
    var ratio: Double
    var peakCount = 0
    var matchedCount = 0
    /// The matched peaks that chance would give.
    var expectedCount = 0.0

    /// The decimal logarithm of how unlikely so many matches are by chance (Chernoff's bound for a Poisson variable).
    var score: Double {
      let (matched, expected) = (Double(matchedCount), max(expectedCount, 0.01))
      guard matched > expected else { return 0 }
      return (matched * log(matched / expected) - matched + expected + 0.5 * log(2 * .pi * matched)) / log(10)
    }

    var share: Double { peakCount > 0 ? Double(matchedCount) / Double(peakCount) : 0 }
  }

  /// - Parameter peaks: Of the recording, in ascending order of column.
  func fit(_ peaks: [Landmarks.Peak], offset: Double, ratio: Double) -> Fit {
    var fit = Fit(offset: offset, ratio: ratio)
    forEachPeak(peaks, offset: offset, ratio: ratio) { _, unit, isMatched in
      fit.peakCount += 1
      fit.expectedCount += density[unit]
      if isMatched { fit.matchedCount += 1 }
    }
    return fit
  }

  /// Calls `body` with each peak that falls into the excerpt: its column there, its unit, and whether the excerpt has it.
  func forEachPeak(
    _ peaks: [Landmarks.Peak], offset: Double, ratio: Double, _ body: (Int, Int, Bool) -> Void
  ) {
    var index = Self.firstPeak(in: peaks, from: offset)
    let end = offset + Double(columnCount) * ratio
    while index < peaks.count, Double(peaks[index].column) < end {
      let column = Int(((Double(peaks[index].column) - offset) / ratio).rounded())
      let unit = Int(peaks[index].unit)
      index += 1
      guard column >= 0, column < columnCount else { continue }
      body(column, unit, cells[column * Self.unitCount + unit])
    }
  }

  /// The columns in which the recording is heard: from the first to the last of the row of peaks that speaks most for it.
  ///
  /// A peak speaks for or against it by the logarithm of how much likelier it is to match where the recording is heard than
  /// by chance. Single matches by chance, far from the others, do not outweigh the peaks between that are missing.
  func heardColumns(_ peaks: [Landmarks.Peak], _ fit: Fit) -> ClosedRange<Int> {
    let share = min(max(fit.share, 0.2), 0.95)
    var best = (sum: 0.0, columns: 0...0)
    var sum = 0.0
    var first = 0
    forEachPeak(peaks, offset: fit.offset, ratio: fit.ratio) { column, unit, isMatched in
      let chance = min(max(density[unit], 0.02), share / 2)
      if sum <= 0 { (sum, first) = (0, column) }
      sum += isMatched ? log(share / chance) : log((1 - share) / (1 - chance))
      if sum > best.sum { best = (sum, first...max(first, column)) }
    }
    return best.columns
  }

  private static func firstPeak(in peaks: [Landmarks.Peak], from column: Double) -> Int {
    var (low, high) = (0, peaks.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(peaks[middle].column) < column { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The best fit near an offset: within a few columns, and at ratios within a percent of 1.
  func bestFit(_ peaks: [Landmarks.Peak], near offset: Double) -> Fit {
    // Over a whole excerpt, the smallest step changes the last column by one.
    let step = 2 / Double(max(columnCount, 200))
    let stepCount = min(12, Int(0.008 / step))
    var best = fit(peaks, offset: offset, ratio: 1)
    for ratioStep in -stepCount...stepCount {
      let ratio = 1 + Double(ratioStep) * step
      for shift in stride(from: -2.0, through: 6, by: 1) {
        let fit = fit(peaks, offset: offset + shift, ratio: ratio)
        if fit.matchedCount > best.matchedCount
          || fit.matchedCount == best.matchedCount && abs(fit.ratio - 1) < abs(best.ratio - 1)
        {
          best = fit
        }
      }
    }
    return best
  }
}
