import MediaDrawing
import TestSupport
import Testing

struct EngravingLayoutTests {
  private func close(_ one: Double, _ other: Double, _ tolerance: Double = 1e-3) -> Bool {
    abs(one - other) < tolerance
  }

  @Test(arguments: [(400, 20), (176, 11), (48, 3)])
  func `there is room for so many rings`(side: Int, count: Int) {
    #expect(EngravingLayout.largestRingCount(side: side) == count)
    #expect(EngravingLayout(side: side, durations: Array(repeating: 100, count: 60)).rings.count == count)
    #expect(EngravingLayout(side: side, durations: Array(repeating: 100, count: count)).rings.count == count)
  }

  @Test func `one track is a ring of 0.115 of the side, not a disc`() throws {
    let layout = EngravingLayout(side: 400, durations: [200])
    let ring = try #require(layout.rings.first)
    #expect(close(ring.outerRadius, 186.4) && close(ring.innerRadius, 140.4))
    #expect(ring.style == .strokes && ring.tracks == 0..<1)
    // 2π · 163.4 / (400 / 118)
    #expect(layout.strokeCount(of: ring) == 302)
  }

  @Test func `the area of a ring grows with its duration`() {
    // Roots 10 and 20 share 0.23 of the side: 92 pixels; 2.5 lie between them.
    let rings = EngravingLayout(side: 400, durations: [100, 400]).rings
    #expect(close(rings[0].width, 92.0 / 3) && close(rings[1].width, 184.0 / 3))
    #expect(close(rings[0].innerRadius - rings[1].outerRadius, 2.5))
  }

  @Test func `the shortest and longest rings are bounded by a sixth of the mean and four times it`() {
    // The mean is 300: 1 counts as 50; 1196 stays, as it is below 1200.
    let short = EngravingLayout(side: 400, durations: [1, 1196, 1, 2]).rings
    #expect(close(short[1].width / short[0].width, (1196.0 / 50).squareRoot()))
    #expect(close(short[3].width, short[0].width))
    // Of nine tracks the mean is 112: 1000 counts as 448.
    let long = EngravingLayout(side: 400, durations: [1000] + Array(repeating: 1, count: 8)).rings
    #expect(close(long[0].width / long[1].width, (448.0 / (112.0 / 6)).squareRoot()))
  }

  @Test func `neighbours that are shortest together share a ring until there is room`() {
    let rings = EngravingLayout(side: 48, durations: [5, 1, 2, 9, 9]).rings
    #expect(rings.map(\.tracks) == [0..<3, 3..<4, 4..<5])
    #expect(rings.map(\.durationInSeconds) == [8, 9, 9])
  }

  @Test func `of equal neighbours the outer ones are joined`() {
    #expect(
      EngravingLayout(side: 48, durations: [7, 7, 7, 7]).rings.map(\.tracks) == [0..<2, 2..<3, 3..<4])
  }

  @Test func `impossible durations are short tracks`() {
    let rings = EngravingLayout(side: 400, durations: [.nan, -3, 0, .infinity]).rings
    #expect(rings.count == 4)
    #expect(rings.allSatisfy { close($0.width, rings[0].width) && $0.width > 4 })
    let endless = EngravingLayout(side: 400, durations: [1e308, 1e308, 1]).rings
    #expect(endless.allSatisfy { $0.width.isFinite && $0.width > 4 })
  }

  @Test func `rings keep their distance and stay between their limits, whatever the tracks`() {
    var random = RepeatableRandom(seed: TestSize.seed(5))
    for _ in 0..<TestSize.count(300, slow: 5000) {
      let side = Int.random(in: 32...2048, using: &random)
      let durations = (0..<Int.random(in: 1...90, using: &random)).map { _ in
        Double.random(in: 0...2000, using: &random)
      }
      let layout = EngravingLayout(side: side, durations: durations)
      let (side64, rings) = (Double(side), layout.rings)
      #expect(close(rings[0].outerRadius, 0.466 * side64))
      #expect(rings.allSatisfy { $0.width > 0 })
      #expect(zip(rings, rings.dropFirst()).allSatisfy { close($0.innerRadius - $1.outerRadius, layout.gap) })
      #expect(layout.runOutRadius > 0.1499 * side64)
      #expect(rings.map(\.tracks).reduce(0) { $0 == $1.lowerBound ? $1.upperBound : -1 } == durations.count)
      let count = Double(rings.count)
      let inner = side < 72 ? 0.15 : 0.165
      let room = min((0.466 - inner) * side64 - (count - 1) * layout.gap, 0.115 * side64 * count)
      #expect(close(rings.reduce(0) { $0 + $1.width }, room))
      #expect(rings.allSatisfy { ($0.style == .strokes) == ($0.width >= 4.4 && side >= 72) })
    }
  }

  @Test func `the groove leads from the last ring to the locked circle`() {
    let layout = EngravingLayout(side: 400, durations: [200, 200])
    // The inner edge is 186.4 - 92 - 2.5; (91.9 - 34) / 44 turns are rounded.
    #expect(close(layout.runOutRadius, 91.9) && close(layout.lockedRadius, 34) && layout.turnCount == 2)
    let radii = layout.groove.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
    #expect(close(radii[0], 88.9) && close(radii[radii.count - 1], 34))
    #expect(zip(radii, radii.dropFirst()).allSatisfy { $0 > $1 })
    // From 12 o'clock to the right.
    #expect(layout.groove[0].x == 0 && layout.groove[0].y < 0 && layout.groove[5].x > 0)
  }

  @Test func `without rings the groove begins outside, and in small covers it has one turn`() {
    let empty = EngravingLayout(side: 400, durations: [])
    #expect(empty.rings.isEmpty && close(empty.runOutRadius, 186.4) && empty.turnCount == 4)
    let small = EngravingLayout(side: 48, durations: [])
    #expect(small.turnCount == 1 && close(small.lockedRadius, 3.6))
  }

  @Test func `there is a number from 280 pixels on, in the middle of the run-out`() {
    #expect(!EngravingLayout(side: 279, durations: [100]).hasNumber)
    let layout = EngravingLayout(side: 280, durations: [100])
    #expect(layout.hasNumber && layout.letterSize == 9)
    #expect(EngravingLayout(side: 720, durations: []).letterSize == 20)
    // 98.28 is the inner edge, 23.8 the locked circle, 1.75 the gap.
    #expect(close(layout.numberRadius, 48.265 + 11.9 + 0.08 * 74.48))
  }
}
