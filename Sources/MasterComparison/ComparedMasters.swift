internal import Glibc

/// Two recordings, compared sample by sample.
package struct ComparedMasters: Sendable {
  /// One of both, as it is known before it is decoded.
  package struct Side {
    package var signal: any ComparedSignal
    package var levels: LevelCurve
    /// Of each sample; nil if there are none, as with lossy codecs.
    package var bits: Int?

    package init(_ signal: any ComparedSignal, levels: LevelCurve, bits: Int?) {
      self.signal = signal
      self.levels = levels
      self.bits = bits
    }
  }

  /// A place at which the recordings differ from the rest, in seconds.
  package struct Edit: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// What follows lies elsewhere in B: something is missing or added here.
      case shifted
      /// Other sound for some seconds.
      case differs
    }

    package var kind: Kind
    /// In A.
    package var start: Double
    /// In B.
    package var startInB: Double
    /// Of other sound; or of what B has more, negative if it has less.
    package var length: Double
  }

  /// A third octave, in dB.
  package struct Band: Hashable, Sendable {
    package var centerInHz: Double
    /// Of A to B by the filter; nil where either is too soft to tell.
    package var filterInDB: Double?
    /// What is left relative to B; nil where B is silent.
    package var afterGainInDB: Double?
    package var afterFilterInDB: Double?
  }

  package let relation: MasterRelation
  /// Of what was not edited.
  package let relationOfRest: MasterRelation?
  /// nil if no stretch of both has the same samples.
  package let figures: MasterFigures?
  /// Where B begins in A, in seconds, and in frames of A.
  package let offsetInSeconds: Double?
  package let offsetInFrames: Double?
  /// What both have, in seconds of A.
  package let commonInSeconds: Range<Double>?
  package let edits: [Edit]
  package let bands: [Band]
  package let dynamics: (first: DynamicRange?, second: DynamicRange?)
  /// The gain over time: of each second of A the best one, in dB; nil where either is silent.
  package let gains: [Double?]
}

/// Compares two recordings.
package struct MasterComparer {
  /// The rate and the channels of a difference.
  package struct DifferenceFormat {
    package var sampleRateInHz: Int
    package var channelCount: Int
    package var frameCount: Int
  }

  /// Takes interleaved samples.
  package typealias Writer = ([Float]) throws -> Void

  private enum Limit {
    /// The filter is found from so many pieces of so many blocks: 40 s.
    static let excerptCount = 9
    static let blocksOfExcerpt = 30
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

  private let first: ComparedMasters.Side
  private let second: ComparedMasters.Side
  private let isGridFirst: Bool

  package init(_ first: ComparedMasters.Side, _ second: ComparedMasters.Side) {
    self.first = first
    self.second = second
    isGridFirst = first.signal.sampleRateInHz <= second.signal.sampleRateInHz
  }

  private var grid: ComparedMasters.Side { isGridFirst ? first : second }
  private var other: ComparedMasters.Side { isGridFirst ? second : first }

  /// - Parameter begin: Called once the two are aligned, if they are: makes what takes B minus A after one gain, block by block.
  package func compare(writing begin: ((DifferenceFormat) throws -> Writer)? = nil) throws -> ComparedMasters {
    let meters = (SignalMeter(grid.signal), SignalMeter(other.signal))
    func dynamics() throws -> (DynamicRange?, DynamicRange?) {
      let found = (try meters.0.finish(), try meters.1.finish())
      return isGridFirst ? found : (found.1, found.0)
    }
    let alignment = try AlignmentSearch(
      grid: grid.signal, other: other.signal, gridLevels: grid.levels, otherLevels: other.levels
    ).alignment()
    guard let alignment else { return ComparedMasters(unlike: try dynamics()) }
    let pair = AlignedPair(grid: grid.signal, other: other.signal, step: alignment.placement.step)
    guard let solution = try solution(alignment, pair) else { return ComparedMasters(unlike: try dynamics()) }
    let pass = DifferencePass(pair, isGridFirst: isGridFirst, solution: solution)
    let write = try begin.map { begin in
      let writer = try begin(
        DifferenceFormat(
          sampleRateInHz: grid.signal.sampleRateInHz, channelCount: pair.isMono ? 1 : 2,
          frameCount: alignment.comparedFrames(of: other.signal.frameCount)))
      return { (difference: SignalPair) in
        try writer(pair.isMono ? difference.left : difference.interleaved)
      }
    }
    try pass.run(over: alignment.pieces) { frame in
      try meters.0.advance(to: frame)
      let piece = alignment.pieces.last { $0.frames.lowerBound < frame } ?? alignment.pieces[0]
      try meters.1.advance(to: Int(piece.placement.place(of: Double(frame))))
    } write: {
      try write?($0)
    }
    return try result(alignment, pass, solution, dynamics())
  }

  // MARK: - The filter

  /// From pieces of the part that lies where most does.
  private func solution(_ alignment: MasterAlignment, _ pair: AlignedPair) throws -> LeastSquaresFilter.Solution? {
    let filter = LeastSquaresFilter()
    let placement = alignment.placement
    let all = alignment.pieces.filter { abs($0.placement.offset - placement.offset) < 3 * placement.step }
    guard let piece = all.max(by: { $0.frames.count < $1.frames.count }) ?? alignment.pieces.first else { return nil }
    let frames = piece.frames.clamped(
      to: alignment.overlap(piece.placement, other.signal.frameCount, grid.signal.frameCount))
    let length = LeastSquaresFilter.blockLength
    let blockCount = max(1, frames.count / length)
    let excerptCount = min(Limit.excerptCount, max(1, blockCount / Limit.blocksOfExcerpt))
    let share = blockCount / excerptCount
    let count = min(share, Limit.blocksOfExcerpt)
    func forEachBlock(_ body: (_ start: Int, _ weights: [Float]) throws -> Void) throws {
      for excerpt in 0..<excerptCount {
        let begin = excerpt * share + (share - count) / 2
        for block in 0..<count {
          let weights = (0..<length + 2 * LeastSquaresFilter.margin).map { index in
            let place = Double(block * length + index - LeastSquaresFilter.margin) + 0.5
            return Float(sin(.pi * max(0, min(place / Double(count * length), 1))))
          }
          try body(frames.lowerBound + (begin + block) * length, weights)
        }
      }
    }
    func source(_ frames: Range<Int>) throws -> SignalPair {
      isGridFirst ? try pair.ofGrid(frames) : try pair.ofOther(frames, at: piece.placement)
    }
    func target(_ frames: Range<Int>) throws -> SignalPair {
      isGridFirst ? try pair.ofOther(frames, at: piece.placement) : try pair.ofGrid(frames)
    }
    let margin = LeastSquaresFilter.margin
    try forEachBlock { start, weights in
      filter.consume(
        try source(start - margin..<start + length + margin), try target(start..<start + length), weights: weights)
    }
    var best: LeastSquaresFilter.Solution?
    for regularization in LeastSquaresFilter.regularizations {
      guard let solution = filter.solution(regularization: regularization) else { return nil }
      let trial = BlockFilter(taps: solution.taps)
      filter.clearRests()
      var (afterGain, afterFilter) = (0.0, 0.0)
      try forEachBlock { start, weights in
        let wide = try source(start - margin..<start + length + margin)
        let filtered = trial.filtered(wide.suffix(from: margin - BlockFilter.reach))
        var rest = try target(start..<start + length)
        let gain = Float(solution.gain)
        for index in 0..<length {
          let left = rest.left[index] - gain * wide.left[margin + index]
          let right = rest.right[index] - gain * wide.right[margin + index]
          rest.left[index] -= filtered.left[index]
          rest.right[index] -= filtered.right[index]
          afterGain += Double(left * left + right * right)
          afterFilter += Double(rest.left[index] * rest.left[index] + rest.right[index] * rest.right[index])
        }
        filter.consume(wide, rest: rest, weights: weights)
      }
      best = filter.refined(solution, regularization: regularization)
      // Rounding may have the last word where there is nothing to solve.
      if afterFilter <= 1.02 * afterGain + 1e-6 { break }
    }
    guard var solution = best else { return nil }
    let shift = DifferencePass.shift(of: piece.placement, pair, isGridFirst: isGridFirst)
    if shift != 0 { solution.gain = filter.gain(along: BlockFilter.taps(gain: 1, shift: shift)) }
    return solution
  }

  // MARK: - Figures

  private func result(
    _ alignment: MasterAlignment, _ pass: DifferencePass, _ solution: LeastSquaresFilter.Solution,
    _ dynamics: (DynamicRange?, DynamicRange?)
  ) -> ComparedMasters {
    let channelCount = min(first.signal.channelCount, second.signal.channelCount) == 1 ? 1.0 : 2.0
    let framesOfSecond = Double(pass.momentLength * DifferencePass.momentsPerSecond)
    let rate = Double(grid.signal.sampleRateInHz)
    func rounding(_ bits: Int?) -> Double { pow(10, (bits ?? 24) >= 24 ? -14.1 : -0.602 * Double(bits ?? 16)) }
    let roundingPower = rounding(second.bits) + solution.gain * solution.gain * rounding(first.bits)
    let floorOfSecond = roundingPower * framesOfSecond * channelCount
    // Seconds in which something is heard, and of these the ones that hold.
    let loudest = pass.seconds.reduce(0) { max($0, $1.target, $1.filtered) }
    let depth = pow(10, -Limit.depthInDB / 10)
    let heard = pass.seconds.indices.filter {
      max(pass.seconds[$0].target, pass.seconds[$0].filtered) > loudest * depth
    }
    func rest(_ second: DifferencePass.Second) -> Double {
      10 * log10(max(second.afterFilter, 1e-30) / max(second.target, second.filtered, 1e-30))
    }
    let usual = heard.map { rest(pass.seconds[$0]) }.median
    let most = min(max(usual + Limit.excessInDB, Limit.leastExcessiveInDB), Limit.mostExcessiveInDB)
    var bad = heard.filter { index in
      let second = pass.seconds[index]
      return rest(second) > most && second.afterFilter > 20 * floorOfSecond
    }
    if Double(bad.count) > Limit.mostBadShare * Double(heard.count) || usual > Limit.unlikeInDB { bad = [] }
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
      floorInDB: max(Limit.roundingInDB, 10 * log10(roundingPower / max(power, 1e-20))),
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
    let overlap = alignment.overlap(placement, other.signal.frameCount, grid.signal.frameCount)
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
    _ = rate
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
    let depth = pow(10, -Limit.bandDepthInDB / 10)
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
    return Array(edits.sorted { $0.start < $1.start }.prefix(Limit.mostEdits))
  }
}

extension ComparedMasters {
  fileprivate init(unlike dynamics: (DynamicRange?, DynamicRange?)) {
    self.init(
      relation: .otherPerformance, relationOfRest: nil, figures: nil, offsetInSeconds: nil, offsetInFrames: nil,
      commonInSeconds: nil, edits: [], bands: [], dynamics: dynamics, gains: [])
  }
}

extension MasterAlignment {
  func overlap(_ placement: Placement, _ otherCount: Int, _ gridCount: Int) -> Range<Int> {
    let first = max(0, Int(placement.start.rounded(.up)))
    let last = min(gridCount, Int((placement.start + Double(otherCount) / placement.step).rounded(.down)))
    return first..<max(first, last)
  }

  func comparedFrames(of otherCount: Int) -> Int {
    pieces.reduce(0) { $0 + $1.frames.clamped(to: overlap($1.placement, otherCount, .max)).count }
  }
}

extension SignalPair {
  fileprivate var interleaved: [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(2 * count)
    for index in 0..<count {
      samples.append(left[index])
      samples.append(right[index])
    }
    return samples
  }
}

/// Measures a recording while it is read in order.
private final class SignalMeter {
  private static let pieceLength = 65_536

  private let signal: any ComparedSignal
  private var analyzer: DynamicRangeAnalyzer
  private var position = 0

  init(_ signal: any ComparedSignal) {
    self.signal = signal
    analyzer = DynamicRangeAnalyzer(sampleRateInHz: signal.sampleRateInHz, channelCount: signal.channelCount)
  }

  func advance(to frame: Int) throws {
    let end = min(frame, signal.frameCount)
    while position < end {
      let next = min(end, (position / Self.pieceLength + 1) * Self.pieceLength)
      analyzer.consume(try signal.read(position..<next))
      position = next
    }
  }

  func finish() throws -> DynamicRange? {
    try advance(to: signal.frameCount)
    return analyzer.finish()
  }
}
