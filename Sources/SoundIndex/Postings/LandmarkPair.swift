package import MediaModel

/// Two peaks of one recording as a number of 23 bits: the units of both, and the columns between them.
///
/// Pairs are what the index looks up: single peaks are too common, and of three peaks together too few survive.
package enum LandmarkPair {
  package static let bitCount = 23
  /// Columns from the first peak to the second. Each zone gives a pair, so that both short and long distances do.
  private static let zones: [ClosedRange<Int32>] = [2...15, 16...40, 41...96]
  private static let largestStep = 96
  /// A frequency that is this far from the middle of its unit may be in the next one when it is stored.
  private static let nearEdge: Float = 0.3

  /// How many of the pairs are searched that may be the stored ones.
  struct Search: Sendable {
    /// The partners of a peak in each zone, because any of them may be the one that is stored.
    let partnerCount: Int
    /// By how many columns a distance may differ from the stored one: echoes move peaks.
    let distanceReach: Int32

    static let usual = Search(partnerCount: 3, distanceReach: 0)
    static let dense = Search(partnerCount: 12, distanceReach: 1)
  }

  static func number(_ first: Int, _ second: Int, distance: Int32) -> UInt32 {
    UInt32(first) << 15 | UInt32(second) << 7 | UInt32(distance)
  }

  /// The pairs that are stored: each peak with the strongest of each zone.
  ///
  /// - Parameter body: Is given the pair and the column of its first peak, which never decreases.
  package static func forEachStored(of landmarks: Landmarks, _ body: (UInt32, Int32) -> Void) {
    let peaks = landmarks.peaks
    for index in peaks.indices {
      forEachPartner(of: index, in: peaks, limit: 1) { partner in
        body(
          number(
            Int(peaks[index].unit), Int(peaks[partner].unit), distance: peaks[partner].column - peaks[index].column),
          peaks[index].column)
      }
    }
  }

  /// The pairs that are searched, each with the column of its first peak.
  ///
  /// - Parameter landmarks: With as many peaks as an excerpt gives.
  static func searched(of landmarks: Landmarks, _ search: Search) -> [(number: UInt32, column: Int32)] {
    var pairs: [(number: UInt32, column: Int32)] = []
    let peaks = landmarks.peaks
    pairs.reserveCapacity(peaks.count * 16)
    for index in peaks.indices {
      let firsts = units(of: peaks[index])
      forEachPartner(of: index, in: peaks, limit: search.partnerCount) { partner in
        let distance = peaks[partner].column - peaks[index].column
        for first in firsts {
          for second in units(of: peaks[partner]) {
            for distance in distance - search.distanceReach...distance + search.distanceReach {
              pairs.append((number(first, second, distance: distance), peaks[index].column))
            }
          }
        }
      }
    }
    return pairs
  }

  private static func units(of peak: Landmarks.Peak) -> [Int] {
    let unit = Int(peak.unit)
    guard abs(peak.fraction) > nearEdge else { return [unit] }
    let next = peak.fraction > 0 ? unit + 1 : unit - 1
    return (0..<LandmarkScale.unitCount).contains(next) ? [unit, next] : [unit]
  }

  /// The strongest peaks of each zone after a peak; of equals the nearest.
  private static func forEachPartner(
    of index: Int, in peaks: [Landmarks.Peak], limit: Int, _ body: (Int) -> Void
  ) {
    let peak = peaks[index]
    var next = index + 1
    for zone in zones {
      var best: [Int] = []
      while next < peaks.count, peaks[next].column - peak.column <= zone.upperBound {
        defer { next += 1 }
        guard peaks[next].column - peak.column >= zone.lowerBound,
          abs(Int(peaks[next].unit) - Int(peak.unit)) <= largestStep
        else { continue }
        let place = best.firstIndex { peaks[$0].strength < peaks[next].strength } ?? best.endIndex
        guard place < limit else { continue }
        best.insert(next, at: place)
        if best.count > limit { best.removeLast() }
      }
      for partner in best { body(partner) }
    }
  }
}
