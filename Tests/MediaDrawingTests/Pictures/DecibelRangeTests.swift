import MediaDrawing
import Testing

struct DecibelRangeTests {
  @Test(arguments: [(-13.2, -10.0), (-10, -10), (0.1, 10), (1e9, 120)])
  func `the top is the next 10 dB`(maximum: Double, top: Double) {
    let range = DecibelRange(around: maximum)
    #expect(range.top == top)
    #expect(range.bottom == top - 80)
  }

  @Test(arguments: [-500.0, -120, -105, -41]) func `silence is at the bottom`(maximum: Double) {
    let range = DecibelRange(around: maximum)
    #expect(range.top == -40)
    #expect(range.fraction(of: -120) == 0)
  }

  @Test(arguments: [nil, .nan, .infinity] as [Double?])
  func `without a level the top is 0 dB`(maximum: Double?) {
    #expect(DecibelRange(around: maximum).top == 0)
  }

  @Test(arguments: [(-80.0, 0.0), (-40, 0.5), (0, 1), (50, 1), (-500, 0), (.nan, 0), (.infinity, 1)])
  func `levels stand between bottom and top`(level: Double, fraction: Double) {
    #expect(DecibelRange(bottom: -80, top: 0).fraction(of: level) == fraction)
  }

  @Test func `a range that is none becomes one`() {
    let range = DecibelRange(bottom: .nan, top: .infinity)
    #expect(range.bottom < range.top)
  }
}
