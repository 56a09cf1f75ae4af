extension GatingHistogram {
  /// Thirteen years of blocks; so no number of pooled histograms overflows.
  private static let countLimit = Int(UInt32.max)

  /// Layout 1: `f64` energy of all blocks together, `u16` first bin, `u16` bins, then the count of each bin in groups of
  /// seven bits.
  ///
  /// What is read back has all blocks of a bin alike, in its middle, but the energy of all of them as it was.
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
