internal import MediaModel
internal import SignalProcessing

/// Finds the landmarks of a stream: peaks that are the highest within 17 frequencies and four columns around them.
///
/// Levels are those above the course of each frequency, a mean that decays over a second: what is constant (equalizers,
/// hum, steady noise) does not change a peak. Of the peaks in each band, those stay that are among the strongest of the
/// second around them, so a recording that is cut elsewhere keeps its peaks. The method is that of A. Wang, "An
/// industrial-strength audio search algorithm" (ISMIR 2003), with the decaying mean of D. Ellis's audfprint.
///
/// - Complexity: O(units) per column; allocates when peaks outgrow the reserve.
final class LandmarkAnalyzer: SoundColumnConsumer {
  /// How many peaks stay.
  enum Density {
    /// What is stored: some six a second.
    case stored
    /// What an excerpt is searched by: four times as many, so that most of the stored ones are among them.
    case usual
    /// What an excerpt is searched by if that finds nothing: ten times as many, also near stronger ones, so that voices
    /// and echoes hide fewer.
    case dense

    /// The most peaks of each band of ``LandmarkScale/bandEnds`` that a second has.
    var peaksPerBand: [Int] {
      switch self {
      case .stored: [2, 2, 1, 1]
      case .usual: [8, 8, 4, 4]
      case .dense: [32, 32, 16, 16]
      }
    }

    /// Columns to each side within which a peak is the highest.
    var columnReach: Int32 { self == .dense ? 2 : Int32(LandmarkAnalyzer.largestColumnReach) }
    /// Frequencies to each side, a multiple of four.
    var unitReach: Int { self == .dense ? 8 : 16 }
    /// How high a peak is at least, in units of 3 dB.
    var leastHeight: Float { self == .dense ? 0.2 : 1 }
  }

  private struct Candidate {
    var peak: Landmarks.Peak
    var level: Float
    var band: Int
  }

  private static let unitCount = LandmarkScale.unitCount
  /// Columns to each side that a peak is compared with at most.
  private static let largestColumnReach = 4
  /// Columns to each side among which peaks are counted: half a second.
  private static let rankReach: Int32 = 21
  /// Columns whose mean is the first course.
  private static let startCount = 43
  private static let decay: Float = 0.02
  /// Columns without any power above it (-70 dB) are silent.
  private static let silence: Float = 1e-7
  /// Its logarithm: the level of a silent column in the first course, so that the first sound after silence has peaks.
  private static let levelOfSilence: Float = -23.25
  private static let floor: Float = 1e-9
  private static let stepOfStrength: Float = 1
  /// Room before and after the units, so that the neighbours of all can be read.
  private static let margin = 24
  private static let ringCount = 2 * largestColumnReach + 1

  // Constants of another module would be asked for in each turn of a loop.
  private let unitCount = LandmarkScale.unitCount
  private let rowLength = LandmarkScale.unitCount + 2 * LandmarkAnalyzer.margin + 4
  private let peaksPerBand: [Int]
  private let columnReach: Int32
  private let unitReach: Int
  private let leastHeight: Float
  private let ranges = LandmarkScale.binRanges
  private let bands = LandmarkScale.bandOfUnit
  /// Levels of the first columns, which wait for the first course.
  private let start = SampleBuffer(count: LandmarkAnalyzer.startCount * LandmarkAnalyzer.unitCount)
  private var isSilentAtStart: [Bool] = []
  private let levels = SampleBuffer(count: LandmarkAnalyzer.unitCount)
  private let course = SampleBuffer(count: LandmarkAnalyzer.unitCount)
  /// Of the latest columns, as a ring.
  private let heights: SampleBuffer
  private var hasCourse = false
  /// Columns whose heights are in the ring.
  private var columnCount: Int32 = 0
  private var candidates: [Candidate] = []
  /// The first candidate whose rank is not known.
  private var nextCandidate = 0
  private var peaks: [Landmarks.Peak] = []

  init(density: Density = .stored, expectedColumnCount: Int = 0) {
    peaksPerBand = density.peaksPerBand
    columnReach = density.columnReach
    unitReach = density.unitReach
    leastHeight = density.leastHeight
    peaks.reserveCapacity(Reserve.bounded(Int64(expectedColumnCount / 6), bytesPerElement: 16))
    isSilentAtStart.reserveCapacity(Self.startCount)
    candidates.reserveCapacity(256)
    heights = SampleBuffer(count: Self.ringCount * rowLength)
    heights.pointer.update(repeating: -1e9, count: heights.count)
  }

  func consume(column powers: UnsafePointer<Float>) {
    guard columnCount < Landmarks.largestColumnCount else { return }
    // Below, a unit is a bin.
    levels.pointer.update(from: powers + LandmarkScale.firstBin, count: LandmarkScale.linearCount)
    for unit in LandmarkScale.linearCount..<unitCount {
      let range = ranges[unit]
      var power = powers[range.lowerBound]
      var bin = range.lowerBound + 1
      while bin < range.upperBound {
        power = max(power, powers[bin])
        bin += 1
      }
      levels.pointer[unit] = power
    }
    let loudest = Extremes(of: levels.pointer, count: unitCount).high
    for unit in 0..<unitCount { levels.pointer[unit] = max(levels.pointer[unit], Self.floor) }
    toLogarithms(levels.pointer)
    let isSilent = loudest < Self.silence
    guard hasCourse else {
      let column = start.pointer + isSilentAtStart.count * unitCount
      column.update(from: levels.pointer, count: unitCount)
      isSilentAtStart.append(isSilent)
      if isSilentAtStart.count == Self.startCount { begin() }
      return
    }
    add(levels.pointer, isSilent: isSilent)
  }

  /// Ends the stream.
  func finish() -> Landmarks {
    if !hasCourse { begin() }
    let count = columnCount
    levels.pointer.update(repeating: 0, count: unitCount)
    for _ in 0..<Self.largestColumnReach { add(levels.pointer, isSilent: true) }
    rank(before: .max)
    return Landmarks(columnCount: count, peaks: peaks.filter { $0.column < count })
  }

  /// Base-2 logarithms, of which the mantissa's part is linear: an error of at most 0.26 dB that keeps the order.
  private func toLogarithms(_ values: UnsafeMutablePointer<Float>) {
    for index in 0..<unitCount {
      values[index] = Float(Int32(bitPattern: values[index].bitPattern)) * 0x1p-23 - 127
    }
  }

  /// Makes the first course of the columns that wait, and adds them.
  private func begin() {
    hasCourse = true
    for unit in 0..<unitCount {
      let sum = isSilentAtStart.indices.reduce(Float(0)) {
        $0 + (isSilentAtStart[$1] ? Self.levelOfSilence : start.pointer[$1 * unitCount + unit])
      }
      course.pointer[unit] = isSilentAtStart.isEmpty ? Self.levelOfSilence : sum / Float(isSilentAtStart.count)
    }
    for column in isSilentAtStart.indices {
      add(start.pointer + column * unitCount, isSilent: isSilentAtStart[column])
    }
  }

  private func add(_ levels: UnsafePointer<Float>, isSilent: Bool) {
    let row = row(columnCount)
    if isSilent {
      row.update(repeating: -1e9, count: unitCount)
    } else {
      let course = course.pointer
      for unit in 0..<unitCount {
        let change = levels[unit] - course[unit]
        course[unit] += Self.decay * change
        row[unit] = change * (1 - Self.decay)
      }
    }
    columnCount += 1
    let column = columnCount - 1 - Int32(Self.largestColumnReach)
    if column >= 0 { findPeaks(column) }
    rank(before: column - Self.rankReach)
  }

  private func row(_ column: Int32) -> UnsafeMutablePointer<Float> {
    heights.pointer + Int(column % Int32(Self.ringCount)) * rowLength + Self.margin
  }

  private func findPeaks(_ column: Int32) {
    let heights = UnsafePointer(row(column))
    let least = SIMD8<Float>(repeating: leastHeight)
    // Few units are higher than their neighbours. After the last unit the row holds numbers below any height.
    for start in stride(from: 0, to: unitCount, by: 8) {
      let eight = heights.vector8(at: start)
      let (below, above) = (heights.vector8(at: start - 1), heights.vector8(at: start + 1))
      let isPeak = (eight .>= least) .& (eight .> below) .& (eight .>= above)
      guard any(isPeak) else { continue }
      for lane in 0..<8 where isPeak[lane] && isHighest(heights[start + lane], unit: start + lane, column: column) {
        candidates.append(candidate(heights, unit: start + lane, column: column))
      }
    }
  }

  private func candidate(_ heights: UnsafePointer<Float>, unit: Int, column: Int32) -> Candidate {
    let height = heights[unit]
    // The vertex of the parabola through three neighbours.
    let (below, above) = (max(heights[unit - 1], -20), max(heights[unit + 1], -20))
    let curvature = below - 2 * height + above
    let fraction = curvature < 0 ? 0.5 * (below - above) / curvature : 0
    let strength = UInt8(max(0, min(15, height / Self.stepOfStrength)))
    return Candidate(
      peak: Landmarks.Peak(
        column: column, unit: UInt8(unit), strength: strength, fraction: max(-0.5, min(fraction, 0.5))),
      level: height, band: bands[unit])
  }

  /// Whether nothing around is higher.
  private func isHighest(_ height: Float, unit: Int, column: Int32) -> Bool {
    let limit = SIMD8<Float>(repeating: height)
    for other in max(column - columnReach, 0)...column + columnReach {
      let neighbours = UnsafePointer(row(other)) + unit - unitReach
      for offset in stride(from: 0, to: 2 * unitReach, by: 8) {
        if any(neighbours.vector8(at: offset) .> limit) { return false }
      }
      if neighbours[2 * unitReach] > height { return false }
    }
    return true
  }

  /// Keeps the strongest of the candidates before a column, whose neighbours are all known.
  private func rank(before limit: Int32) {
    while nextCandidate < candidates.count, candidates[nextCandidate].peak.column < limit {
      let candidate = candidates[nextCandidate]
      var strongerCount = 0
      for (index, other) in candidates.enumerated()
      where other.band == candidate.band && abs(other.peak.column - candidate.peak.column) <= Self.rankReach
        && (other.level > candidate.level || other.level == candidate.level && index < nextCandidate)
      { strongerCount += 1 }
      if strongerCount < peaksPerBand[candidate.band] { peaks.append(candidate.peak) }
      nextCandidate += 1
    }
    // Those that no later candidate is compared with.
    if nextCandidate >= 128 {
      let oldest = (nextCandidate < candidates.count ? candidates[nextCandidate].peak.column : limit) - Self.rankReach
      let count = candidates.prefix(nextCandidate).prefix { $0.peak.column < oldest }.count
      candidates.removeFirst(count)
      nextCandidate -= count
    }
  }
}
