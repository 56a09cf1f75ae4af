internal import Glibc

private enum Bound {
  /// Bands softer than the loudest by more have no gain.
  static let bandDepthInDB = 55.0
  static let roundingInDB = -135.0
  static let mostEdits = 100
}

extension MasterComparer {
  /// What rounding to the bits of both leaves, as the power of a frame of one channel.
  private func roundingPower(_ solution: LeastSquaresFilter.Solution) -> Double {
    func rounding(_ bits: Int?) -> Double { pow(10, (bits ?? 24) >= 24 ? -14.1 : -0.602 * Double(bits ?? 16)) }
    return rounding(second.bits) + solution.gain * solution.gain * rounding(first.bits)
  }

  private var channelCount: Double { min(first.signal.channelCount, second.signal.channelCount) == 1 ? 1 : 2 }

  func floorOfSecond(_ pass: DifferencePass, _ solution: LeastSquaresFilter.Solution) -> Double {
    roundingPower(solution) * Double(pass.secondLength) * channelCount
  }

  /// What the sums of a pass say.
  ///
  /// - Parameter edited: The seconds of the first pass, before what was edited was left out.
  func result(
    _ alignment: MasterAlignment, _ subtraction: Subtraction, edited: SecondRests,
    _ dynamics: (MeasuredDynamics?, MeasuredDynamics?)
  ) -> ComparedMasters {
    let (pass, solution) = (subtraction.pass, subtraction.solution)
    let framesOfSecond = Double(pass.secondLength)
    let roundingPower = roundingPower(solution)
    let rests = SecondRests(pass, alignment, floorOfSecond: roundingPower * framesOfSecond * channelCount)
    let holding = rests.holding
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
      shareInLoudest: pass.shareInLoudest,
      shareAtCeiling: (dynamics.0?.shareAtCeiling ?? 0, dynamics.1?.shareAtCeiling ?? 0),
      unequalFrameCount: pass.unequalFrameCount,
      comparedFrameCount: pass.frameCount,
      agreement: alignment.agreement, speed: isGridFirst ? 1 / alignment.speed : alignment.speed,
      isInverted: solution.gain < 0,
      isConverted: first.signal.sampleRateInHz != second.signal.sampleRateInHz)
    let edits = edits(alignment, edited.bad)
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
      let isHeard = rests.isHeard(second) && products > 0 && second.filtered > 0
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
