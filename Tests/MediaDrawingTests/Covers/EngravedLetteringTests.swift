import MediaDrawing
import Testing

struct EngravedLetteringTests {
  private let number = "DW 0123 4567 89AB CDEF"

  /// Every degree of a circle, from 12 o'clock.
  private func circle(_ radius: Double) -> [(x: Double, y: Double)] {
    EngravingLayout(side: 400, durations: []).groove.map { point in
      let length = (point.x * point.x + point.y * point.y).squareRoot()
      return (point.x / length * radius, point.y / length * radius)
    }
  }

  @Test func `letters stand on their circle, half of the text on each side of 12 o'clock`() {
    let lettering = EngravedLettering(number, size: 20, radius: 100)
    #expect(abs(lettering.strokeWidth - 1.875) < 1e-9)
    let points = lettering.strokes.joined()
    let distances = points.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
    // Capitals are 0.72 em high; corners of wide letters are farther out.
    #expect(distances.allSatisfy { $0 > 92 && $0 < 108 })
    #expect((points.map(\.x).min() ?? 0) < -90 && (points.map(\.x).max() ?? 0) > 90)
  }

  @Test func `the same text is as long on any circle`() {
    func length(_ radius: Double) -> Double {
      let points = EngravedLettering("DD", size: 20, radius: radius).strokes.joined()
      return (points.map(\.x).max() ?? 0) - (points.map(\.x).min() ?? 0)
    }
    // Two advances of 696 with 0.24 em between, less the sides: 144 at the left, 120 at the right.
    #expect(abs(length(100_000) - (2 * 696 - 264 + 0.24 * 1024) / 1024 * 20) < 0.01)
    #expect(abs(length(300) - length(100_000)) < 1)
  }

  @Test func `a line through the text is interrupted there, another one is not`() {
    let lettering = EngravedLettering(number, size: 10, radius: 100)
    #expect(lettering.clearing(circle(80)).count == 1 && lettering.clearing(circle(120)).count == 1)
    let pieces = lettering.clearing(circle(100))
    #expect(pieces.joined().count > 100)
    // Nothing is left at 12 o'clock, all at 6.
    #expect(pieces.joined().allSatisfy { $0.y > -80 } && pieces.joined().contains { $0.y > 99.9 })
  }
}
