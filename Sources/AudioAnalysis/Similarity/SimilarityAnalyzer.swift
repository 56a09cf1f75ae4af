internal import Glibc
internal import MediaModel
internal import SignalProcessing

/// Gathers the statistics of the levels of bands by which recordings are compared.
///
/// Sums over single columns leave silence out. What needs an order in time, rhythm and fluctuation, takes every column.
///
/// Sources: block-level features as in K. Seyerlehner et al., Fusing Block-Level Features for Music Similarity Estimation
/// (2010); fluctuation patterns as in E. Pampalk, Computational Models of Music Similarity (2006).
struct SimilarityAnalyzer: ~Copyable {
  /// A column is silent if no band is this far above ``BandLevels/floorInDB``.
  private static let leastRiseInDB: Float = 12
  private static let cepstrumCount = 13
  /// In vectors.
  private static let productRowLength = (cepstrumCount + 3) / 4
  private static let bandCount = BandLevels.count

  /// The cosine transform: `cepstrumCount` rows, from the first harmonic on.
  private let cosines = SampleBuffer(
    CosineTransform.rows(1...cepstrumCount, size: bandCount))
  private let former = SampleBuffer(count: bandCount)
  // Rounded up to whole vectors.
  private let cepstrum = SampleBuffer(count: (cepstrumCount + 3) / 4 * 4)
  private var hasFormer = false

  private var columnCount = 0
  private var levelMoments = BandMoments()
  private var changeMoments = BandMoments()
  private var riseSums = [SIMD8<Double>](repeating: .zero, count: bandCount / 8)
  private var cepstrumSums = [Double](repeating: 0, count: cepstrumCount)
  /// Sums of products of two coefficients: rows of the lower triangle.
  private var cepstrumProducts = [SIMD4<Double>](repeating: .zero, count: cepstrumCount * productRowLength)
  private var spread = Moments()
  private var centroid = Moments()
  private var level = Moments()
  /// Of the mean levels of columns, a bin for each dB above the floor.
  private var levelHistogram = [Int](repeating: 0, count: 80)
  private var fluctuation = FluctuationAnalyzer()
  private var onsets: OnsetGroups

  init(expectedColumnCount: Int) { onsets = OnsetGroups(expectedColumnCount: expectedColumnCount) }

  /// Adds the levels of the next column.
  mutating func consume(_ levels: UnsafePointer<Float>) {
    if !hasFormer { former.pointer.update(from: levels, count: Self.bandCount) }
    fluctuation.consume(levels)
    onsets.consume(levels, former: former.pointer)
    measure(levels)
    former.pointer.update(from: levels, count: Self.bandCount)
    hasFormer = true
  }

  private mutating func measure(_ levels: UnsafePointer<Float>) {
    var (sum, weighted, greatest): (Float, Float, Float) = (0, 0, BandLevels.floorInDB)
    for band in 0..<Self.bandCount {
      greatest = max(greatest, levels[band])
      let above = levels[band] - BandLevels.floorInDB
      sum += above
      weighted += above * Float(band)
    }
    guard greatest > BandLevels.floorInDB + Self.leastRiseInDB else { return }
    columnCount += 1
    let mean = sum / Float(Self.bandCount)
    for index in 0..<Self.bandCount / 8 {
      let level = levels.vector8(at: 8 * index)
      let change = level - former.pointer.vector8(at: 8 * index)
      levelMoments.add(level, index)
      changeMoments.add(change, index)
      riseSums[index] += SIMD8<Double>(greater(change, .zero))
    }
    var squares: Float = 0
    for band in 0..<Self.bandCount {
      let distance = levels[band] - BandLevels.floorInDB - mean
      squares += distance * distance
    }
    spread.add((squares / Float(Self.bandCount)).squareRoot())
    centroid.add(weighted / sum)
    level.add(mean)
    levelHistogram[min(levelHistogram.count - 1, Int(mean))] += 1
    addCepstrum(levels)
  }

  private mutating func addCepstrum(_ levels: UnsafePointer<Float>) {
    for row in 0..<Self.cepstrumCount {
      let cosines = UnsafePointer(self.cosines.pointer + row * Self.bandCount)
      var sum = SIMD8<Float>.zero
      for band in stride(from: 0, to: Self.bandCount, by: 8) {
        sum += cosines.vector8(at: band) * levels.vector8(at: band)
      }
      cepstrum.pointer[row] = sum.sum()
      cepstrumSums[row] += Double(cepstrum.pointer[row])
    }
    for row in 0..<Self.cepstrumCount {
      for column in stride(from: 0, through: row, by: 4) {
        cepstrumProducts[row * Self.productRowLength + column / 4] += SIMD4<Double>(
          cepstrum.pointer[row] * cepstrum.pointer.vector4(at: column))
      }
    }
  }

  /// Ends the stream.
  ///
  /// - Parameters:
  ///   - rhythm: of the same columns.
  ///   - chroma: of the same signal.
  consuming func finish(rhythm: RhythmSummary, chroma: ChromaSummary) -> SimilarityStatistics {
    var values: [Float] = []
    values.reserveCapacity(SimilarityStatistics.count)
    let dynamics = dynamics(rhythm)
    values += timbre() + timbreShape() + motion()
    values += [spread.mean, spread.deviation, centroid.mean, centroid.deviation]
    values += onsets.finish(columnsPerSecond: rhythm.columnsPerSecond)
    values += fluctuation.finish()
    values += Self.harmony(of: chroma)
    values += dynamics
    return SimilarityStatistics(values)
  }

  private func timbre() -> [Float] {
    let means = (0..<Self.bandCount).map { levelMoments.mean($0, of: columnCount) }
    let deviations = (0..<Self.bandCount).map { levelMoments.deviation($0, of: columnCount) }
    return CosineTransform.apply(1...19, to: means) + deviations
  }

  private func timbreShape() -> [Float] {
    let count = Double(max(columnCount, 1))
    let means = cepstrumSums.map { $0 / count }
    func covariance(_ row: Int, _ column: Int) -> Double {
      cepstrumProducts[row * Self.productRowLength + column / 4][column % 4] / count - means[row] * means[column]
    }
    let deviations = (0..<Self.cepstrumCount).map { max(covariance($0, $0), 1e-4).squareRoot() }
    var values = deviations.map { Float(log($0)) }
    for row in 1..<Self.cepstrumCount {
      for column in 0..<row { values.append(Float(covariance(row, column) / (deviations[row] * deviations[column]))) }
    }
    return values
  }

  private func motion() -> [Float] {
    let changes = (0..<Self.bandCount).map { log(max(changeMoments.deviation($0, of: columnCount), 0.01)) }
    return changes + (0..<Self.bandCount).map { Float(riseSums[$0 / 8][$0 % 8]) / Float(max(columnCount, 1)) }
  }

  private static func harmony(of chroma: ChromaSummary) -> [Float] {
    let classes = chroma.pitchClasses()
    let power = classes.reduce(0) { $0 + $1 * $1 }
    let intervals = (1...6).map { interval in
      (0..<12).reduce(0) { $0 + classes[$1] * classes[($1 + interval) % 12] } / max(power, 1e-9)
    }
    let likeness = chroma.likenessOfModes
    return intervals.map { Float($0) }
      + [Float(max(likeness.major, likeness.minor)), Float(likeness.major - likeness.minor), chroma.flux]
  }

  private func dynamics(_ rhythm: RhythmSummary) -> [Float] {
    var range: [Float] = []
    for share in [0.1, 0.5] {
      // The level that this share of the columns is below, against the level that nine tenths are below.
      range.append(Float(percentile(0.9) - percentile(share)))
    }
    let seconds = Float(max(rhythm.onsets.count, 1)) / Float(rhythm.columnsPerSecond)
    let tempo = rhythm.tempo()
    let angle = log2((tempo?.beatsPerMinute ?? 120) / 120) * 2 * .pi
    let strength = rhythm.candidates.first?.strength ?? 0
    let clarity = Double(strength.squareRoot())
    return [level.deviation] + range + [
      Float(rhythm.onsetCount) / seconds, Float(sin(angle) * clarity), Float(cos(angle) * clarity), strength,
    ]
  }

  private func percentile(_ share: Double) -> Int {
    var remaining = Int(share * Double(columnCount))
    for (bin, count) in levelHistogram.enumerated() {
      remaining -= count
      if remaining < 0 { return bin }
    }
    return levelHistogram.count
  }
}

extension RhythmSummary {
  /// Columns in which the onsets have a clear local maximum: at least 1 dB, and twice the mean.
  fileprivate var onsetCount: Int {
    guard onsets.count > 2 else { return 0 }
    let mean = onsets.reduce(0) { $0 + Int($1) } / onsets.count
    let least = max(Int(RhythmSummary.onsetStep), 2 * mean)
    return onsets.indices.dropFirst().dropLast().count {
      Int(onsets[$0]) >= least && onsets[$0] >= onsets[$0 - 1] && onsets[$0] > onsets[$0 + 1]
    }
  }
}

/// Sums of a number and of its square.
struct Moments {
  private var count = 0
  private var sum = 0.0
  private var squares = 0.0

  mutating func add(_ value: Float) {
    count += 1
    sum += Double(value)
    squares += Double(value) * Double(value)
  }

  var mean: Float { count > 0 ? Float(sum / Double(count)) : 0 }

  var deviation: Float {
    guard count > 0 else { return 0 }
    let mean = sum / Double(count)
    return Float(max(0, squares / Double(count) - mean * mean).squareRoot())
  }
}

/// The same for each band, over a number of columns that is kept elsewhere.
private struct BandMoments {
  private var sums = [SIMD8<Double>](repeating: .zero, count: BandLevels.count / 8)
  private var squares = [SIMD8<Double>](repeating: .zero, count: BandLevels.count / 8)

  /// Adds the numbers of eight bands, from `8 * index` on.
  @inline(__always) mutating func add(_ values: SIMD8<Float>, _ index: Int) {
    sums[index] += SIMD8<Double>(values)
    squares[index] += SIMD8<Double>(values * values)
  }

  func mean(_ band: Int, of count: Int) -> Float { count > 0 ? Float(sums[band / 8][band % 8] / Double(count)) : 0 }

  func deviation(_ band: Int, of count: Int) -> Float {
    guard count > 0 else { return 0 }
    let mean = sums[band / 8][band % 8] / Double(count)
    return Float(max(0, squares[band / 8][band % 8] / Double(count) - mean * mean).squareRoot())
  }
}

/// The orthonormal discrete cosine transform, type II.
enum CosineTransform {
  /// Rows of the matrix, one after the other, `size` numbers each.
  static func rows(_ harmonics: ClosedRange<Int>, size: Int) -> [Float] {
    harmonics.flatMap { harmonic in
      (0..<size).map { index in
        Float((2 / Double(size)).squareRoot() * cos(.pi * Double(harmonic) * (Double(index) + 0.5) / Double(size)))
      }
    }
  }

  static func apply(_ harmonics: ClosedRange<Int>, to values: [Float]) -> [Float] {
    let matrix = rows(harmonics, size: values.count)
    return stride(from: 0, to: matrix.count, by: values.count).map { start in
      values.indices.reduce(0) { $0 + matrix[start + $1] * values[$1] }
    }
  }
}
