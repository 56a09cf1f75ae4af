internal import Glibc

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
  }

  let first: ComparedMasters.Side
  let second: ComparedMasters.Side
  let isGridFirst: Bool

  package init(_ first: ComparedMasters.Side, _ second: ComparedMasters.Side) {
    self.first = first
    self.second = second
    isGridFirst = first.signal.sampleRateInHz <= second.signal.sampleRateInHz
  }

  var grid: ComparedMasters.Side { isGridFirst ? first : second }
  var other: ComparedMasters.Side { isGridFirst ? second : first }

  /// - Parameter begin: Called once the two are aligned, if they are: makes what takes B minus A after one gain, block by block.
  package func compare(writing begin: ((DifferenceFormat) throws -> Writer)? = nil) throws -> ComparedMasters {
    let meters = (SignalMeter(grid.signal), SignalMeter(other.signal))
    func dynamics() throws -> (MeasuredDynamics?, MeasuredDynamics?) {
      let found = (try meters.0.finish(), try meters.1.finish())
      return isGridFirst ? found : (found.1, found.0)
    }
    let areEqual = try areEqual()
    let alignment =
      try areEqual
      ? .ofEqual(frameCount: grid.signal.frameCount)
      : AlignmentSearch(
        grid: grid.signal, other: other.signal, gridLevels: grid.levels, otherLevels: other.levels
      ).alignment()
    guard let alignment else { return ComparedMasters(unlike: try dynamics()) }
    let pair = AlignedPair(grid: grid.signal, other: other.signal, step: alignment.placement.step)
    guard let solution = try areEqual ? .unchanged : solution(alignment, pair) else {
      return ComparedMasters(unlike: try dynamics())
    }
    let pass = DifferencePass(pair, isGridFirst: isGridFirst, solution: solution)
    try pass.run(over: alignment.pieces) { frame in
      try meters.0.advance(to: frame)
      let piece = alignment.pieces.last { $0.frames.lowerBound < frame } ?? alignment.pieces[0]
      try meters.1.advance(to: Int(piece.placement.place(of: Double(frame))))
    }
    let rests = SecondRests(pass, alignment, floorOfSecond: floorOfSecond(pass, solution))
    // What was edited has bent the filter and the gain: the rest is judged without it.
    let rest =
      rests.hasEdits ? try again(alignment, pair, without: rests) : Subtraction(pass: pass, solution: solution)
    if let begin {
      try write(rest.solution, alignment, pair, begin)
    }
    return try result(alignment, rest, edited: rests, dynamics())
  }

  /// A pass, and the filter that it subtracted.
  struct Subtraction {
    var pass: DifferencePass
    var solution: LeastSquaresFilter.Solution
  }

  /// A second filter and a second pass, from the seconds that hold.
  private func again(
    _ alignment: MasterAlignment, _ pair: AlignedPair, without rests: SecondRests
  ) throws -> Subtraction {
    var clean = alignment
    clean.pieces = rests.holdingPieces(of: alignment)
    guard !clean.pieces.isEmpty, let solution = try solution(clean, pair) else {
      return Subtraction(pass: rests.pass, solution: rests.pass.solution)
    }
    let pass = DifferencePass(pair, isGridFirst: isGridFirst, solution: solution)
    try pass.run(over: clean.pieces)
    return Subtraction(pass: pass, solution: solution)
  }

  /// Passes on B minus A after one gain, all of it: in a pass of its own, because only now the gain is known.
  private func write(
    _ solution: LeastSquaresFilter.Solution, _ alignment: MasterAlignment, _ pair: AlignedPair,
    _ begin: (DifferenceFormat) throws -> Writer
  ) throws {
    let writer = try begin(
      DifferenceFormat(
        sampleRateInHz: grid.signal.sampleRateInHz, channelCount: pair.isMono ? 1 : 2,
        frameCount: alignment.comparedFrames(of: other.signal.frameCount)))
    try DifferencePass(pair, isGridFirst: isGridFirst, solution: solution).run(over: alignment.pieces) { _ in
    } write: {
      try writer(pair.isMono ? $0.left : $0.interleaved)
    }
  }

  /// Whether both have the same samples from beginning to end; of other recordings it reads little more than where they differ first.
  private func areEqual() throws -> Bool {
    let (one, two) = (first.signal, second.signal)
    guard one.sampleRateInHz == two.sampleRateInHz, one.channelCount == two.channelCount,
      one.frameCount == two.frameCount
    else { return false }
    for start in stride(from: 0, to: one.frameCount, by: SignalMeter.pieceLength) {
      let frames = start..<min(start + SignalMeter.pieceLength, one.frameCount)
      guard try one.read(frames) == two.read(frames) else { return false }
    }
    return true
  }

  // MARK: - The filter

  /// From pieces of the part that lies where most does.
  private func solution(_ alignment: MasterAlignment, _ pair: AlignedPair) throws -> LeastSquaresFilter.Solution? {
    let filter = LeastSquaresFilter()
    let placement = alignment.placement
    let all = alignment.pieces.filter { abs($0.placement.offset - placement.offset) < 3 * placement.step }
    guard let piece = all.max(by: { $0.frames.count < $1.frames.count }) ?? alignment.pieces.first else { return nil }
    let frames = piece.frames.clamped(
      to: piece.placement.overlap(ofGrid: grid.signal.frameCount, andOther: other.signal.frameCount))
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
