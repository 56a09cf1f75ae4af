internal import Base
internal import MediaModel

/// The levels that an axis or a colour scale covers.
package struct DecibelRange: Hashable, Sendable {
  package let bottom: Double
  package let top: Double

  package init(bottom: Double, top: Double) {
    self.top = top.isFinite ? top : 0
    self.bottom = bottom.isFinite && bottom < self.top ? bottom : self.top - 1
  }

  /// `span` dB whose top is the next multiple of 10 at or above `maximum`; 0 dB if there is no level.
  ///
  /// It does not reach below the lowest level that is stored or measured, so silence is at its bottom.
  package init(around maximum: Double?, span: Double = 80) {
    guard let maximum, maximum.isFinite else {
      self.init(bottom: -span, top: 0)
      return
    }
    let lowestTop = Double(DecibelStep.floorInDB) + span
    let top = max(lowestTop, min((maximum / 10).rounded(.up) * 10, 120))
    self.init(bottom: top - span, top: top)
  }

  /// From two numbers with two points between them, the lower first: `-90..-10`; nil for anything else.
  package init?(_ text: String) {
    guard let dots = text.firstRange(of: ".."), let bottom = DecimalText.parse(String(text[..<dots.lowerBound])),
      let top = DecimalText.parse(String(text[dots.upperBound...])), (-200...200).contains(bottom),
      (-200...200).contains(top), top - bottom >= 1
    else { return nil }
    self.init(bottom: bottom, top: top)
  }

  /// The place of a level in `0...1`, clamped; no level is at the bottom.
  package func fraction(of level: Double?) -> Double {
    guard let level, !level.isNaN else { return 0 }
    return max(0, min((level - bottom) / (top - bottom), 1))
  }

  /// Multiples of the smallest of 1, 2, 5, 10, 20 dB that are at least `minimumDistance` apart on `length` places.
  func marks(length: Int, minimumDistance: Double) -> [(level: Double, fraction: Double)] {
    let steps = [1.0, 2, 5, 10, 20, 50, 100]
    let perDecibel = Double(length) / (top - bottom)
    guard let step = steps.first(where: { $0 * perDecibel >= minimumDistance }) else { return [] }
    let last = Int((top / step).rounded(.down))
    let first = Int((bottom / step).rounded(.up))
    guard first <= last, last - first <= 1000 else { return [] }
    return (first...last).map { (Double($0) * step, fraction(of: Double($0) * step)) }
  }
}

/// Levels as labels.
enum DecibelText {
  /// With a sign before gains.
  static func signed(_ level: Double) -> String { (level > 0 ? "+" : "") + label(level) }

  static func label(_ level: Double) -> String { DecimalText.number(level, places: 0) }
}
