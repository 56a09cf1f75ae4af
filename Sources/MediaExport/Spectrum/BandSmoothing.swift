internal import Glibc
internal import MediaModel

/// The smoothing of the spectrum that Deadwax descends from, over amplitudes.
enum BandSmoothing {
  private static let weights = [1.0, 2, 3, 5, 3, 2, 1]

  /// Each band becomes the mean of seven, weighted 1 2 3 5 3 2 1; the three at each end stay as they are.
  ///
  /// Levels are in dB; a band next to one that has none stays as it is, too.
  static func acrossBands(_ levels: [Double?]) -> [Double?] {
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

  /// Each column becomes `amount` of what it was before and the rest of itself.
  ///
  /// - Parameters:
  ///   - levelsInDB: column after column, `bandCount` each.
  ///   - amount: `0...1`; what is outside is clamped.
  static func overTime(_ levelsInDB: inout [Float], bandCount: Int, amount: Double) {
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
