/// How loud the overlapping blocks of a recording are: how many there are in each narrow bin, and their energy.
///
/// From it comes the loudness of the whole, or of an album: the blocks of all its tracks are pooled before the gates,
/// while an average of their loudnesses would be something else. Blocks at or below the absolute gate are left out; the
/// last bin holds everything above +30 LUFS. Within a bin the energy is exact, so that only the edge of the relative gate
/// is as coarse as the bins.
///
/// Source: ITU-R BS.1770-4, annex 1; EBU Tech 3341.
package struct GatingHistogram: Hashable, Sendable {
  package struct Bin: Hashable, Sendable {
    package var count = 0
    /// Sum over the blocks.
    package var energy = 0.0

    package var meanEnergy: Double { count > 0 ? energy / Double(count) : 0 }
  }

  /// Resolution of what is stored.
  package static let storedBinsPerLU = 10
  static let floorInLUFS = LoudnessScale.absoluteGateInLUFS
  static let heightInLU = 100
  private static let absoluteGateEnergy = LoudnessScale.energy(ofLoudness: LoudnessScale.absoluteGateInLUFS)

  package let binsPerLU: Int
  /// From -70 LUFS upwards.
  package internal(set) var bins: [Bin]

  package init(binsPerLU: Int = storedBinsPerLU) {
    precondition(binsPerLU > 0, "a histogram has bins")
    self.binsPerLU = binsPerLU
    bins = Array(repeating: Bin(), count: Self.heightInLU * binsPerLU)
  }

  package var isEmpty: Bool { bins.allSatisfy { $0.count == 0 } }

  /// Adds one block; one that the absolute gate holds back changes nothing.
  ///
  /// - Parameter energy: finite; see ``LoudnessScale``.
  package mutating func insert(energy: Double) {
    guard energy > Self.absoluteGateEnergy, let loudness = LoudnessScale.loudness(ofEnergy: energy) else { return }
    let steps = (loudness - Self.floorInLUFS) * Double(binsPerLU)
    let index = Int(max(0, min(steps, Double(bins.count - 1))))
    bins[index].count += 1
    bins[index].energy += energy
  }

  /// Pools the blocks of both.
  ///
  /// - Precondition: Both have the same bins.
  package mutating func formUnion(_ other: GatingHistogram) {
    precondition(binsPerLU == other.binsPerLU, "only equal bins can be pooled")
    for (index, bin) in other.bins.enumerated() where bin.count > 0 {
      bins[index].count += bin.count
      bins[index].energy += bin.energy
    }
  }

  /// The same blocks in wider bins.
  ///
  /// - Precondition: `binsPerLU` divides that of the histogram.
  package func coarsened(toBinsPerLU coarser: Int) -> GatingHistogram {
    precondition(binsPerLU.isMultiple(of: coarser), "a wider bin holds whole ones")
    var result = GatingHistogram(binsPerLU: coarser)
    for (index, bin) in bins.enumerated() {
      let target = index / (binsPerLU / coarser)
      result.bins[target].count += bin.count
      result.bins[target].energy += bin.energy
    }
    return result
  }
}
