import Foundation

/// Loudness by its definition, as a reference: filters in direct form, whole signals and all blocks in arrays.
struct ReferenceLoudness {
  let integrated: Double?
  let range: Double?
  let momentaryMaximum: Double?
  let shortTermMaximum: Double?

  /// - Parameter sampleRateInHz: One of ``KWeightingTable``; nil for others.
  init?(_ channels: [[Float]], weights: [Double], sampleRateInHz rate: Int) {
    guard let row = KWeightingTable.rows.first(where: { $0.sampleRateInHz == rate }) else { return nil }
    let c = row.coefficients
    // The running sum of the weighted squares: the energy of any window is the difference of two of them.
    var total = [Double](repeating: 0, count: (channels.first?.count ?? 0) + 1)
    for (channel, weight) in zip(channels, weights) {
      let shelved = Self.filter(channel.map { Double($0) }, c[0], c[1], c[2], c[3], c[4])
      let weighted = Self.filter(shelved, 1, -2, 1, c[5], c[6])
      var sum = 0.0
      for (frame, sample) in weighted.enumerated() {
        sum += weight * sample * sample
        total[frame + 1] += sum
      }
    }
    func energies(seconds: Double, hop: Double) -> [Double] {
      let length = Int((seconds * Double(rate)).rounded())
      var energies: [Double] = []
      for index in 0... {
        let start = Int((Double(index) * hop * Double(rate)).rounded())
        guard start + length < total.count else { break }
        energies.append((total[start + length] - total[start]) / Double(length))
      }
      return energies
    }
    func loudness(_ energy: Double) -> Double { -0.691 + 10 * log10(energy) }
    func gated(_ energies: [Double], by distance: Double) -> [Double] {
      let heard = energies.filter { loudness($0) > -70 }
      let gate = loudness(heard.reduce(0, +) / Double(max(heard.count, 1))) - distance
      return heard.filter { loudness($0) > gate }
    }
    momentaryMaximum = energies(seconds: 0.4, hop: 0.01).max().map(loudness)
    shortTermMaximum = energies(seconds: 3, hop: 0.01).max().map(loudness)
    let blocks = gated(energies(seconds: 0.4, hop: 0.1), by: 10)
    integrated = blocks.isEmpty ? nil : loudness(blocks.reduce(0, +) / Double(blocks.count))
    let shortTerms = gated(energies(seconds: 3, hop: 0.1), by: 20).sorted()
    func rank(_ share: Double) -> Double {
      loudness(shortTerms[Int((Double(shortTerms.count - 1) * share + 0.5).rounded(.down))])
    }
    range = shortTerms.isEmpty ? nil : rank(0.95) - rank(0.10)
  }

  private static func filter(
    _ input: [Double], _ b0: Double, _ b1: Double, _ b2: Double, _ a1: Double, _ a2: Double
  ) -> [Double] {
    var output = [Double](repeating: 0, count: input.count)
    for n in input.indices {
      let (x1, x2) = (n > 0 ? input[n - 1] : 0, n > 1 ? input[n - 2] : 0)
      let (y1, y2) = (n > 0 ? output[n - 1] : 0, n > 1 ? output[n - 2] : 0)
      output[n] = b0 * input[n] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
    }
    return output
  }
}
