import Foundation
import MediaModel
import Testing

@testable import AudioAnalysis

struct KWeightingTests {
  @Test(arguments: KWeightingTable.rows)
  func `coefficients are those of the table`(row: KWeightingTable.Row) throws {
    let weighting = try #require(KWeighting(sampleRateInHz: row.sampleRateInHz))
    let shelf: BiquadCoefficients = weighting.shelf
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
  func `the poles are inside the unit circle at low rates, too`(rate: Int) throws {
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

/// Published coefficients: b0, b1, b2, a1, a2 of the shelf, a1, a2 of the high pass.
enum KWeightingTable {
  struct Row: Sendable {
    var sampleRateInHz: Int
    var coefficients: [Double]
  }

  static let rows = [
    Row(
      sampleRateInHz: 44_100,
      coefficients: [
        1.530_841_230_050_35, -2.650_979_995_154_73, 1.169_079_079_921_59, -1.663_655_113_256_02, 0.712_595_428_073_23,
        -1.989_169_673_629_80, 0.989_199_035_787_04,
      ]),
    Row(
      sampleRateInHz: 48_000,
      coefficients: [
        1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85, -1.690_659_293_182_41, 0.732_480_774_215_85,
        -1.990_047_454_833_98, 0.990_072_250_366_21,
      ]),
    Row(
      sampleRateInHz: 96_000,
      coefficients: [
        1.559_714_228_975_80, -2.926_741_578_251_08, 1.378_261_202_315_82, -1.844_609_469_890_11, 0.855_843_322_930_64,
        -1.995_017_544_724_72, 0.995_023_759_040_92,
      ]),
    Row(
      sampleRateInHz: 192_000,
      coefficients: [
        1.572_227_215_091_28, -3.047_283_051_561_55, 1.477_971_340_979_61, -1.922_202_230_607_49, 0.925_117_735_116_83,
        -1.997_507_222_840_70, 0.997_508_778_355_51,
      ]),
  ]
}
