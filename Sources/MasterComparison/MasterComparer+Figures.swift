internal import Glibc

private enum Bound {
  /// Seconds that are softer than the loudest by more are not judged.
  static let depthInDB = 40.0
  /// A second does not hold if more is left than of most by so much.
  static let excessInDB = 20.0
  static let leastExcessiveInDB = -10.0
  static let mostExcessiveInDB = -3.0
  static let mostBadShare = 0.5
  /// If more is left of most seconds, none is worse.
  static let unlikeInDB = -10.0
  /// Bands softer than the loudest by more have no gain.
  static let bandDepthInDB = 55.0
  static let roundingInDB = -135.0
  static let mostEdits = 100
}

extension MasterComparer {
  /// What the sums of a pass say.
  func result(
    _ alignment: MasterAlignment, _ pass: DifferencePass, _ solution: LeastSquaresFilter.Solution,
    _ dynamics: (DynamicRange?, DynamicRange?)
  ) -> ComparedMasters {
    let channelCount = min(first.signal.channelCount, second.signal.channelCount) == 1 ? 1.0 : 2.0
    let framesOfSecond = Double(pass.momentLength * DifferencePass.momentsPerSecond)
    func rounding(_ bits: Int?) -> Double { pow(10, (bits ?? 24) >= 24 ? -14.1 : -0.602 * Double(bits ?? 16)) }
    let roundingPower = rounding(second.bits) + solution.gain * solution.gain * rounding(first.bits)
    let floorOfSecond = roundingPower * framesOfSecond * channelCount
    // Seconds in which something is heard, and of these the ones that hold.
    let loudest = pass.seconds.reduce(0) { max($0, $1.target, $1.filtered) }
    let depth = pow(10, -Bound.depthInDB / 10)
    let heard = pass.seconds.indices.filter {
      max(pass.seconds[$0].target, pass.seconds[$0].filtered) > loudest * depth
    }
    func rest(_ second: DifferencePass.Second) -> Double {
      10 * log10(max(second.afterFilter, 1e-30) / max(second.target, second.filtered, 1e-30))
    }
    let usual = heard.map { rest(pass.seconds[$0]) }.median
    let most = min(max(usual + Bound.excessInDB, Bound.leastExcessiveInDB), Bound.mostExcessiveInDB)
    var bad = heard.filter { index in
      let second = pass.seconds[index]
      return rest(second) > most && second.afterFilter > 20 * floorOfSecond
    }
    if Double(bad.count) > Bound.mostBadShare * Double(heard.count) || usual > Bound.unlikeInDB { bad = [] }
    // At the ends encoders fade, and a second is not whole.
    if let low = heard.first, let high = heard.last { bad.removeAll { $0 == low || $0 == high } }
    // Nor does the second of a cut.
    let cuts = alignment.pieces.dropLast().flatMap { piece in
      let second = piece.frames.upperBound / (pass.momentLength * DifferencePass.momentsPerSecond)
      return [second - 1, second, second + 1]
    }
    let isBad = Set(bad.flatMap { [$0 - 1, $0, $0 + 1] } + cuts)
    let holding = heard.filter { !isBad.contains($0) }
    var sums = DifferencePass.Second()
    for index in holding {
      sums.target += pass.seconds[index].target
      sums.filtered += pass.seconds[index].filtered
      sums.afterGain += pass.seconds[index].afterGain
      sums.afterFilter += pass.seconds[index].afterFilter
    }
    func null(_ left: Double) -> Double? {
      left > 0 && sums.target > 0 ? max(-200, 10 * log10(left / sums.target)) : nil
    }
    let power = sums.target / max(1, Double(holding.count) * framesOfSecond * channelCount)
    let bands = bands(pass, solution)
    let gains = gains(pass, solution, holding)
    let figures = MasterFigures(
      nullAfterGainInDB: null(sums.afterGain), nullAfterFilterInDB: null(sums.afterFilter),
      floorInDB: max(Bound.roundingInDB, 10 * log10(roundingPower / max(power, 1e-20))),
      gainInDB: 20 * log10(max(abs(solution.gain), 1e-10)),
      filterDeviationInDB: Self.deviation(of: bands), gainDeviationInDB: gains.deviation,
      gainCorrelation: gains.correlation,
      shareInLoudest: pass.shareInLoudest, unequalFrameCount: pass.unequalFrameCount,
      comparedFrameCount: pass.frameCount,
      agreement: alignment.agreement, speed: isGridFirst ? 1 / alignment.speed : alignment.speed,
      isInverted: solution.gain < 0,
      isConverted: first.signal.sampleRateInHz != second.signal.sampleRateInHz)
    let edits = edits(alignment, bad)
    let relation = figures.relation
    let placement = alignment.placement
    let offset = (isGridFirst ? placement.start : placement.offset)
    let overlap = placement.overlap(ofGrid: grid.signal.frameCount, andOther: other.signal.frameCount)
    func inFirst(_ frame: Int) -> Double { isGridFirst ? Double(frame) : placement.place(of: Double(frame)) }
    let firstRate = Double(first.signal.sampleRateInHz)
    let common = max(0, inFirst(overlap.lowerBound) / firstRate)
    var perSecond: [Double?] = []
    for (index, second) in pass.seconds.enumerated() {
      let moments = pass.moments[
        (DifferencePass.momentsPerSecond * index..<DifferencePass.momentsPerSecond * (index + 1)).clamped(
          to: pass.moments.indices)]
      let products = moments.reduce(0) { $0 + $1.products }
      let isHeard = max(second.target, second.filtered) > loudest * depth && products > 0 && second.filtered > 0
      perSecond.append(isHeard ? 20 * log10(products / second.filtered) + figures.gainInDB : nil)
    }
    return ComparedMasters(
      relation: edits.isEmpty ? relation : .edited, relationOfRest: edits.isEmpty ? nil : relation, figures: figures,
      offsetInSeconds: offset / firstRate, offsetInFrames: offset,
      commonInSeconds: common..<max(common, inFirst(overlap.upperBound) / firstRate), edits: edits, bands: bands,
      dynamics: dynamics, gains: perSecond)
  }

  /// The gain of each tenth of a second that is heard, from the filter's result to B: its deviation, and its correlation with the
  /// level.
  private func gains(
    _ pass: DifferencePass, _ solution: LeastSquaresFilter.Solution, _ holding: [Int]
  ) -> (deviation: Double, correlation: Double) {
    let loudest = pass.moments.reduce(0) { max($0, $1.filtered) }
    var values: [(gain: Double, level: Double)] = []
    for second in holding {
      let moments = DifferencePass.momentsPerSecond * second..<DifferencePass.momentsPerSecond * (second + 1)
      for moment in pass.moments[moments.clamped(to: pass.moments.indices)]
      where moment.filtered > loudest * 1e-4 && moment.products > 0 {
        values.append((20 * log10(moment.products / moment.filtered), 10 * log10(moment.filtered)))
      }
    }
    guard values.count > 9 else { return (0, 0) }
    let count = Double(values.count)
    let gain = values.reduce(0) { $0 + $1.gain } / count
    let level = values.reduce(0) { $0 + $1.level } / count
    var (products, gains, levels) = (0.0, 0.0, 0.0)
    for value in values {
      products += (value.gain - gain) * (value.level - level)
      gains += (value.gain - gain) * (value.gain - gain)
      levels += (value.level - level) * (value.level - level)
    }
    let scale = (gains * levels).squareRoot()
    return ((gains / count).squareRoot(), scale > 0 ? products / scale : 0)
  }

  private func bands(_ pass: DifferencePass, _ solution: LeastSquaresFilter.Solution) -> [ComparedMasters.Band] {
    func powers(_ signal: DifferencePass.Third) -> [Double] { pass.thirds.powers[signal.rawValue] }
    let depth = pow(10, -Bound.bandDepthInDB / 10)
    let (source, target) = (powers(.source), powers(.target))
    let (loudestSource, loudestTarget) = (source.max() ?? 0, target.max() ?? 0)
    return pass.thirds.centersInHz.indices.map { band in
      let center = pass.thirds.centersInHz[band]
      let isHeard = source[band] > loudestSource * depth && target[band] > loudestTarget * depth
      func left(_ power: Double) -> Double? {
        target[band] > 0 && power > 0 ? max(-200, 10 * log10(power / target[band])) : nil
      }
      return ComparedMasters.Band(
        centerInHz: center,
        filterInDB: isHeard
          ? BlockFilter.gainInDB(of: solution.taps, atHz: center, sampleRateInHz: grid.signal.sampleRateInHz) : nil,
        afterGainInDB: left(powers(.afterGain)[band]), afterFilterInDB: left(powers(.afterFilter)[band]))
    }
  }

  private static func deviation(of bands: [ComparedMasters.Band]) -> Double {
    let gains = bands.compactMap(\.filterInDB)
    let middle = gains.median
    return gains.reduce(0) { max($0, abs($1 - middle)) }
  }

  // MARK: - Edits

  private func edits(_ alignment: MasterAlignment, _ bad: [Int]) -> [ComparedMasters.Edit] {
    let (firstRate, secondRate) = (Double(first.signal.sampleRateInHz), Double(second.signal.sampleRateInHz))
    func places(_ frame: Double, _ placement: Placement) -> (Double, Double) {
      let place = placement.place(of: frame)
      return isGridFirst ? (frame / firstRate, place / secondRate) : (place / firstRate, frame / secondRate)
    }
    var edits: [ComparedMasters.Edit] = []
    for (piece, next) in zip(alignment.pieces, alignment.pieces.dropFirst()) {
      let cut = Double(piece.frames.upperBound)
      let (start, startInB) = places(cut, piece.placement)
      let jump = (next.placement.offset - piece.placement.offset) / Double(other.signal.sampleRateInHz)
      edits.append(.init(kind: .shifted, start: start, startInB: startInB, length: isGridFirst ? jump : -jump))
    }
    let shifts = edits.map(\.start)
    let momentLength = max(1, grid.signal.sampleRateInHz / DifferencePass.momentsPerSecond)
    let length = Double(momentLength * DifferencePass.momentsPerSecond)
    var runs: [Range<Int>] = []
    for second in bad {
      if let last = runs.last, last.upperBound == second {
        runs[runs.count - 1] = last.lowerBound..<second + 1
      } else {
        runs.append(second..<second + 1)
      }
    }
    for run in runs {
      let frame = Double(run.lowerBound) * length
      let placement = alignment.pieces.last { Double($0.frames.lowerBound) <= frame }?.placement ?? alignment.placement
      let (start, startInB) = places(frame, placement)
      let seconds = Double(run.count) * length / Double(grid.signal.sampleRateInHz)
      // Around a cut a second belongs to both pieces.
      if seconds <= 3, shifts.contains(where: { abs($0 - start) < 3 }) { continue }
      edits.append(.init(kind: .differs, start: start, startInB: startInB, length: seconds))
    }
    return Array(edits.sorted { $0.start < $1.start }.prefix(Bound.mostEdits))
  }
}
