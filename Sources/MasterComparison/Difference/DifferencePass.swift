internal import Glibc

/// Goes once through both recordings in step, subtracts one from the other, and keeps sums of what is left.
///
/// Memory: some bytes for each tenth of a second.
final class DifferencePass {
  /// Powers of one second of the grid.
  struct Second {
    /// Of A after the filter, and of B.
    var filtered = 0.0
    var target = 0.0
    /// Of B minus A after one gain, and after the filter.
    var afterGain = 0.0
    var afterFilter = 0.0
  }

  /// A tenth of a second.
  struct Moment {
    var products = 0.0
    var filtered = 0.0
    var target = 0.0
  }

  private(set) var seconds: [Second]
  private(set) var moments: [Moment]
  /// Frames of the grid that were compared.
  private(set) var frameCount = 0
  /// Frames with unequal samples, without any gain, and the first of them.
  private(set) var unequalFrameCount = 0
  private(set) var firstUnequalFrame: Int?
  private(set) var sampleCounts = [Int](repeating: 0, count: 1 << 15)
  private(set) var residues = [Double](repeating: 0, count: 1 << 15)
  let thirds: ThirdOctaves

  /// The signals of ``thirds``.
  enum Third: Int, CaseIterable {
    case target, afterGain, afterFilter, source
  }

  static let momentsPerSecond = 10
  private static let spectrumInterval = 6
  private static let histogramInterval = 3

  private let pair: AlignedPair
  private let isGridFirst: Bool
  let solution: LeastSquaresFilter.Solution
  private let filter: BlockFilter
  private let gain: Float
  /// Frames of a tenth of a second.
  let momentLength: Int
  /// Frames of ``seconds``.
  var secondLength: Int { momentLength * Self.momentsPerSecond }

  /// - Parameters:
  ///   - isGridFirst: Whether the grid is A.
  ///   - solution: From A to B.
  init(_ pair: AlignedPair, isGridFirst: Bool, solution: LeastSquaresFilter.Solution) {
    self.pair = pair
    self.isGridFirst = isGridFirst
    self.solution = solution
    filter = BlockFilter(taps: solution.taps)
    gain = Float(solution.gain)
    let rate = pair.grid.sampleRateInHz
    momentLength = max(1, rate / Self.momentsPerSecond)
    moments = Array(repeating: Moment(), count: pair.grid.frameCount / momentLength + 1)
    seconds = Array(repeating: Second(), count: moments.count / Self.momentsPerSecond + 1)
    thirds = ThirdOctaves(signalCount: Third.allCases.count, sampleRateInHz: rate)
  }

  /// What ``AlignedPair`` leaves of the offset as A must be moved: the value of A at `n + shift` belongs to frame `n` of B.
  static func shift(of placement: Placement, _ pair: AlignedPair, isGridFirst: Bool) -> Double {
    let rest = pair.remainder(of: placement)
    return abs(rest) < 0.01 ? 0 : isGridFirst ? -rest : rest
  }

  /// - Parameters:
  ///   - advance: Called before the frames of a block are read, with its end in frames of the grid.
  ///   - write: Takes B minus A after one gain.
  func run(
    over pieces: [MasterAlignment.Piece], advance: (Int) throws -> Void = { _ in },
    write: ((SignalPair) throws -> Void)? = nil
  ) throws {
    for piece in pieces {
      let shift = Self.shift(of: piece.placement, pair, isGridFirst: isGridFirst)
      let gainFilter = shift == 0 ? nil : BlockFilter(taps: BlockFilter.taps(gain: Double(gain), shift: shift))
      let first = Int(piece.placement.start.rounded(.up))
      let last = Int((piece.placement.start + Double(pair.other.frameCount) / piece.placement.step).rounded(.down))
      let frames = piece.frames.clamped(to: first..<max(first, last))
      var start = frames.lowerBound
      var number = 0
      while start < frames.upperBound {
        let count = min(BlockFilter.blockLength, frames.upperBound - start)
        try advance(start + count)
        let wide = start - BlockFilter.reach..<start + BlockFilter.blockLength + BlockFilter.reach
        let narrow = start..<start + BlockFilter.blockLength
        let source: SignalPair
        let target: SignalPair
        if isGridFirst {
          source = try pair.ofGrid(wide)
          target = try pair.ofOther(narrow, at: piece.placement)
        } else {
          source = try pair.ofOther(wide, at: piece.placement)
          target = try pair.ofGrid(narrow)
        }
        let filtered = filter.filtered(source)
        let gained = gainFilter?.filtered(source)
        let differences = add(
          source, gained, filtered, target, from: start, count: count, isCounted: number % Self.histogramInterval == 0)
        if number % Self.spectrumInterval == 0, count == BlockFilter.blockLength {
          thirds.consume(target, as: Third.target.rawValue)
          thirds.consume(differences.afterGain, as: Third.afterGain.rawValue)
          thirds.consume(differences.afterFilter, as: Third.afterFilter.rawValue)
          thirds.consume(source.suffix(from: BlockFilter.reach), as: Third.source.rawValue)
        }
        if let write {
          let difference = differences.afterGain
          try write(SignalPair(left: Array(difference.left[..<count]), right: Array(difference.right[..<count])))
        }
        start += count
        number += 1
      }
    }
  }

  private func add(
    _ source: SignalPair, _ gained: SignalPair?, _ filtered: SignalPair, _ target: SignalPair, from start: Int,
    count: Int,
    isCounted: Bool
  ) -> (afterGain: SignalPair, afterFilter: SignalPair) {
    let length = target.count
    var (afterGain, afterFilter) = (target, target)
    var unequal = [Bool](repeating: false, count: pair.isInterpolated || gained != nil ? 0 : count)
    func subtract(_ line: WritableKeyPath<SignalPair, [Float]>) {
      let (source, filtered, target) = (source[keyPath: line], filtered[keyPath: line], target[keyPath: line])
      let gained = gained?[keyPath: line]
      var rest = [Float](repeating: 0, count: length)
      var least = rest
      for index in 0..<length {
        let own = source[BlockFilter.reach + index]
        rest[index] = target[index] - (gained?[index] ?? gain * own)
        least[index] = target[index] - filtered[index]
        if index < unequal.count, own != target[index] { unequal[index] = true }
      }
      afterGain[keyPath: line] = rest
      afterFilter[keyPath: line] = least
      var index = 0
      while index < count {
        let moment = (start + index) / momentLength
        let second = moment / Self.momentsPerSecond
        let end = min(count, (moment + 1) * momentLength - start)
        var (sums, products) = (SIMD4<Double>.zero, 0.0)
        for place in index..<end {
          let values = SIMD4(filtered[place], target[place], rest[place], least[place])
          sums += SIMD4<Double>(values * values)
          products += Double(values.x * values.y)
        }
        seconds[second].filtered += sums.x
        seconds[second].target += sums.y
        seconds[second].afterGain += sums.z
        seconds[second].afterFilter += sums.w
        moments[moment].products += products
        moments[moment].filtered += sums.x
        moments[moment].target += sums.y
        index = end
      }
      if isCounted {
        for place in 0..<count {
          let level = max(abs(filtered[place]), abs(target[place]))
          let bin = Int(level.bitPattern >> 16)
          sampleCounts[bin] += 1
          residues[bin] += Double(least[place] * least[place])
        }
      }
    }
    subtract(\.left)
    if !pair.isMono { subtract(\.right) }
    frameCount += count
    if unequal.isEmpty {
      unequalFrameCount += count
      firstUnequalFrame = firstUnequalFrame ?? start
    } else if let first = unequal.firstIndex(of: true) {
      unequalFrameCount += unequal.count { $0 }
      firstUnequalFrame = firstUnequalFrame ?? start + first
    }
    return (afterGain, afterFilter)
  }

  /// The share of what the filter leaves that is in the loudest hundredth of all samples.
  var shareInLoudest: Double {
    let total = sampleCounts.reduce(0, +)
    let sum = residues.reduce(0, +)
    guard total > 0, sum > 0 else { return 0 }
    var (count, rest) = (0, 0.0)
    for bin in sampleCounts.indices.reversed() where sampleCounts[bin] > 0 {
      let room = max(1, total / 100) - count
      guard room > 0 else { break }
      let share = min(1, Double(room) / Double(sampleCounts[bin]))
      count += min(room, sampleCounts[bin])
      rest += share * residues[bin]
    }
    return rest / sum
  }
}
