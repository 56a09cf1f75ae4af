internal import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

/// Where frequencies stand on a logarithmic axis and which are labelled.
package struct FrequencyAxis: Hashable, Sendable {
  package let lowInHz: Double
  package let highInHz: Double

  /// nil where there is no range of frequencies.
  package init?(edgesInHz edges: [Double]) {
    guard let low = edges.first, let high = edges.last, low > 0, low < high, high.isFinite else { return nil }
    lowInHz = low
    highInHz = high
  }

  /// `0...1` from the lowest to the highest frequency; outside of it for others.
  package func fraction(ofHz frequency: Double) -> Double {
    log(frequency / lowInHz) / log(highInHz / lowInHz)
  }

  /// 1, 2 and 5 of each decade, without the 2 and 5, then altogether less, where the places do not keep labels apart.
  func marks(length: Int, minimumDistance: Double) -> [(hertz: Double, fraction: Double)] {
    for digits in [[1.0, 2, 5], [1.0, 3], [1.0]] {
      let marks = digits.flatMap { digit in (0...5).map { digit * pow(10, Double($0)) } }.sorted()
        .filter { $0 >= lowInHz * 0.999 && $0 <= highInHz * 1.001 }
        .map { ($0, fraction(ofHz: $0)) }
      let places = marks.map { $0.1 * Double(length) }
      if zip(places, places.dropFirst()).allSatisfy({ $1 - $0 >= minimumDistance }) { return marks }
    }
    return []
  }

  /// `100`, `1k`, `2.5k`.
  static func label(hertz: Double) -> String {
    hertz < 1000 ? DecimalText.number(hertz, places: 1) : DecimalText.number(hertz / 1000, places: 2) + "k"
  }
}
