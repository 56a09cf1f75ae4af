import MediaModel
import Testing

@testable import AudioAnalysis

struct SpectrumPlanTests {
  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000])
  func `every band below half the rate is resolved, in the flat part of its level`(rate: Int) {
    let bands = SpectrumBands.standard
    let plan = SpectrumPlan(sampleRateInHz: rate, bands: bands)
    for level in plan.stages {
      let levelRate = Double(rate) / Double(1 << level.halvingCount)
      #expect(abs(level.binWidthInHz - levelRate / Double(level.transformSize)) < 1e-9)
      for band in level.bands {
        #expect(bands.edgesInHz[band + 1] - bands.edgesInHz[band] >= 4.5 * level.binWidthInHz)
        if level.halvingCount > 0 { #expect(0.6 * levelRate / 2 >= bands.edgesInHz[band + 1]) }
      }
    }
    // From the lowest level to the full rate the bands are contiguous.
    let order = plan.stages.reversed().flatMap { Array($0.bands) }
    #expect(order == Array(0..<plan.bandCount))
    #expect(bands.edgesInHz[plan.bandCount - 1] < Double(rate) / 2)
  }

  @Test(arguments: [(44_100, 2_048), (48_000, 2_048), (96_000, 4_096), (192_000, 8_192), (8_000, 512)])
  func `the bins at the full rate are about 20 Hz wide`(rate: Int, size: Int) {
    #expect(SpectrumPlan(sampleRateInHz: rate, bands: .standard).stages[0].transformSize == size)
  }

  @Test(arguments: [1, 100, 199, 201, 3_000, 2_000_000_000])
  func `unusual sample rates still have a plan of bounded size`(rate: Int) {
    let plan = SpectrumPlan(sampleRateInHz: rate, bands: .standard)
    #expect(!plan.stages.isEmpty)
    #expect(plan.stages.allSatisfy { $0.transformSize <= 32_768 && ($0.lowBandSize == 0 || $0.lowBandSize >= 64) })
  }
}
