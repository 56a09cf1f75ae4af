package import Base
package import MediaModel

/// Turns the statistics of a recording into a point, so that distances between points say how alike recordings sound.
///
/// Each statistic is centred and scaled by the median and the quartiles of real music, limited to three times that,
/// weighted by its group and multiplied by a matrix whose rows are the directions in which music differs most, each
/// scaled to the same spread. All numbers are frozen: vectors of two libraries can be compared. `scripts/fit-similarity.py`
/// makes `projection.bin` from a library, and docs/sound-search.md says of which music.
package struct SoundProjection: Sendable {
  /// Of the numbers in `projection.bin`; vectors of different versions cannot be compared.
  package let version: Int
  /// Of each statistic.
  private let centers: [Float]
  /// What a centred statistic is multiplied by, its weight included.
  private let scales: [Float]
  /// The greatest magnitude of each, after that.
  private let limits: [Float]
  /// A row for each coordinate.
  private let rows: [Float]

  /// The one that this program was made with.
  package static let current: SoundProjection = {
    do {
      return try SoundProjection(bytes: PackageResources.projection_bin)
    } catch {
      preconditionFailure("the projection that this program was built with is damaged: \(error)")
    }
  }()

  /// Layout: `u32` version, `u16` statistics, `u16` coordinates; for each statistic three `f32`: centre, scale, limit; for
  /// each coordinate an `f32` step and an `s8` for each statistic.
  package init(bytes: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(bytes)
    version = Int(try reader.read(UInt32.self))
    let (count, rowCount) = (Int(try reader.read(UInt16.self)), Int(try reader.read(UInt16.self)))
    guard count == SimilarityStatistics.count, rowCount == SoundVector.dimensionCount else {
      throw reader.failure("a projection of \(count) statistics to \(rowCount) coordinates")
    }
    var (centers, scales, limits): ([Float], [Float], [Float]) = ([], [], [])
    for _ in 0..<count {
      centers.append(Float(bitPattern: try reader.read()))
      scales.append(Float(bitPattern: try reader.read()))
      limits.append(Float(bitPattern: try reader.read()))
    }
    var rows: [Float] = []
    rows.reserveCapacity(count * rowCount)
    for _ in 0..<rowCount {
      let step = Float(bitPattern: try reader.read())
      for _ in 0..<count { rows.append(step * Float(try reader.read(Int8.self))) }
    }
    guard (centers + scales + limits + rows).allSatisfy(\.isFinite) else {
      throw reader.failure("a number that is not finite")
    }
    (self.centers, self.scales, self.limits, self.rows) = (centers, scales, limits, rows)
  }

  package func vector(of statistics: SimilarityStatistics) -> SoundVector {
    let values = statistics.values.indices.map { index in
      let scaled = (statistics.values[index] - centers[index]) * scales[index]
      return max(-limits[index], min(scaled, limits[index]))
    }
    return SoundVector(
      (0..<SoundVector.dimensionCount).map { row in
        let start = row * values.count
        var sum: Float = 0
        for index in values.indices { sum += rows[start + index] * values[index] }
        return Int8(max(-127, min(sum.rounded(), 127)))
      })
  }
}
