internal import Glibc

/// Where the rings and the run-out groove of an engraved cover are: numbers only, in pixels from the centre.
///
/// Rings lie one inside the other, the first track outside; docs/albums.md says what is seen.
package struct EngravingLayout: Hashable {
  /// Some tracks in a row, end to end round one ring, from 12 o'clock clockwise.
  package struct Ring: Hashable {
    /// How a ring is drawn.
    package enum Style: Hashable {
      /// Radial strokes.
      case strokes
      /// One line of changing thickness: the ring is too narrow for strokes.
      case line
    }

    package internal(set) var tracks: Range<Int>
    package internal(set) var durationInSeconds: Double
    package internal(set) var outerRadius = 0.0
    package internal(set) var innerRadius = 0.0
    package internal(set) var style = Style.line

    package var width: Double { outerRadius - innerRadius }
    package var middleRadius: Double { (outerRadius + innerRadius) / 2 }
  }

  /// Below it, covers are so small that all rings are lines, and the run-out has one turn.
  static let smallestSideWithStrokes = 72.0
  /// The narrowest ring there is room for before neighbours are joined.
  private static let narrowestWidth = 3.6
  /// The narrowest ring with strokes.
  private static let narrowestWidthWithStrokes = 4.4

  package let side: Double
  /// Between two rings.
  package let gap: Double
  /// From the outside to the inside.
  package let rings: [Ring]

  /// - Parameters:
  ///   - side: In pixels, at least 1.
  ///   - durations: In seconds, of the tracks that are drawn, in order; see ``bounded(_:)``.
  /// - Complexity: O(n²) in tracks.
  package init(side: Int, durations: [Double]) {
    self.side = Double(side)
    gap = Self.gap(side: self.side)
    let durations = durations.map(Self.bounded)
    var rings = durations.indices.map { Ring(tracks: $0..<$0 + 1, durationInSeconds: durations[$0]) }
    while rings.count > Self.largestRingCount(side: side) { Self.joinShortestNeighbours(&rings) }
    Self.place(&rings, side: self.side, gap: gap)
    self.rings = rings
  }

  /// A duration that can be added and divided by: from a millisecond, also for what is not a number, to some thirty years.
  static func bounded(_ seconds: Double) -> Double { seconds.isFinite ? min(max(seconds, 0.001), 1e9) : 0.001 }

  private static func gap(side: Double) -> Double { max(0.8, side / 160) }

  /// The edge of the outermost ring.
  package static func outerLimit(side: Double) -> Double { 0.466 * side }

  /// What rings leave free around the centre.
  package static func innerLimit(side: Double) -> Double { (side < smallestSideWithStrokes ? 0.15 : 0.165) * side }

  /// How many rings there is room for; at least one.
  package static func largestRingCount(side: Int) -> Int {
    let side = Double(side)
    let gap = gap(side: side)
    return max(1, Int((outerLimit(side: side) - innerLimit(side: side) + gap) / (narrowestWidth + gap)))
  }

  /// Joins the two neighbours that are shortest together, the outer ones of equals.
  private static func joinShortestNeighbours(_ rings: inout [Ring]) {
    guard rings.count > 1 else { return }
    func sum(_ index: Int) -> Double { rings[index].durationInSeconds + rings[index + 1].durationInSeconds }
    var shortest = 0
    for index in 1..<rings.count - 1 where sum(index) < sum(shortest) { shortest = index }
    let inner = rings.remove(at: shortest + 1)
    rings[shortest].tracks = rings[shortest].tracks.lowerBound..<inner.tracks.upperBound
    rings[shortest].durationInSeconds += inner.durationInSeconds
  }

  /// Gives each ring its width: as the root of its duration, so that the area grows with it.
  private static func place(_ rings: inout [Ring], side: Double, gap: Double) {
    guard !rings.isEmpty else { return }
    let count = Double(rings.count)
    let mean = rings.reduce(0) { $0 + $1.durationInSeconds } / count
    let shares = rings.map { min(max($0.durationInSeconds, mean / 6), 4 * mean).squareRoot() }
    let sum = shares.reduce(0, +)
    // Few tracks do not fill the room: rings would be discs.
    let room = min(outerLimit(side: side) - innerLimit(side: side) - (count - 1) * gap, 0.115 * side * count)
    var radius = outerLimit(side: side)
    for index in rings.indices {
      rings[index].outerRadius = radius
      rings[index].innerRadius = radius - room * shares[index] / sum
      let hasStrokes = rings[index].width >= narrowestWidthWithStrokes && side >= smallestSideWithStrokes
      rings[index].style = hasStrokes ? .strokes : .line
      radius = rings[index].innerRadius - gap
    }
  }
}

// MARK: - Strokes

extension EngravingLayout {
  /// Between the middles of two strokes, at the middle radius of a ring.
  package var strokePitch: Double { max(2, side / 118) }

  var strokeWidth: Double { max(1.1, 0.54 * strokePitch) }

  /// Whether a faint band lies under the strokes, which are too few to show levels.
  var hasTone: Bool { side < 260 }

  package func strokeCount(of ring: Ring) -> Int { max(1, Int(2 * .pi * ring.middleRadius / strokePitch)) }

  /// Of a line or band, in pixels: shorter ones cannot be seen, and take longer.
  private static let pieceLength = 2.0

  /// Into how many pieces lines and bands are divided: of some pixels, but no finer than the columns of the tracks.
  func pieceCount(of ring: Ring, columnCount: Int) -> Int {
    max(90, min(Int(2 * .pi * ring.middleRadius / Self.pieceLength), columnCount))
  }
}

// MARK: - Run-out

extension EngravingLayout {
  /// Where the run-out begins: the inner edge of the last ring.
  package var runOutRadius: Double { rings.last?.innerRadius ?? Self.outerLimit(side: side) }

  /// The circle in which a groove ends.
  package var lockedRadius: Double { (side < Self.smallestSideWithStrokes ? 0.075 : 0.085) * side }

  var grooveWidth: Double { max(0.6, side / 420) }

  package var turnCount: Int {
    side < Self.smallestSideWithStrokes ? 1 : 1 + max(0, Int(((runOutRadius - lockedRadius) / (0.11 * side)).rounded()))
  }

  /// The groove from the last ring to the locked one, from the centre: steep at first, then ever flatter.
  package var groove: [(x: Double, y: Double)] {
    let start = runOutRadius - 1.2 * gap
    let count = turnCount * max(240, Int(side))
    return (0...count).map { index in
      let place = Double(index) / Double(count)
      let radius = start + (lockedRadius - start) * (1 - pow(1 - place, 1.4))
      let angle = 2 * .pi * Double(turnCount) * place
      return (x: radius * sin(angle), y: -radius * cos(angle))
    }
  }

  /// Covers from this side on have a number.
  static let smallestSideWithNumber = 280.0

  package var hasNumber: Bool { side >= Self.smallestSideWithNumber }

  /// The size of the number's letters: their em in pixels.
  package var letterSize: Double { max(9, side / 36) }

  /// The circle through the middles of the letters.
  package var numberRadius: Double {
    (runOutRadius - gap) / 2 + lockedRadius / 2 + 0.08 * (runOutRadius - lockedRadius)
  }
}
