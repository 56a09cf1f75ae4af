internal import Glibc

/// Adjoining frequency bands whose edges grow by a constant factor.
package struct SpectrumBands: Hashable, Sendable {
  /// `count + 1` ascending frequencies in Hz; band `b` reaches from `edges[b]` to `edges[b + 1]`.
  package let edgesInHz: [Double]

  /// - Precondition: `count > 0` and `0 < low < high`.
  package init(count: Int, fromHz low: Double, toHz high: Double) {
    precondition(count > 0 && low > 0 && low < high, "bands need a range and a count")
    // The last edge is set, not computed: it is exactly the end frequency.
    edgesInHz = (0..<count).map { low * exp2(log2(high / low) * Double($0) / Double(count)) } + [high]
  }

  /// The 80 bands from 100 Hz to 18 kHz that are kept for every recording.
  package static let standard = SpectrumBands(count: 80, fromHz: 100, toHz: 18_000)

  package var count: Int { edgesInHz.count - 1 }

  /// Geometric centre of a band in Hz.
  package func center(of band: Int) -> Double { (edgesInHz[band] * edgesInHz[band + 1]).squareRoot() }

  /// The band that holds a frequency; nil outside of all.
  package func index(ofHz frequency: Double) -> Int? {
    guard frequency >= edgesInHz[0], frequency <= edgesInHz[count] else { return nil }
    return (edgesInHz.firstIndex { frequency < $0 } ?? count) - 1
  }
}
