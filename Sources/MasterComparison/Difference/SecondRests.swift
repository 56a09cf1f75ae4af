internal import Glibc

/// Which seconds of a pass hold: what is left of the others is much more than of most.
struct SecondRests {
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
    static let aboveFloor = 20.0
  }

  let pass: DifferencePass
  /// In which something is heard and nothing was edited.
  let holding: [Int]
  /// Of other sound, in ascending order.
  let bad: [Int]
  let hasEdits: Bool
  private let least: Double

  /// - Parameter floorOfSecond: The power that rounding leaves of a second.
  init(_ pass: DifferencePass, _ alignment: MasterAlignment, floorOfSecond: Double) {
    self.pass = pass
    let loudest = pass.seconds.reduce(0) { max($0, $1.target, $1.filtered) }
    let least = loudest * pow(10, -Bound.depthInDB / 10)
    self.least = least
    let heard = pass.seconds.indices.filter { max(pass.seconds[$0].target, pass.seconds[$0].filtered) > least }
    func rest(_ second: DifferencePass.Second) -> Double {
      10 * log10(max(second.afterFilter, 1e-30) / max(second.target, second.filtered, 1e-30))
    }
    let usual = heard.map { rest(pass.seconds[$0]) }.median
    let most = min(max(usual + Bound.excessInDB, Bound.leastExcessiveInDB), Bound.mostExcessiveInDB)
    var bad = heard.filter { index in
      let second = pass.seconds[index]
      return rest(second) > most && second.afterFilter > Bound.aboveFloor * floorOfSecond
    }
    if Double(bad.count) > Bound.mostBadShare * Double(heard.count) || usual > Bound.unlikeInDB { bad = [] }
    // At the ends encoders fade, and a second is not whole.
    if let low = heard.first, let high = heard.last { bad.removeAll { $0 == low || $0 == high } }
    // Nor does the second of a cut.
    let cuts = alignment.pieces.dropLast().map { $0.frames.upperBound / pass.secondLength }
    let left = Set((bad + cuts).flatMap { [$0 - 1, $0, $0 + 1] })
    self.bad = bad
    hasEdits = !left.isEmpty
    holding = heard.filter { !left.contains($0) }
  }

  func isHeard(_ second: DifferencePass.Second) -> Bool { max(second.target, second.filtered) > least }

  /// The pieces of an alignment without the seconds that do not hold.
  func holdingPieces(of alignment: MasterAlignment) -> [MasterAlignment.Piece] {
    var runs: [Range<Int>] = []
    for second in holding {
      if let last = runs.last, last.upperBound == second {
        runs[runs.count - 1] = last.lowerBound..<second + 1
      } else {
        runs.append(second..<second + 1)
      }
    }
    return alignment.pieces.flatMap { piece in
      runs.map { run in
        let frames = run.lowerBound * pass.secondLength..<run.upperBound * pass.secondLength
        return MasterAlignment.Piece(frames: frames.clamped(to: piece.frames), placement: piece.placement)
      }.filter { !$0.frames.isEmpty }
    }
  }
}
