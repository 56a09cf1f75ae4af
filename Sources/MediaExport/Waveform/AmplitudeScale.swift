internal import MediaModel

/// How much larger than life a waveform is shown.
package enum AmplitudeScale: Hashable, Sendable {
  /// A finite factor of at least 0.
  case factor(Double)
  /// So that the largest excursion reaches full scale.
  case automatic

  package static let one = AmplitudeScale.factor(1)

  /// From a number of at least 0, or the word `auto`; nil for anything else.
  package init?(_ text: String) {
    if text == "auto" {
      self = .automatic
    } else if let factor = DecimalText.parse(text), factor >= 0 {
      self = .factor(factor)
    } else {
      return nil
    }
  }

  /// The factor for values that reach from `low` to `high` in 16 bit; 1 for silence.
  func factor(low: Int, high: Int) -> Double {
    switch self {
    case .factor(let factor): return factor.isFinite ? max(factor, 0) : 1
    case .automatic:
      let peak = max(abs(low), abs(high))
      return peak == 0 ? 1 : 32_767 / Double(peak)
    }
  }

  /// The factor that audiowaveform's `auto` takes for data: the negative excursion decides, a larger positive one is
  /// clipped.
  static func referenceFactor(low: Int, high: Int) -> Double {
    let forHigh = high == 0 ? 1 : 32_767 / Double(high)
    let forLow = low == 0 ? 1 : 32_767 / Double(low)
    return abs(min(forHigh, forLow))
  }

  /// A 16-bit value times `factor`, clamped, then truncated.
  static func scale(_ value: Int, by factor: Double) -> Int {
    let scaled = Double(value) * factor
    return scaled.isNaN ? 0 : Int(max(-32_768, min(scaled, 32_767)))
  }
}
