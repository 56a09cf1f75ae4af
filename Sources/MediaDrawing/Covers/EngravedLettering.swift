internal import Glibc

/// Letters along a circle, the middle of the text at 12 o'clock; in pixels from the centre.
package struct EngravedLettering {
  /// Between two letters, in ems.
  private static let tracking = 0.24
  /// How far the groove is kept away from the circle, to both sides, in ems.
  private static let clearance = 0.85

  package let strokes: [[(x: Double, y: Double)]]
  package let strokeWidth: Double
  private let radii: ClosedRange<Double>
  /// From 12 o'clock, clockwise.
  private let angles: ClosedRange<Double>

  /// - Parameters:
  ///   - text: Of letters that ``EtchedLetter`` has; others are left out.
  ///   - size: The em in pixels.
  ///   - radius: Of the circle through the middles of the letters.
  package init(_ text: String, size: Double, radius: Double) {
    let scale = size / EtchedLetter.unitsPerEm
    let letters = text.compactMap(EtchedLetter.of)
    let advances = letters.map { $0.advance * scale + Self.tracking * size }
    let start = -advances.reduce(0, +) / radius / 2
    var angle = start
    var strokes: [[(x: Double, y: Double)]] = []
    for (letter, advance) in zip(letters, advances) {
      let middle = angle + advance / radius / 2
      strokes += letter.strokes.map { stroke in
        stroke.map { point in
          let (x, y) = ((point.x - letter.advance / 2) * scale, radius + (point.y - EtchedLetter.middle) * scale)
          return (x * cos(middle) + y * sin(middle), x * sin(middle) - y * cos(middle))
        }
      }
      angle += advance / radius
    }
    self.strokes = strokes
    strokeWidth = EtchedLetter.strokeWidth * scale
    radii = radius - Self.clearance * size...radius + Self.clearance * size
    // The last letter has its tracking behind it.
    angles = start - 0.07...angle + 0.03
  }

  /// The pieces of a line that do not run through the text.
  package func clearing(_ line: [(x: Double, y: Double)]) -> [[(x: Double, y: Double)]] {
    line.split { point in
      radii.contains((point.x * point.x + point.y * point.y).squareRoot())
        && angles.contains(atan2(point.x, -point.y))
    }.map { Array($0) }
  }
}
