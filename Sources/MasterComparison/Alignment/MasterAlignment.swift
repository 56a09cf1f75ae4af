internal import Glibc

/// Where one recording lies in another one: its place, its speed, its polarity, and where pieces were cut out or put in.
package struct MasterAlignment: Sendable {
  /// A stretch of the grid in which the other signal lies at one placement.
  package struct Piece: Hashable, Sendable {
    /// Frames of the grid.
    package var frames: Range<Int>
    package var placement: Placement
  }

  /// The placement of most of it.
  package let placement: Placement
  /// How fast the other signal runs compared with the grid: 1 for the same speed.
  package let speed: Double
  package let isInverted: Bool
  /// In ascending order, without gaps; one for recordings of which nothing was cut.
  package internal(set) var pieces: [Piece]
  /// The share of the stretches looked at that lie where most do.
  package let agreement: Double
  /// The mean ``LagMeter/Lag/quality`` of these.
  package let quality: Double

  func comparedFrames(of otherCount: Int) -> Int {
    pieces.reduce(0) { sum, piece in
      sum + piece.frames.clamped(to: piece.placement.overlap(ofGrid: .max, andOther: otherCount)).count
    }
  }

  /// Of signals with equal samples, also those in which no place differs from another one, such as a steady tone.
  static func ofEqual(frameCount: Int) -> MasterAlignment {
    let placement = Placement(offset: 0, step: 1)
    return MasterAlignment(
      placement: placement, speed: 1, isInverted: false, pieces: [Piece(frames: 0..<frameCount, placement: placement)],
      agreement: 1, quality: 1)
  }
}

/// Aligns two signals: first by their levels, then stretch by stretch by their samples.
struct AlignmentSearch {
  private enum Limit {
    /// Below it, other speeds are tried.
    static let certainCorrelation = 0.75
    /// By how much another speed must agree better than the same speed.
    static let leastAdvantage = 0.05
    /// Of levels, below which nothing is in common.
    static let leastCorrelation = 0.25
    static let speeds = stride(from: -60, through: 60, by: 1).map { 1 + Double($0) / 1_000 }
    static let speedSegmentInSeconds = 60.0
    /// Of samples.
    static let leastQuality = 0.2
    static let stretchCounts = 12...40
    static let secondsOfStretch = 5.0
    static let leastOverlapInSeconds = 2.0
    /// Lags that differ by no more, in frames, are one.
    static let tolerance = 2.5
    /// Speeds are the same if they move the last stretch by less, in frames: equalizers delay sounds differently.
    static let leastDrift = 0.5
    /// Levels around a stretch that lies elsewhere.
    static let localInSeconds = 12.0
    static let leastLocalCorrelation = 0.6
    static let mostPieces = 12
    /// The correlation of samples above which a short stretch lies where it should.
    static let leastLikeness = 0.7
    /// So often is what lies between two stretches halved.
    static let cutSteps = 9
  }

  /// Where one stretch lies.
  private struct Stretch {
    /// Its middle, in frames of the grid.
    var frame: Double
    /// The place of that frame in the other signal.
    var place: Double
    var quality: Double
    var isInverted: Bool
  }

  let grid: any ComparedSignal
  let other: any ComparedSignal
  let gridLevels: LevelCurve
  let otherLevels: LevelCurve
  private let meter: LagMeter
  private let rateRatio: Double

  init(grid: any ComparedSignal, other: any ComparedSignal, gridLevels: LevelCurve, otherLevels: LevelCurve) {
    self.grid = grid
    self.other = other
    self.gridLevels = gridLevels
    self.otherLevels = otherLevels
    meter = LagMeter(sampleRateInHz: grid.sampleRateInHz)
    rateRatio = Double(other.sampleRateInHz) / Double(grid.sampleRateInHz)
  }

  /// nil if the two have no stretch in common.
  func alignment() throws -> MasterAlignment? {
    var found: [(placement: Placement, stretches: [Stretch])] = []
    for rough in roughPlacements() {
      guard let fitted = try fit(rough) else { continue }
      found.append(fitted)
      if fitted.stretches.count >= 4 { break }
    }
    guard var best = found.max(by: { $0.stretches.count < $1.stretches.count }) else { return nil }
    if best.placement.step != rateRatio {
      // A second time at the right speed, where stretches are not blurred; then the speed is exact.
      if let again = try fit(best.placement), again.stretches.count >= best.stretches.count { best = again }
      if isSameSpeed(best.placement.step, best.stretches) {
        var placement = best.placement
        let middle = Double(grid.frameCount) / 2
        placement.offset = placement.place(of: middle) - rateRatio * middle
        placement.step = rateRatio
        if let again = try fit(placement, findsSpeed: false) { best = again }
      }
    }
    return try described(best.placement, best.stretches)
  }

  // MARK: - By levels

  /// The likeliest placements, best first.
  private func roughPlacements() -> [Placement] {
    let point = max(gridLevels.pointInSeconds, otherLevels.pointInSeconds)
    let own = gridLevels.resampled(toPointInSeconds: point)
    let others = otherLevels.resampled(toPointInSeconds: point)
    guard own.values.count > 8, others.values.count > 8 else {
      return [Placement(offset: 0, step: rateRatio)]
    }
    func placement(lag: Int, speed: Double, start: Double) -> Placement {
      // Second t of the grid is heard in the other one at `start + speed * (t - lag)`.
      let seconds = start - speed * Double(lag) * point
      return Placement(offset: seconds * Double(other.sampleRateInHz), step: rateRatio * speed)
    }
    let search = LevelSearch(in: own, most: others.values.count)
    let whole = search.best(of: others)
    let usual = placement(lag: whole.lag, speed: 1, start: 0)
    if whole.correlation > Limit.certainCorrelation { return [usual] }
    // A minute from the middle, at each speed.
    let seconds = min(Limit.speedSegmentInSeconds, otherLevels.durationInSeconds * 0.6)
    let start = (otherLevels.durationInSeconds - seconds) / 2
    let first = Int(start / otherLevels.pointInSeconds)
    let segment = otherLevels.part(first..<first + Int(seconds / otherLevels.pointInSeconds))
    let short = LevelSearch(in: own, most: Int(seconds / point / 0.9) + 1)
    var best = (lag: 0, correlation: -1.0, speed: 1.0)
    var same = best
    for speed in Limit.speeds {
      let found = short.best(of: segment.resampled(toPointInSeconds: point, speed: speed))
      if speed == 1 { same = (found.lag, found.correlation, 1) }
      if found.correlation > best.correlation { best = (found.lag, found.correlation, speed) }
    }
    if same.correlation > best.correlation - Limit.leastAdvantage { best = same }
    let ofSegment = placement(
      lag: best.lag, speed: best.speed, start: Double(first) * otherLevels.pointInSeconds)
    var result: [Placement] = []
    if best.correlation > Limit.leastCorrelation { result.append(ofSegment) }
    if whole.correlation > Limit.leastCorrelation { result.append(usual) }
    // Levels of short or steady sounds say little: they may begin together.
    return result.isEmpty ? [usual] : result
  }

  // MARK: - By samples

  private func overlap(at placement: Placement) -> Range<Int> {
    placement.overlap(ofGrid: grid.frameCount, andOther: other.frameCount)
  }

  /// The middles of stretches, those nearest to the middle of the overlap first.
  private func middles(of overlap: Range<Int>) -> [Int] {
    let seconds = Double(overlap.count) / Double(grid.sampleRateInHz)
    guard overlap.count > LagMeter.count / 2 else { return [] }
    let count = min(
      max(Int(seconds / Limit.secondsOfStretch), Limit.stretchCounts.lowerBound), Limit.stretchCounts.upperBound)
    let middles = (0..<count).map { overlap.lowerBound + (2 * $0 + 1) * overlap.count / (2 * count) }
    let center = (overlap.lowerBound + overlap.upperBound) / 2
    return middles.sorted { (abs($0 - center), $0) < (abs($1 - center), $1) }
  }

  private func stretch(
    at middle: Int, _ placement: Placement, _ pair: AlignedPair
  ) throws -> Stretch? {
    let start = middle - LagMeter.count / 2
    let own = try pair.ofGrid(start..<start + LagMeter.count)
    let wide = start - LagMeter.reach..<start + LagMeter.count + LagMeter.reach
    let others = try pair.ofOther(wide, at: placement)
    guard let lag = meter.lag(of: own, in: others), lag.quality > Limit.leastQuality else { return nil }
    let used = placement.place(of: Double(middle)) - pair.remainder(of: placement)
    return Stretch(
      frame: Double(middle), place: used + lag.frames * placement.step, quality: lag.quality, isInverted: lag.isInverted
    )
  }

  /// The placement on which most stretches agree, and these.
  ///
  /// - Parameter findsSpeed: false keeps the step.
  private func fit(_ rough: Placement, findsSpeed: Bool = true) throws -> (placement: Placement, stretches: [Stretch])?
  {
    let pair = AlignedPair(grid: grid, other: other, step: rough.step)
    var placement = rough
    var stretches: [Stretch] = []
    for middle in middles(of: overlap(at: rough)) {
      var near = rough
      // The line through the stretches so far says where the next one is.
      near.offset = placement.place(of: Double(middle)) - rough.step * Double(middle)
      guard let found = try stretch(at: middle, near, pair) else { continue }
      stretches.append(found)
      let step = findsSpeed && stretches.count > 1 ? Self.slope(of: stretches) : rough.step
      placement = Self.line(through: stretches, step: step)
    }
    guard !stretches.isEmpty else { return nil }
    let line = placement
    var settled = line
    if findsSpeed, isSameSpeed(line.step, stretches), rough.step == rateRatio {
      settled = Self.line(through: stretches, step: rateRatio)
    }
    let agreeing = stretches.filter { abs($0.place - settled.place(of: $0.frame)) <= Limit.tolerance * settled.step }
    guard !agreeing.isEmpty, agreeing.count >= min(2, stretches.count) else { return nil }
    return (settled, agreeing)
  }

  private func isSameSpeed(_ step: Double, _ stretches: [Stretch]) -> Bool {
    let frames = stretches.map(\.frame)
    return abs(step / rateRatio - 1) * ((frames.max() ?? 0) - (frames.min() ?? 0)) < Limit.leastDrift
  }

  /// The median of the slopes between all stretches (Theil and Sen): those that lie elsewhere do not bend it.
  private static func slope(of stretches: [Stretch]) -> Double {
    var slopes: [Double] = []
    for (index, one) in stretches.enumerated() {
      for two in stretches[(index + 1)...] where one.frame != two.frame {
        slopes.append((two.place - one.place) / (two.frame - one.frame))
      }
    }
    return slopes.median
  }

  /// The line of a slope on which most stretches lie.
  private static func line(through stretches: [Stretch], step: Double) -> Placement {
    Placement(offset: stretches.map { $0.place - step * $0.frame }.median, step: step)
  }

  // MARK: - Pieces

  private func described(_ placement: Placement, _ agreeing: [Stretch]) throws -> MasterAlignment {
    let overlap = overlap(at: placement)
    let pair = AlignedPair(grid: grid, other: other, step: placement.step)
    let middles = middles(of: 0..<grid.frameCount).sorted()
    var stretches: [Stretch] = []
    for middle in middles {
      if let known = agreeing.first(where: { $0.frame == Double(middle) }) {
        stretches.append(known)
      } else if let found = try elsewhere(middle, placement, pair) {
        stretches.append(found)
      }
    }
    let pieces = try pieces(of: stretches, placement, pair)
    let inverted = agreeing.count { $0.isInverted }
    let looked = max(agreeing.count, self.middles(of: overlap).count)
    return MasterAlignment(
      placement: placement, speed: placement.step / rateRatio, isInverted: 2 * inverted > agreeing.count,
      pieces: pieces, agreement: Double(agreeing.count) / Double(looked),
      quality: agreeing.reduce(0) { $0 + $1.quality } / Double(agreeing.count))
  }

  /// Where a stretch lies in the other signal: where it should, or where its levels say.
  private func elsewhere(_ middle: Int, _ placement: Placement, _ pair: AlignedPair) throws -> Stretch? {
    if let found = try stretch(at: middle, placement, pair) { return found }
    let point = max(gridLevels.pointInSeconds, otherLevels.pointInSeconds)
    let seconds = Double(middle) / Double(grid.sampleRateInHz)
    let first = Int((seconds - Limit.localInSeconds / 2) / gridLevels.pointInSeconds)
    let range = (first..<first + Int(Limit.localInSeconds / gridLevels.pointInSeconds)).clamped(
      to: 0..<gridLevels.values.count)
    guard range.count > 8 else { return nil }
    let segment = gridLevels.part(range).resampled(toPointInSeconds: point, speed: rateRatio / placement.step)
    let others = otherLevels.resampled(toPointInSeconds: point)
    let found = LevelSearch(in: others, most: segment.values.count).best(of: segment)
    guard found.correlation > Limit.leastLocalCorrelation else { return nil }
    let distance = seconds - Double(range.lowerBound) * gridLevels.pointInSeconds
    let place =
      (Double(found.lag) * point + distance * placement.step / rateRatio) * Double(other.sampleRateInHz)
    var near = placement
    near.offset = place - placement.step * Double(middle)
    return try stretch(at: middle, near, pair)
  }

  /// Runs of stretches at one placement; a run of one is left out.
  private func pieces(
    of stretches: [Stretch], _ placement: Placement, _ pair: AlignedPair
  ) throws -> [MasterAlignment.Piece] {
    var runs: [[Stretch]] = []
    for stretch in stretches {
      let offset = stretch.place - placement.step * stretch.frame
      if let last = runs.last?.last,
        abs(offset - (last.place - placement.step * last.frame)) <= Limit.tolerance * placement.step
      {
        runs[runs.count - 1].append(stretch)
      } else {
        runs.append([stretch])
      }
    }
    runs.removeAll { $0.count < 2 }
    let whole = [MasterAlignment.Piece(frames: 0..<grid.frameCount, placement: placement)]
    guard runs.count > 1, runs.count <= Limit.mostPieces else { return whole }
    // Runs next to each other at one placement belong together: a stretch between them was left out.
    var joined: [(stretches: [Stretch], placement: Placement)] = []
    for run in runs {
      let offset = run.map { $0.place - placement.step * $0.frame }.median
      if let last = joined.last, abs(last.placement.offset - offset) <= Limit.tolerance * placement.step {
        joined[joined.count - 1].stretches += run
      } else {
        joined.append((run, Placement(offset: offset, step: placement.step)))
      }
    }
    guard joined.count > 1 else { return whole }
    var pieces: [MasterAlignment.Piece] = []
    var start = 0
    for (index, run) in joined.enumerated() {
      var end = grid.frameCount
      if index + 1 < joined.count, let last = run.stretches.last, let next = joined[index + 1].stretches.first {
        end = try cut(
          between: Int(last.frame), and: Int(next.frame), run.placement, joined[index + 1].placement, pair)
      }
      pieces.append(MasterAlignment.Piece(frames: start..<max(start, end), placement: run.placement))
      start = max(start, end)
    }
    return pieces
  }

  /// The frame up to which the first of two placements holds, halving what is between two stretches.
  private func cut(
    between first: Int, and second: Int, _ one: Placement, _ two: Placement, _ pair: AlignedPair
  ) throws -> Int {
    var (low, high) = (first, second)
    let length = 4_096
    for _ in 0..<Limit.cutSteps where high - low > length / 4 {
      let middle = (low + high) / 2
      let frames = middle - length / 2..<middle + length / 2
      let own = try pair.ofGrid(frames)
      let likeness = try Self.likeness(own, pair.ofOther(frames, at: one))
      // What only the grid has belongs to neither: the cut is where the first one ends.
      let holds =
        try likeness > Limit.leastLikeness && likeness >= Self.likeness(own, pair.ofOther(frames, at: two))
      if holds { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The magnitude of the correlation of two stretches.
  private static func likeness(_ one: SignalPair, _ two: SignalPair) -> Double {
    var (products, own, others) = (0.0, 0.0, 0.0)
    for index in 0..<one.count {
      products += Double(one.left[index] * two.left[index] + one.right[index] * two.right[index])
      own += Double(one.left[index] * one.left[index] + one.right[index] * one.right[index])
      others += Double(two.left[index] * two.left[index] + two.right[index] * two.right[index])
    }
    return own > 0 && others > 0 ? abs(products) / (own * others).squareRoot() : 0
  }
}

extension [Double] {
  /// The value in the middle, or the mean of both; 0 if there is none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let ascending = sorted()
    return (ascending[(count - 1) / 2] + ascending[count / 2]) / 2
  }
}
