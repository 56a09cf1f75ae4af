package import Base

/// How much each pitch sounds in a recording, whatever its octave, in steps of a tenth of a semitone.
///
/// Fine enough that the tuning, the twelve pitch classes and the key can be decided again without the sound.
package struct ChromaSummary: Hashable, Sendable {
  package static let stepsPerSemitone = 10
  package static let stepCount = 12 * stepsPerSemitone
  /// 55 to 220, 220 to 880 and 880 to 2,000 Hz.
  package static let bandEdgesInHz: [Double] = [55, 220, 880, 2_000]
  package static let bandCount = bandEdgesInHz.count - 1

  /// For each band, from the lowest, the share of each step: step 0 is A at 440 Hz, step 10 is A sharp. Each is a part of
  /// 65,535; those of a band add up to at most that, or are all 0 if nothing sounds there.
  package var shares: [[UInt16]]
  /// Columns of 186 ms in which something sounds.
  package var columnCount: Int
  /// How much the pitch classes change from column to column: `0...1`.
  package var flux: Float

  package init(shares: [[UInt16]], columnCount: Int, flux: Float) {
    precondition(
      shares.count == Self.bandCount && shares.allSatisfy { $0.count == Self.stepCount }, "each band has every step")
    self.shares = shares
    self.columnCount = columnCount
    self.flux = flux
  }
}

extension ChromaSummary {
  /// Layout 1: `u32` columns, `f32` flux, then for each band, from the lowest, the `u16` share of each of 120 steps.
  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 8 + 2 * Self.bandCount * Self.stepCount)
    writer.append(UInt32(columnCount))
    writer.append(flux)
    for band in shares { for share in band { writer.append(share) } }
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    let columnCount = Int(try reader.read(UInt32.self))
    let flux = Float(bitPattern: try reader.read(UInt32.self))
    guard (0...1).contains(flux) else { throw reader.failure("not the header of a chroma") }
    var shares: [[UInt16]] = []
    for _ in 0..<Self.bandCount {
      var band: [UInt16] = []
      band.reserveCapacity(Self.stepCount)
      for _ in 0..<Self.stepCount { band.append(try reader.read(UInt16.self)) }
      shares.append(band)
    }
    self.init(shares: shares, columnCount: columnCount, flux: flux)
  }
}
