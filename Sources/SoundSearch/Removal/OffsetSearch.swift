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
    var best = (offset: offset, cost: cost(offset))
    for step in Self.steps {
      let middle = best.offset
      for index in -step.count...step.count where index != 0 {
        let place = middle + Double(index) * step.seconds
        let cost = cost(place)
        if cost < best.cost { best = (place, cost) }
      }
    }
    return best.offset
  }

  /// Whether some seconds fit clearly better elsewhere: a piece was cut out or put in before them.
  func hasShift(from offset: Double) -> Bool {
    var first = 0
    while first < starts.count {
      var end = first
      while end < starts.count, starts[end] < starts[first] + Self.blockInSeconds { end += 1 }
      let block = first..<end
      let here = cost(offset, block)
      if here.isFinite, here > Self.leastCostOfShift {
        let elsewhere = Self.shifts.flatMap { [cost(offset - $0, block), cost(offset + $0, block)] }
        if let best = elsewhere.min(), best < Self.mostShareOfShift * here { return true }
      }
      first = end
    }
    return false
  }

  private static let blockInSeconds = 8.0
  private static let shifts = [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12]
  private static let leastCostOfShift: Float = 0.6
  private static let mostShareOfShift: Float = 0.6

  /// The mean difference of levels in dB, but for one gain in each band.
  private func cost(_ offset: Double, _ block: Range<Int>? = nil) -> Float {
    var differences = [[Float]](repeating: [], count: 4)
    for index in block ?? 0..<starts.count {
      let (start, levels) = (starts[index], levels[index])
      let place = start + offset
      guard place > 0, place + window < kept.durationInSeconds else { continue }
      let difference = levels - Self.levels(kept, from: place, window)
      for band in 0..<4 { differences[band].append(difference[band]) }
    }
    guard differences[0].count >= Self.leastWindows else { return .infinity }
    let sum = differences.reduce(Float(0)) { sum, band in
      let gain = band.percentile(0.5)
      return sum + band.reduce(0) { $0 + min(abs($1 - gain), Self.mostInDB) }
    }
    return sum / Float(4 * differences[0].count)
  }

  private static func levels(_ sound: StoredSound, from start: Double, _ window: Double) -> SIMD4<Float> {
    let power = sound.power(from: start, to: start + window)
    return SIMD4(
      StoredSound.decibels(power[0]), StoredSound.decibels(power[1]), StoredSound.decibels(power[2]),
      StoredSound.decibels(power[3]))
  }
}
