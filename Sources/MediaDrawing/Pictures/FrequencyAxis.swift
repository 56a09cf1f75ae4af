internal import Base
internal import Glibc

/// The places of frequencies on an axis, and which of them are labelled.
package struct FrequencyAxis: Hashable, Sendable {
  package enum Scale: String, CaseIterable, Sendable {
    /// Equal distances are equal ratios, as for the ear.
    case log
    /// Equal distances are equal differences.
    case linear
  }

  package let lowInHz: Double
  package let highInHz: Double
  package let scale: Scale

  /// nil if there is no range of frequencies.
  package init?(edgesInHz edges: [Double], scale: Scale = .log) {
    guard let low = edges.first, let high = edges.last, low > 0, low < high, high.isFinite else { return nil }
    lowInHz = low
    highInHz = high
    self.scale = scale
  }

  /// `0...1` from the lowest to the highest frequency; frequencies outside are beyond that.
  package func fraction(ofHz frequency: Double) -> Double {
    switch scale {
    case .log: Glibc.log(frequency / lowInHz) / Glibc.log(highInHz / lowInHz)
    case .linear: (frequency - lowInHz) / (highInHz - lowInHz)
    }
  }

  /// The frequency at a place: the inverse of ``fraction(ofHz:)``.
  package func frequencyInHz(at fraction: Double) -> Double {
    switch scale {
    case .log: lowInHz * pow(highInHz / lowInHz, fraction)
    case .linear: lowInHz + (highInHz - lowInHz) * fraction
    }
  }

  /// On a logarithmic axis 1, 2 and 5 of each decade, or fewer if labels would be closer than `minimumDistance`; on a
  /// linear one multiples of 1, 2 or 5 times a power of ten.
  func marks(length: Int, minimumDistance: Double) -> [(hertz: Double, fraction: Double)] {
    for candidates in scale == .log ? logarithmicCandidates : linearCandidates {
      let marks = candidates.filter { $0 >= lowInHz * 0.999 && $0 <= highInHz * 1.001 }.map { ($0, fraction(ofHz: $0)) }
      let places = marks.map { $0.1 * Double(length) }
      if zip(places, places.dropFirst()).allSatisfy({ $1 - $0 >= minimumDistance }) { return marks }
    }
    return []
  }

  private var logarithmicCandidates: [[Double]] {
    let narrow = [[1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 7]]
    // Within less than a decade 1, 2 and 5 would be too few.
    return ((highInHz / lowInHz < 8 ? narrow : []) + [[1.0, 2, 5], [1.0, 3], [1.0]]).map { digits in
      digits.flatMap { digit in (0...5).map { digit * pow(10, Double($0)) } }.sorted()
    }
  }

  private var linearCandidates: [[Double]] {
    [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000].compactMap { step in
      let first = (lowInHz / step).rounded(.up)
      let count = (highInHz / step).rounded(.down) - first
      guard count >= 0, count <= 1000 else { return nil }
      return (0...Int(count)).map { (first + Double($0)) * step }
    }
  }

  /// `100`, `1k`, `2.5k`.
  static func label(hertz: Double) -> String {
    hertz < 1000 ? DecimalText.number(hertz, places: 1) : DecimalText.number(hertz / 1000, places: 2) + "k"
  }
}
