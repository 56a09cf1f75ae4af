internal import Glibc

/// Where one recording begins in another to a few milliseconds, from their levels over time.
struct OffsetSearch {
  /// Each step of the search, and how many of them to each side.
  private static let steps: [(seconds: Double, count: Int)] = [(0.01, 8), (0.004, 2), (0.0015, 2)]
  private static let mostWindows = 2_000
  private static let leastWindows = 20
  private static let depthInDB: Float = 45
  private static let mostInDB: Float = 6

  private let kept: StoredSound
  private let window: Double
  private let starts: [Double]
  /// Whole, low, mid and high at each start, in dB.
  private let levels: [SIMD4<Float>]

  init(_ kept: StoredSound, _ other: StoredSound, windowInSeconds: Double) {
    self.kept = kept
    window = windowInSeconds
    let count = Int(max(0, other.durationInSeconds / windowInSeconds - 1))
    let all = (0..<count).map { index -> (Double, SIMD4<Float>) in
      let start = Double(index) * windowInSeconds
      return (start, Self.levels(other, from: start, windowInSeconds))
    }
    let top = all.map { $0.1[0] }.max() ?? 0
    let loud = all.filter { $0.1[0] > top - Self.depthInDB }
    let stride = max(1, (loud.count + Self.mostWindows - 1) / Self.mostWindows)
    let chosen = Swift.stride(from: 0, to: loud.count, by: stride).map { loud[$0] }
    starts = chosen.map(\.0)
    levels = chosen.map(\.1)
  }

  func best(near offset: Double) -> Double {
    let gains = gains(at: offset)
    var best = (offset: offset, cost: cost(offset, gains))
    for step in Self.steps {
      let middle = best.offset
      for index in -step.count...step.count where index != 0 {
        let place = middle + Double(index) * step.seconds
        let cost = cost(place, gains)
        if cost < best.cost { best = (place, cost) }
      }
    }
    return best.offset
  }

  /// Whether some seconds fit clearly better elsewhere: a piece was cut out or put in before them.
  func hasShift(from offset: Double) -> Bool {
    let gains = gains(at: offset)
    var first = 0
    while first < starts.count {
      var end = first
      while end < starts.count,
        end < first + Self.windowsOfBlock || starts[end] < starts[first] + Self.blockInSeconds
      { end += 1 }
      let block = first..<end
      let here = cost(offset, gains, block)
      if here.isFinite, here > Self.leastCostOfShift {
        let elsewhere = Self.shifts.flatMap { [cost(offset - $0, gains, block), cost(offset + $0, gains, block)] }
        if let best = elsewhere.min(), best < Self.mostShareOfShift * here { return true }
      }
      first = end
    }
    return false
  }

  private static let blockInSeconds = 8.0
  private static let windowsOfBlock = 60
  private static let shifts = [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12]
  private static let leastCostOfShift: Float = 0.6
  private static let mostShareOfShift: Float = 0.6

  /// How much louder the other one is in each band.
  private func gains(at offset: Double) -> SIMD4<Float> {
    let differences = starts.indices.compactMap { difference($0, offset) }
    return SIMD4((0..<4).map { band in differences.map { $0[band] }.percentile(0.5) })
  }

  /// nil where one of the two is not there.
  private func difference(_ index: Int, _ offset: Double) -> SIMD4<Float>? {
    let place = starts[index] + offset
    guard place > 0, place + window < kept.durationInSeconds else { return nil }
    return levels[index] - Self.levels(kept, from: place, window)
  }

  /// The mean difference of levels in dB, but for one gain in each band.
  private func cost(_ offset: Double, _ gains: SIMD4<Float>, _ block: Range<Int>? = nil) -> Float {
    var (sum, count): (Float, Int) = (0, 0)
    for index in block ?? starts.indices {
      guard let difference = difference(index, offset) else { continue }
      let rest = difference - gains
      for band in 0..<4 { sum += min(abs(rest[band]), Self.mostInDB) }
      count += 1
    }
    return count >= Self.leastWindows ? sum / Float(4 * count) : .infinity
  }

  private static func levels(_ sound: StoredSound, from start: Double, _ window: Double) -> SIMD4<Float> {
    let power = sound.power(from: start, to: start + window)
    return SIMD4(
      StoredSound.decibels(power[0]), StoredSound.decibels(power[1]), StoredSound.decibels(power[2]),
      StoredSound.decibels(power[3]))
  }
}
