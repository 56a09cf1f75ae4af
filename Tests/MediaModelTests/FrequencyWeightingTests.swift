import Foundation
import MediaModel
import Testing

struct FrequencyWeightingTests {
  /// IEC 61672-1, at the exact frequencies 10^(n/10).
  private static let table: [(n: Int, gainInDB: Double)] = zip(
    10...43,
    [
      -70.4, -63.4, -56.7, -50.5, -44.7, -39.4, -34.6, -30.2, -26.2, -22.5, -19.1, -16.1, -13.4, -10.9, -8.6, -6.6,
      -4.8, -3.2, -1.9, -0.8, 0.0, 0.6, 1.0, 1.2, 1.3, 1.2, 1.0, 0.5, -0.1, -1.1, -2.5, -4.3, -6.6, -9.3,
    ]
  ).map { ($0, $1) }

  @Test func `A-weighting is that of the standard's table`() {
    for (n, gain) in Self.table {
      let frequency = pow(10, Double(n) / 10)
      #expect(abs(FrequencyWeighting.a.gainInDB(atHz: frequency) - gain) < 0.051, "\(frequency) Hz")
    }
  }

  @Test func `no weighting changes nothing`() {
    #expect(FrequencyWeighting.none.gainInDB(atHz: 20) == 0)
  }
}
