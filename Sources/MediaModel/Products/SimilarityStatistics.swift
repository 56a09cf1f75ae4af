package import Base

/// How a recording sounds, in numbers that other recordings can be compared with after a projection: see
/// ``SoundProjection``.
///
/// None depends on the level of the recording, and none on what is above 5.5 kHz, where encoders differ.
package struct SimilarityStatistics: Hashable, Sendable {
  /// What a part of the numbers describes.
  package enum Group: Int, CaseIterable, Sendable {
    /// Cosine transform of the mean levels of the bands (without the overall level), then the deviation of each band.
    case timbre
    /// Deviations of 13 cepstral coefficients, as logarithms, then their correlations.
    case timbreShape
    /// How much each band changes between columns, as logarithms, then how much it rises.
    case motion
    /// Mean and deviation over time of the spread over the bands, and of their centroid.
    case contrast
    /// Autocorrelation of low, middle and high onsets at 24 lags between 0.2 and 2 s.
    case rhythm
    /// Logarithms of the power of eight bands' changes at ten rates between 0.5 and 10 Hz.
    case fluctuation
    /// Intervals between pitch classes, clarity of the key, major against minor, harmonic change.
    case harmony
    /// Deviation and range of the level, onsets a second, tempo as a point on a circle of an octave, its strength.
    case dynamics

    package var count: Int {
      switch self {
      case .timbre: 51
      case .timbreShape: 91
      case .motion: 64
      case .contrast: 4
      case .rhythm: 72
      case .fluctuation: 80
      case .harmony: 9
      case .dynamics: 7
      }
    }

    /// Where its numbers are.
    package var range: Range<Int> {
      let start = Self.allCases.prefix(rawValue).reduce(0) { $0 + $1.count }
      return start..<start + count
    }
  }

  package static let count = Group.allCases.reduce(0) { $0 + $1.count }

  /// ``count`` numbers, group after group; all finite.
  package var values: [Float]

  /// Rounds to what is stored; numbers that are not finite become 0.
  package init(_ values: [Float]) {
    precondition(values.count == Self.count, "there is a number for each statistic")
    self.values = values.map { $0.isFinite ? Float(Float16(max(-60_000, min($0, 60_000)))) : 0 }
  }
}

extension SimilarityStatistics {
  /// Layout 1: `u16` count, then each number as `f16` (IEEE 754 binary16).
  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 2 + 2 * values.count)
    writer.append(UInt16(values.count))
    for value in values { writer.append(Float16(value).bitPattern) }
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    guard Int(try reader.read(UInt16.self)) == Self.count else { throw reader.failure("not \(Self.count) statistics") }
    var values: [Float] = []
    values.reserveCapacity(Self.count)
    for _ in 0..<Self.count {
      let value = Float(Float16(bitPattern: try reader.read(UInt16.self)))
      guard value.isFinite else { throw reader.failure("a statistic that is not finite") }
      values.append(value)
    }
    self.values = values
  }
}
