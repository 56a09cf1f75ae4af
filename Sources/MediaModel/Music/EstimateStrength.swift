/// How far a measured tempo or key can be trusted, in words that say more than the number: docs/sound-search.md has how many of
/// each are right.
package enum EstimateStrength: String, CaseIterable, Sendable {
  case weak, fair, strong

  /// The confidences from which on an estimate is fair, and strong.
  package struct Limits: Hashable, Sendable {
    package let fair: Double
    package let strong: Double

    package static let tempo = Limits(fair: 0.2, strong: 0.45)
    package static let key = Limits(fair: 0.07, strong: 0.15)
  }

  package init(confidence: Double, _ limits: Limits) {
    self = confidence >= limits.strong ? .strong : confidence >= limits.fair ? .fair : .weak
  }
}

extension Tempo {
  package var strength: EstimateStrength { EstimateStrength(confidence: confidence, .tempo) }
}

extension KeyEstimate {
  package var strength: EstimateStrength { EstimateStrength(confidence: confidence, .key) }
}
