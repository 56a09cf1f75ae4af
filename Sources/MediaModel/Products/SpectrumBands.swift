internal import Glibc

/// Adjacent frequency bands whose edges grow by a constant factor.
package struct SpectrumBands: Hashable, Sendable {
  /// `count + 1` ascending frequencies in Hz; band `b` extends from `edges[b]` to `edges[b + 1]`.
  package let edgesInHz: [Double]

  /// - Precondition: `count > 0` and `0 < low < high`.
  package init(count: Int, fromHz low: Double, toHz high: Double) {
    precondition(count > 0 && low > 0 && low < high, "bands need a range and a count")
    // The last edge is assigned, not computed, so that it is exact.
    edgesInHz = (0..<count).map { low * exp2(log2(high / low) * Double($0) / Double(count)) } + [high]
  }

  /// The 80 bands from 100 Hz to 18 kHz that are stored for every recording.
  package static let standard = SpectrumBands(count: 80, fromHz: 100, toHz: 18_000)

  package var count: Int { edgesInHz.count - 1 }

  /// Geometric centre of a band in Hz.
  package func center(of band: Int) -> Double { (edgesInHz[band] * edgesInHz[band + 1]).squareRoot() }

  /// The band that contains a frequency; nil if none does.
  package func index(ofHz frequency: Double) -> Int? {
    guard frequency >= edgesInHz[0], frequency <= edgesInHz[count] else { return nil }
    return (edgesInHz.firstIndex { frequency < $0 } ?? count) - 1
  }
}

extension SpectrumBands {
  /// The bands for stored levels, of which only the count is stored: from 100 Hz to 18 kHz; nil for a count of 0.
  package static func stored(count: Int) -> SpectrumBands? {
    switch count {
    case standard.count: standard
    case 1...: SpectrumBands(count: count, fromHz: standard.edgesInHz[0], toHz: standard.edgesInHz[standard.count])
    default: nil
    }
  }
}

/// The smoothing of the spectrum display that Deadwax is derived from; it works on amplitudes.
package enum BandSmoothing {
  private static let weights = [1.0, 2, 3, 5, 3, 2, 1]

  /// Each band becomes the mean of seven, weighted 1 2 3 5 3 2 1; the three at each end do not change.
  ///
  /// Levels are in dB. A band whose neighbours include one without a level does not change either.
  package static func acrossBands(_ levels: [Double?]) -> [Double?] {
    let amplitudes = levels.map { $0.map { pow(10, $0 / 20) } }
    let sum = weights.reduce(0, +)
    return levels.indices.map { band in
      guard band >= 3, band + 3 < levels.count else { return levels[band] }
      var total = 0.0
      for (amplitude, weight) in zip(amplitudes[band - 3...band + 3], weights) {
        guard let amplitude else { return levels[band] }
        total += amplitude * weight
      }
      return level(ofAmplitude: total / sum)
    }
  }

  /// Each column becomes `amount` of the previous result and the rest of itself.
  ///
  /// - Parameters:
  ///   - levelsInDB: Column by column, `bandCount` each.
  ///   - amount: `0...1`; other values are clamped.
  package static func overTime(_ levelsInDB: inout [Float], bandCount: Int, amount: Double) {
    guard bandCount > 0, amount > 0 else { return }
    let amount = min(amount, 1)
    for band in 0..<bandCount {
      var smooth: Double?
      for index in stride(from: band, to: levelsInDB.count, by: bandCount) {
        let amplitude = pow(10, Double(levelsInDB[index]) / 20)
        let next = smooth.map { $0 * amount + amplitude * (1 - amount) } ?? amplitude
        levelsInDB[index] = Float(level(ofAmplitude: next))
        smooth = next
      }
    }
  }

  private static func level(ofAmplitude amplitude: Double) -> Double {
    amplitude > 0 ? max(20 * log10(amplitude), Double(DecibelStep.floorInDB)) : Double(DecibelStep.floorInDB)
  }
}
