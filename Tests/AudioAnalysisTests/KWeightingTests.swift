import Foundation
import Testing

@testable import AudioAnalysis

struct KWeightingTests {
  @Test(arguments: KWeightingTable.rows)
  func `coefficients are those of the table`(row: KWeightingTable.Row) throws {
    let weighting = try #require(KWeighting(sampleRateInHz: row.sampleRateInHz))
    let shelf = weighting.shelf
    let found = [shelf.b0, shelf.b1, shelf.b2, shelf.a1, shelf.a2, weighting.highPass.a1, weighting.highPass.a2]
    for (found, expected) in zip(found, row.coefficients) { #expect(abs(found - expected) < 1e-13) }
  }

  @Test(
    arguments: [
      (20.0, -13.28), (100, -1.13), (500, 0.04), (997, 0.691), (1_000, 0.698), (2_000, 3.07), (5_000, 4.01),
      (20_000, 4.04),
    ])
  func `the response at 48 kHz is that of the recommendation`(frequency: Double, gainInDB: Double) throws {
    #expect(abs(try gain(at: frequency, sampleRateInHz: 48_000) - gainInDB) < 0.006)
  }

  @Test(arguments: [44_100, 88_200, 96_000, 176_400, 192_000, 352_800, 384_000])
  func `up to 5 kHz the response is the same at every usual rate`(rate: Int) throws {
    for frequency in [20.0, 100, 997, 2_000, 5_000] {
      let difference = try gain(at: frequency, sampleRateInHz: rate) - gain(at: frequency, sampleRateInHz: 48_000)
      #expect(abs(difference) < 0.05)
    }
  }

  @Test(arguments: [4_000, 5_513, 8_000, 11_025])
  func `the poles lie inside of the unit circle at low rates, too`(rate: Int) throws {
    let weighting = try #require(KWeighting(sampleRateInHz: rate))
    for (a1, a2) in [(weighting.shelf.a1, weighting.shelf.a2), (weighting.highPass.a1, weighting.highPass.a2)] {
      #expect(abs(a2) < 1 && abs(a1) < 1 + a2)
    }
  }

  @Test func `below 4 kHz there is no weighting`() {
    #expect(KWeighting(sampleRateInHz: 3_999) == nil)
    #expect(KWeighting(sampleRateInHz: 1) == nil)
  }

  private func gain(at frequency: Double, sampleRateInHz rate: Int) throws -> Double {
    let weighting = try #require(KWeighting(sampleRateInHz: rate))
    let angle = 2 * Double.pi * frequency / Double(rate)
    func power(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let real = c0 + c1 * cos(angle) + c2 * cos(2 * angle)
      let imaginary = c1 * sin(angle) + c2 * sin(2 * angle)
      return real * real + imaginary * imaginary
    }
    let (shelf, highPass) = (weighting.shelf, weighting.highPass)
    return 10
      * log10(
        power(shelf.b0, shelf.b1, shelf.b2) / power(1, shelf.a1, shelf.a2) * power(1, -2, 1)
          / power(1, highPass.a1, highPass.a2))
  }
}
