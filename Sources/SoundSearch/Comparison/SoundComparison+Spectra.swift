internal import Glibc

/// The time grids of both spectra, column by column at the offset.
extension SoundComparison {
  private enum Limit {
    /// Bands that are softer than the loudest of their column by more are not compared.
    static let depthInDB: Float = 42
    /// A column that is so much softer than one of its neighbours is not compared.
    static let maskedInDB: Float = 15
    /// The range of the differences of bands, each the median over time of five neighbours.
    static let toneInDB: Float = 3.2
    /// Up to 6.4 kHz: codecs change what is above.
    static let toneBandCount = 64
    /// A band that is softer in the kept one by more is missing there.
    static let missingInDB: Float = 12
    static let missingBandCount = 8
    /// The share of columns in which a band must be heard to be judged.
    static let leastShare = 0.1
    /// Enough for the medians of long recordings.
    static let mostColumns = 4_000
  }

  mutating func compareSpectra() {
    let bandCount = min(kept.bandCount, other.bandCount)
    let column = max(kept.columnInSeconds, other.columnInSeconds)
    let length = 2 * column
    var starts: [Double] = []
    var time = column
    while time + length + column <= other.durationInSeconds {
      let start = time + offsetInSeconds
      if start >= 0, start + length <= kept.durationInSeconds { starts.append(time) }
      time += column
    }
    guard starts.count >= 2 else { return }
    var others = [Float](repeating: 0, count: bandCount)
    var keeps = others
    let sums = starts.map { start -> Float in
      other.bandPowers(from: start, to: start + length, into: &others)
      return others.reduce(0, +)
    }
    let leastSum = max(sums.percentile(0.95) * 1e-4, 1e-6)
    let scale = pow(10, gainInDB / 10)
    let masked = pow(10, -Limit.maskedInDB / 10)
    let stride = (starts.count + Limit.mostColumns - 1) / Limit.mostColumns
    var likeness: [Float] = []
    var heardCount = 0
    // Differences in bands that are heard in the other one, and in those that are heard in both.
    var missing = [[Float]](repeating: [], count: bandCount)
    var shared = missing
    for (index, start) in starts.enumerated() {
      // Windows of other sample rates reach into their neighbours by other lengths.
      let neighbours = sums[max(0, index - 2)...min(sums.count - 1, index + 2)].max() ?? 0
      let isBesideSilence = other.hasSilence(
        from: start - Self.spectralReachInSeconds, to: start + length + Self.spectralReachInSeconds)
      guard sums[index] > max(leastSum, neighbours * masked), !isBesideSilence else {
        likeness.append(1)
        continue
      }
      other.bandPowers(from: start, to: start + length, into: &others)
      kept.bandPowers(from: start + offsetInSeconds, to: start + offsetInSeconds + length, into: &keeps)
      var (common, ofOthers, ofKeeps): (Float, Float, Float) = (0, 0, 0)
      for band in 0..<bandCount {
        let (one, two) = (others[band].squareRoot(), (keeps[band] * scale).squareRoot())
        common += min(one, two)
        ofOthers += one
        ofKeeps += two
      }
      likeness.append(Self.share(ofCommon: common, others: ofOthers, keeps: ofKeeps))
      guard index % stride == 0 else { continue }
      heardCount += 1
      let depth = pow(10, -Limit.depthInDB / 10)
      let (leastOfOther, leastOfKept) = ((others.max() ?? 0) * depth, (keeps.max() ?? 0) * depth)
      for band in 0..<bandCount where others[band] > leastOfOther {
        let difference = StoredSound.decibels(others[band]) - StoredSound.decibels(keeps[band]) - gainInDB
        missing[band].append(difference)
        if keeps[band] > leastOfKept { shared[band].append(difference) }
      }
    }
    note(
      .content,
      if: LikenessLimit(windows: 1, least: 0.38, outlier: 11, below: 0.8).isBroken(by: likeness)
        || LikenessLimit(windows: 3, least: 0.58, outlier: 8, below: 0.85).isBroken(by: likeness))
    let leastCount = max(8, Int(Limit.leastShare * Double(heardCount)))
    let missingCount = missing.count { $0.count >= leastCount && $0.percentile(0.5) > Limit.missingInDB }
    note(.tone, if: missingCount > Limit.missingBandCount || toneRange(shared, leastCount) > Limit.toneInDB)
  }

  private func toneRange(_ differences: [[Float]], _ leastCount: Int) -> Float {
    let medians = differences.prefix(Limit.toneBandCount).map { $0.count >= leastCount ? $0.percentile(0.5) : nil }
    guard medians.count >= 5 else { return 0 }
    let smooth = (0...medians.count - 5).compactMap { first -> Float? in
      let known = medians[first..<first + 5].compactMap { $0 }
      return known.count >= 3 ? known.percentile(0.5) : nil
    }
    return (smooth.max() ?? 0) - (smooth.min() ?? 0)
  }
}
