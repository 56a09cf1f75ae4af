package import Base
internal import Glibc

/// The loudness distribution of the overlapping blocks of a recording: their number in each narrow bin, and their
/// energy.
///
/// It gives the loudness of a recording or an album. For an album the blocks of all tracks are pooled before gating; an
/// average of their loudnesses would be wrong. Blocks at or below the absolute gate are left out; the last bin holds
/// everything above +30 LUFS. The energy within a bin is exact, so only the edge of the relative gate is as coarse as
/// the bins.
///
/// Source: ITU-R BS.1770-4, annex 1; EBU Tech 3341.
package struct GatingHistogram: Hashable, Sendable {
  package struct Bin: Hashable, Sendable {
    package var count = 0
    /// The sum over the blocks.
    package var energy = 0.0

    package var meanEnergy: Double { count > 0 ? energy / Double(count) : 0 }
  }

  /// The resolution of stored histograms.
  package static let storedBinsPerLU = 10
  static let floorInLUFS = LoudnessScale.absoluteGateInLUFS
  static let heightInLU = 100
  private static let absoluteGateEnergy = LoudnessScale.energy(ofLoudness: LoudnessScale.absoluteGateInLUFS)

  package let binsPerLU: Int
  /// Ascending from -70 LUFS.
  package internal(set) var bins: [Bin]

  package init(binsPerLU: Int = storedBinsPerLU) {
    precondition(binsPerLU > 0, "a histogram has bins")
    self.binsPerLU = binsPerLU
    bins = Array(repeating: Bin(), count: Self.heightInLU * binsPerLU)
  }

  package var isEmpty: Bool { bins.allSatisfy { $0.count == 0 } }

  /// Adds a block; one at or below the absolute gate is ignored.
  ///
  /// - Parameter energy: Finite; see ``LoudnessScale``.
  package mutating func insert(energy: Double) {
    guard energy > Self.absoluteGateEnergy, let loudness = LoudnessScale.loudness(ofEnergy: energy) else { return }
    let steps = (loudness - Self.floorInLUFS) * Double(binsPerLU)
    let index = Int(max(0, min(steps, Double(bins.count - 1))))
    bins[index].count += 1
    bins[index].energy += energy
  }

  /// Adds the blocks of another histogram.
  ///
  /// - Precondition: Both have equal bins.
  package mutating func formUnion(_ other: GatingHistogram) {
    precondition(binsPerLU == other.binsPerLU, "only equal bins can be pooled")
    for (index, bin) in other.bins.enumerated() where bin.count > 0 {
      bins[index].count += bin.count
      bins[index].energy += bin.energy
    }
  }

  /// The same blocks in wider bins.
  ///
  /// - Precondition: `binsPerLU` divides that of this histogram.
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

extension GatingHistogram {
  /// Thirteen years of blocks; pooled histograms cannot overflow.
  private static let countLimit = Int(UInt32.max)

  /// Layout 1: `f64` energy of all blocks together, `u16` first bin, `u16` bins, then the count of each bin in groups
  /// of seven bits.
  ///
  /// When read back, all blocks of a bin are equally loud, in the middle of the bin; the total energy is unchanged.
  package var blob: [UInt8] {
    let stored = coarsened(toBinsPerLU: Self.storedBinsPerLU).bins
    let first = stored.firstIndex { $0.count > 0 } ?? 0
    let end = stored.lastIndex { $0.count > 0 }.map { $0 + 1 } ?? 0
    var writer = ByteWriter(capacity: 12 + 2 * (end - first))
    writer.append(stored.reduce(0) { $0 + $1.energy })
    writer.append(UInt16(first))
    writer.append(UInt16(end - first))
    for bin in stored[first..<end] { writer.append(compact: UInt32(min(bin.count, Self.countLimit))) }
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    self.init()
    var reader = ByteReader(blob)
    let energy = try reader.readDouble()
    let first = Int(try reader.read(UInt16.self))
    let binCount = Int(try reader.read(UInt16.self))
    guard energy >= 0, energy.isFinite, first + binCount <= bins.count else {
      throw reader.failure("not the header of a loudness histogram")
    }
    var (count, roughEnergy) = (0, 0.0)
    for index in first..<first + binCount {
      bins[index].count = Int(try reader.readCompact())
      bins[index].energy = Double(bins[index].count) * Self.middleEnergy(ofBin: index)
      count += bins[index].count
      roughEnergy += bins[index].energy
    }
    guard count <= Self.countLimit, (count > 0) == (energy > 0) else {
      throw reader.failure("blocks and their energy cannot belong together")
    }
    guard count > 0 else { return }
    for index in first..<first + binCount { bins[index].energy *= energy / roughEnergy }
  }

  private static func middleEnergy(ofBin index: Int) -> Double {
    LoudnessScale.energy(ofLoudness: floorInLUFS + (Double(index) + 0.5) / Double(storedBinsPerLU))
  }
}

extension GatingHistogram {
  /// Loudness of the blocks that pass both gates, in LUFS; nil if there are none.
  package var integratedLoudness: Double? {
    var sum = Bin()
    for bin in bins(aboveMeanBy: -10) {
      sum.count += bin.count
      sum.energy += bin.energy
    }
    return LoudnessScale.loudness(ofEnergy: sum.meanEnergy)
  }

  /// The loudness range in LU of a histogram of short-term loudness: from the 10th to the 95th percentile of the blocks
  /// that pass the gates, which exclude silence and fades; nil if there are none.
  ///
  /// Source: EBU Tech 3342.
  package var loudnessRange: Double? {
    let passed = bins(aboveMeanBy: -20)
    let count = passed.reduce(0) { $0 + $1.count }
    func percentile(_ share: Double) -> Double? {
      var rank = Int(Double(max(count - 1, 0)) * share + 0.5)
      for bin in passed {
        guard rank >= bin.count else { return LoudnessScale.loudness(ofEnergy: bin.meanEnergy) }
        rank -= bin.count
      }
      return nil
    }
    guard let low = percentile(0.10), let high = percentile(0.95) else { return nil }
    return high - low
  }

  /// The bins at most a number of LU below the mean energy of all, in ascending order.
  private func bins(aboveMeanBy distance: Double) -> [Bin] {
    var total = Bin()
    for bin in bins {
      total.count += bin.count
      total.energy += bin.energy
    }
    guard let mean = LoudnessScale.loudness(ofEnergy: total.meanEnergy) else { return [] }
    let gate = LoudnessScale.energy(ofLoudness: mean + distance)
    return bins.filter { $0.count > 0 && $0.meanEnergy > gate }
  }
}

/// Converts K-weighted energy to loudness.
///
/// Energy is the mean square of each channel, weighted and summed over the channels. Source: ITU-R BS.1770-4, annex 1.
package enum LoudnessScale {
  /// The absolute gate: anything that is not louder counts as silence.
  package static let absoluteGateInLUFS = -70.0

  /// nil for no energy.
  package static func loudness(ofEnergy energy: Double) -> Double? {
    energy > 0 ? -0.691 + 10 * log10(energy) : nil
  }

  package static func energy(ofLoudness loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

  /// ReplayGain 2.0 in dB: the gain that brings a loudness to -18 LUFS.
  package static func replayGain(ofLoudness loudness: Double) -> Double { -18 - loudness }
}
